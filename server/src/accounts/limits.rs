//! How often somebody may try to sign in or up: by the address they call from, and by name.
//!
//! An address is charged for every try, a name only for those that failed: somebody who guesses is
//! stopped, somebody who signs in on twenty devices is not. The address is that of the connection.
//! `X-Forwarded-For` is anybody's claim and is not read; a class behind one proxy shares one
//! address, which is why that limit is wide.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    net::IpAddr,
    num::NonZeroU32,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use governor::{
    DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
};

/// A hundred and twenty tries from one address, then one a second.
const ADDRESS: Quota = Quota::per_second(count(1)).allow_burst(count(120));
/// Ten failures for one name, then one every five seconds.
const NAME: Quota = Quota::per_minute(count(12)).allow_burst(count(10));

/// The tries so far. Keys are put into 65,536 drawers each by a hash with a secret of this process:
/// memory is bounded, and nobody can choose a name that shares a drawer with somebody else's.
pub struct Limits {
    secret: RandomState,
    clock: DefaultClock,
    addresses: DefaultKeyedRateLimiter<u16>,
    failures: DefaultKeyedRateLimiter<u16, StateInformationMiddleware>,
    /// Names whose failures are used up, and until when. The limiter itself cannot be asked
    /// without being charged.
    closed: Mutex<HashMap<u16, Instant>>,
}

impl Limits {
    pub fn new() -> Self {
        Self {
            secret: RandomState::new(),
            clock: DefaultClock::default(),
            addresses: RateLimiter::dashmap(ADDRESS),
            failures: RateLimiter::dashmap(NAME).with_middleware(),
            closed: Mutex::default(),
        }
    }

    /// Charges the address with a try, or says how long to wait.
    pub fn charge(&self, from: IpAddr) -> Result<(), Duration> {
        let wait = |not: NotUntil<_>| not.wait_time_from(self.clock.now());
        self.addresses.check_key(&self.drawer(&network(from))).map_err(wait)
    }

    /// Whether the name is open to tries, or how long to wait. To be asked before a passphrase is
    /// looked at and again after: guesses sent all at once must not learn more than guesses in turn.
    pub fn open(&self, name_key: &str) -> Result<(), Duration> {
        let drawer = self.drawer(name_key.as_bytes());
        let now = Instant::now();
        let mut closed = self.closed();
        match closed.get(&drawer).map(|until| until.saturating_duration_since(now)) {
            Some(Duration::ZERO) => {
                closed.remove(&drawer);
                Ok(())
            }
            Some(wait) => Err(wait),
            None => Ok(()),
        }
    }

    /// Charges the name with a failure.
    pub fn failed(&self, name_key: &str) {
        let drawer = self.drawer(name_key.as_bytes());
        let wait = match self.failures.check_key(&drawer) {
            Ok(left) if left.remaining_burst_capacity() > 0 => return,
            Ok(_) => NAME.replenish_interval(),
            Err(not) => not.wait_time_from(self.clock.now()),
        };
        self.closed().insert(drawer, Instant::now() + wait);
    }

    fn drawer(&self, key: &[u8]) -> u16 {
        (self.secret.hash_one(key) & 0xffff) as u16
    }

    fn closed(&self) -> MutexGuard<'_, HashMap<u16, Instant>> {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

/// One household has one IPv4 address, or a whole /64 of the other kind.
fn network(from: IpAddr) -> Vec<u8> {
    match from.to_canonical() {
        IpAddr::V4(four) => four.octets().to_vec(),
        IpAddr::V6(six) => six.octets().into_iter().take(8).collect(),
    }
}

const fn count(n: u32) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(n - 1)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn the_eleventh_try_after_ten_failures_must_wait() {
        let limits = Limits::new();
        for _ in 0..10 {
            limits.open("ada").unwrap();
            limits.failed("ada");
        }
        let wait = limits.open("ada").unwrap_err();
        assert!(Duration::ZERO < wait && wait <= Duration::from_secs(5), "{wait:?}");
    }

    #[test]
    fn many_tries_from_one_address_must_wait_too() {
        let limits = Limits::new();
        assert!((0..130).any(|_| limits.charge(HERE).is_err()));
    }

    #[test]
    fn a_whole_network_of_the_sixth_version_counts_as_one() {
        let six = |raw: &str| network(raw.parse().unwrap());
        assert_eq!(six("2001:db8::1"), six("2001:db8::ffff:2"));
        assert_ne!(six("2001:db8::1"), six("2001:db8:0:1::1"));
        assert_eq!(six("::ffff:127.0.0.1"), network(HERE));
    }
}
