//! The program itself: whether its files are kept on this device, and when a newer build takes over.
//!
//! Invariants: a tab is opened anew only once all that was written in it is on the device, unless the
//! learner says that it may be lost; by itself only where nobody looks at it, and not again soon.

use super::Keeper;
use crate::{
    ports::device::{Keeping, Newer},
    slots::{self, Key},
};

/// So long one look for a newer build is enough.
const LOOK_EVERY_MS: u64 = 300_000;
/// A tab that was opened more recently is not opened anew by itself: servers of two builds may stand
/// side by side, and each would send it to the other.
const SETTLED_MS: u64 = 300_000;

/// What a learner may let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    All,
    /// They were told that something is in this tab alone.
    OrLost,
}

impl Keeper {
    /// Takes up the newer build: writes what is held, and then opens this tab anew.
    pub fn renew(&self, written: Written) {
        self.write_held();
        if written == Written::OrLost || self.is_all_written() {
            self.device.renew();
        } else {
            self.shown.cannot_renew.set(true);
        }
    }

    /// Speaks another language from now on: the tab is opened anew in it, once all is written.
    pub fn speak(&self, language: &str) {
        let kept = slots::write(self.device.slots(), &Key::shared("language"), &language);
        self.warn_if_not_kept(kept);
        if kept.is_ok() {
            self.renew(Written::All);
        }
    }

    /// Tries once more to keep what there was no room for.
    fn write_held(&self) {
        let held_back = self.inner.borrow().hold.is_held_back();
        if let Some(user) = self.user().filter(|_| !held_back) {
            self.write_entries(user);
        }
        self.write_texts();
    }

    pub(super) fn program_changed(&self) {
        let program = self.device.program();
        if self.shown.program.get_untracked() != program {
            self.shown.program.set(program);
        }
        self.renew_unseen();
    }

    /// Follows another tab to the build that it has taken up, where nobody is disturbed by it.
    pub(super) fn renew_unseen(&self) {
        let taken = self.shown.program.get_untracked().newer == Newer::Taken;
        let settled = SETTLED_MS <= self.device.monotonic_ms();
        if taken && settled && !self.device.is_visible() && self.is_all_written() {
            self.device.renew();
        }
    }

    /// Asks for a newer build, if that was not done lately. A hidden tab asks for nothing.
    pub(super) fn look_for_build(&self) {
        let now = self.device.monotonic_ms();
        let due = LOOK_EVERY_MS <= now.saturating_sub(self.inner.borrow().looked_for_build);
        if due && self.device.is_visible() {
            self.inner.borrow_mut().looked_for_build = now;
            self.device.look_for_build();
        }
    }

    /// Whether this tab holds nothing that would go with it.
    fn is_all_written(&self) -> bool {
        match self.device.keeping() {
            Keeping::OnDevice => self.is_all_kept() && self.shown.not_kept.get_untracked().is_none(),
            Keeping::WhileOpen => self.shown.outbox.get_untracked().is_empty() && self.unsent_texts() == 0,
        }
    }
}
