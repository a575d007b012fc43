//! A tab and a server that do as they are told.

pub mod device; // a tab's time, storage and stream
pub mod server; // answers as it was told
pub mod things; // learners, tasks, times
mod turns; // tabs of one browser take turns

use std::rc::Rc;

use app::{ports::device::Trigger, sync::Keeper};
use futures::executor::LocalPool;

pub use self::{device::Fake, server::Script};

/// An open tab: the keeper, the device below it, and the server that it asks.
pub struct Tab {
    pub keeper: Rc<Keeper>,
    pub device: Rc<Fake>,
    pool: LocalPool,
}

impl Tab {
    /// Opens a tab on what an earlier one left behind.
    pub fn open(slots: Rc<device::Memory>, server: Rc<Script>) -> Self {
        let pool = LocalPool::new();
        let device = Rc::new(Fake::new(slots, pool.spawner()));
        let keeper = Keeper::open(device.clone(), server);
        Self { keeper, device, pool }
    }

    /// A tab that has started to ask and has its answers.
    pub fn started(slots: Rc<device::Memory>, server: Rc<Script>) -> Self {
        let mut tab = Self::open(slots, server);
        tab.keeper.start();
        tab.settle();
        tab
    }

    /// Lets everything happen that can happen without time passing.
    pub fn settle(&mut self) {
        self.pool.run_until_stalled();
    }

    /// Lets time pass, timer by timer.
    pub fn pass(&mut self, ms: u64) {
        let end = self.device.now() + ms;
        self.settle();
        while let Some(next) = self.device.next_alarm().filter(|next| *next <= end) {
            self.device.set_now(next);
            self.settle();
        }
        self.device.set_now(end);
        self.settle();
    }

    /// Lets everything happen in all of them; what one does may wake another.
    pub fn settle_all(tabs: &mut [&mut Self]) {
        for _ in 0..8 {
            for tab in &mut *tabs {
                tab.settle();
            }
        }
    }

    /// Time passes and nothing runs; afterwards everything that was due runs late.
    pub fn sleep_through(&mut self, ms: u64) {
        self.device.set_now(self.device.now() + ms);
    }

    pub fn trigger(&mut self, trigger: Trigger) {
        self.device.trigger(trigger);
        self.settle();
    }
}
