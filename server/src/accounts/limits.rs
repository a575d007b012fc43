//! How often somebody may try to sign in or up: by name, and by the address they call from.
//!
//! The address is that of the connection. `X-Forwarded-For` is anybody's claim and is not read; a
//! class behind one proxy shares one address, which is why that limit is wide.

use std::{
    hash::{BuildHasher, RandomState},
    net::IpAddr,
    num::NonZeroU32,
    time::Duration,
};

use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};

/// Ten tries for one name, then one every five seconds.
const NAME: Quota = Quota::per_minute(count(12)).allow_burst(count(10));
/// A hundred and twenty tries from one address, then one a second.
const ADDRESS: Quota = Quota::per_second(count(1)).allow_burst(count(120));

/// The tries so far. Keys are put into 65,536 drawers each by a hash with a secret of this process:
/// memory is bounded, and nobody can choose a name that shares a drawer with somebody else's.
pub struct Limits {
    secret: RandomState,
    clock: DefaultClock,
    names: DefaultKeyedRateLimiter<u16>,
    addresses: DefaultKeyedRateLimiter<u16>,
}

impl Limits {
    pub fn new() -> Self {
        Self {
            secret: RandomState::new(),
            clock: DefaultClock::default(),
            names: RateLimiter::dashmap(NAME),
            addresses: RateLimiter::dashmap(ADDRESS),
        }
    }

    /// Counts one try, or says how long to wait.
    pub fn count(&self, name_key: &str, from: IpAddr) -> Result<(), Duration> {
        let wait = |not: governor::NotUntil<_>| not.wait_time_from(self.clock.now());
        self.addresses.check_key(&self.drawer(&network(from))).map_err(wait)?;
        self.names.check_key(&self.drawer(name_key.as_bytes())).map_err(wait)
    }

    fn drawer(&self, key: &[u8]) -> u16 {
        (self.secret.hash_one(key) & 0xffff) as u16
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
    fn the_eleventh_try_for_one_name_must_wait() {
        let limits = Limits::new();
        for _ in 0..10 {
            limits.count("ada", HERE).unwrap();
        }
        let wait = limits.count("ada", HERE).unwrap_err();
        assert!(Duration::ZERO < wait && wait <= Duration::from_secs(5), "{wait:?}");
    }

    #[test]
    fn many_names_from_one_address_must_wait_too() {
        let limits = Limits::new();
        let waits = (0..130).filter(|n| limits.count(&format!("name {n}"), HERE).is_err()).count();
        assert!(waits > 0);
    }

    #[test]
    fn a_whole_network_of_the_sixth_version_counts_as_one() {
        let six = |raw: &str| network(raw.parse().unwrap());
        assert_eq!(six("2001:db8::1"), six("2001:db8::ffff:2"));
        assert_ne!(six("2001:db8::1"), six("2001:db8:0:1::1"));
        assert_eq!(six("::ffff:127.0.0.1"), network(HERE));
    }
}
