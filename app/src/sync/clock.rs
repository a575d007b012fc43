//! The server's time, estimated: the last one heard, and what has passed on this device since.
//!
//! The device's wall clock may be hours off; only its steady one is used.

use std::{rc::Rc, time::Duration};

use domain::{snapshot::Snapshot, time::Timestamp};

use super::Keeper;

/// Never ahead of the server by more than what passed on the way, and never going back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerClock {
    heard: Option<(Timestamp, u64)>,
}

impl ServerClock {
    /// The server said its time when the device's steady clock stood at `monotonic_ms`.
    pub fn hear(&mut self, said: Timestamp, monotonic_ms: u64) {
        // A reply may be overtaken by a later one; and a device that slept may not have counted.
        if self.at(monotonic_ms).is_none_or(|estimate| estimate < said) {
            self.heard = Some((said, monotonic_ms));
        }
    }

    /// The server's time when the device's steady clock stands at `monotonic_ms`.
    pub fn at(&self, monotonic_ms: u64) -> Option<Timestamp> {
        self.heard.map(|(said, then)| said.plus(Duration::from_millis(monotonic_ms.saturating_sub(then))))
    }
}

impl Keeper {
    /// The server has said its time.
    pub fn hear_time(&self, said: Timestamp) {
        let now = self.device.monotonic_ms();
        self.inner.borrow_mut().clock.hear(said, now);
        self.tick();
    }

    pub(super) fn server_now(&self) -> Option<Timestamp> {
        self.inner.borrow().clock.at(self.device.monotonic_ms())
    }

    /// Lets the screens see what time it is.
    pub(super) fn tick(&self) {
        self.shown.server_now.set(self.server_now());
    }

    /// Lets the screens see each second pass, for as long as one is looked at and wants to.
    pub fn count_seconds(&self, wanted: Rc<dyn Fn() -> bool>) {
        let pause = self.device.sleep(1_000);
        self.spawn(async move |keeper| {
            pause.await;
            if wanted() && keeper.device.is_visible() {
                keeper.tick();
                keeper.count_seconds(wanted);
            }
        });
    }

    /// "Generating" ends with the lease, also if nothing is heard by then.
    pub(super) fn tick_when_lease_ends(&self, seen: &Snapshot) {
        let Some((active, now)) = seen.active.as_ref().zip(self.server_now()) else { return };
        let left = u64::try_from(active.lease_until.since(now).as_millis()).unwrap_or(u64::MAX);
        let pause = self.device.sleep(left.min(3_600_000) + 100);
        self.spawn(async move |keeper| {
            pause.await;
            keeper.tick();
        });
    }
}
