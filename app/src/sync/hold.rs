//! Wishes that only this tab holds, because the device had no room for them.
//!
//! Invariants: what was never written is no other tab's to take away; it goes with an answer, by the
//! learner's wish, or with the tab. What was written once and is gone is not written again.

use std::collections::BTreeSet;

use domain::{
    id::{OpId, UserId},
    outbox::{Entry, Outbox, Sending},
};

use super::Keeper;
use crate::outbox;

/// Held in memory.
#[derive(Default)]
pub(super) struct Hold {
    /// Entries of the outbox that were never written.
    unwritten: BTreeSet<OpId>,
    /// Of these, what was written once and was taken away together with everything else. Not written
    /// again before the server has said that the learner is still here.
    taken: BTreeSet<OpId>,
    /// Those of learners who are not here just now.
    aside: Vec<Entry>,
}

impl Hold {
    /// What is written for a learner, and what is not, with how far the latter has come.
    fn with_unwritten(&self, stored: &Outbox, held: &[Entry], user: UserId) -> Outbox {
        let own = held.iter().chain(&self.aside).filter(|e| Outbox::belongs_to(e, user));
        let own = own.filter(|e| self.unwritten.contains(&e.intent.op_id) && stored.get(e.intent.op_id).is_none());
        Outbox::restored(stored.entries().iter().chain(own).cloned().collect())
    }

    /// Every trace of a user, in `outbox` too where they are still on the screen.
    pub(super) fn forget(&mut self, user: UserId, outbox: &Outbox) {
        let aside = self.aside.extract_if(.., |e| Outbox::belongs_to(e, user));
        let here = outbox.entries().iter().filter(|e| Outbox::belongs_to(e, user)).cloned();
        for entry in aside.chain(here) {
            self.unwritten.remove(&entry.intent.op_id);
            self.taken.remove(&entry.intent.op_id);
        }
    }

    /// Whether the storage was emptied and the learner is not yet known to be still here.
    pub(super) fn is_held_back(&self) -> bool {
        !self.taken.is_empty()
    }

    /// Whether everything is on the device.
    pub(super) fn is_empty(&self) -> bool {
        self.unwritten.is_empty()
    }
}

impl Keeper {
    /// Writes an entry as it is now. One that was written before and is not there any more was answered
    /// or given up in another tab: written again, it would come back after its end.
    pub(super) fn keep_entry(&self, user: UserId, entry: &Entry) {
        let op = entry.intent.op_id;
        let (unwritten, taken) = {
            let hold = &self.inner.borrow().hold;
            (hold.unwritten.contains(&op), hold.taken.contains(&op))
        };
        if taken {
            return;
        }
        if !unwritten && !outbox::is_kept(self.device.slots(), user, op) {
            self.reload_outbox();
            return;
        }
        let kept = outbox::keep(self.device.slots(), user, entry);
        if kept.is_ok() {
            self.inner.borrow_mut().hold.unwritten.remove(&op);
        }
        self.warn_if_not_kept(kept);
    }

    /// Writes how far an entry has come, unless it reads the same either way: of one that was sent, a tab
    /// that opens knows only that it is not confirmed.
    pub(super) fn keep_marked(&self, user: UserId, entry: &Entry, before: &Sending) {
        let was_sent = |sending: &Sending| matches!(sending, Sending::Sent | Sending::Unconfirmed);
        let same = was_sent(before) && was_sent(&entry.sending);
        if !same || self.inner.borrow().hold.unwritten.contains(&entry.intent.op_id) {
            self.keep_entry(user, entry);
        }
    }

    /// Writes an entry for the first time, or notes that only this tab has it.
    pub(super) fn keep_new_entry(&self, user: UserId, entry: &Entry) {
        self.inner.borrow_mut().hold.unwritten.insert(entry.intent.op_id);
        self.keep_entry(user, entry);
    }

    /// Removes an entry that was answered or given up.
    pub(super) fn drop_entry(&self, user: UserId, op: OpId) {
        self.inner.borrow_mut().hold.unwritten.remove(&op);
        outbox::drop_entry(self.device.slots(), user, op);
    }

    /// Takes over what other tabs wrote, except of entries that are on their way from here.
    pub(super) fn reload_outbox(&self) {
        let Some(user) = self.user() else { return };
        if self.cache().last_user().is_none() {
            // The storage was emptied: what is missing there was not answered by anybody.
            return;
        }
        let stored = outbox::load(self.device.slots(), user);
        {
            let mut inner = self.inner.borrow_mut();
            let mut renewed = inner.hold.with_unwritten(&stored, inner.outbox.entries(), user);
            for entry in inner.outbox.entries().iter().filter(|e| e.sending == Sending::Sent) {
                renewed.mark(entry.intent.op_id, Sending::Sent);
            }
            inner.outbox = renewed;
        }
        self.show_outbox();
    }

    /// Puts the outbox of the one before aside and takes up that of `user`.
    pub(super) fn change_outbox(&self, user: Option<UserId>) {
        let stored = user.map(|user| outbox::load(self.device.slots(), user)).unwrap_or_default();
        let mut inner = self.inner.borrow_mut();
        let before = std::mem::take(&mut inner.outbox);
        let unwritten = before.entries().iter().filter(|e| inner.hold.unwritten.contains(&e.intent.op_id));
        let unwritten: Vec<Entry> = unwritten.cloned().collect();
        inner.hold.aside.extend(unwritten);
        if let Some(user) = user {
            inner.outbox = inner.hold.with_unwritten(&stored, &[], user);
            inner.hold.aside.retain(|e| !Outbox::belongs_to(e, user));
        }
    }

    /// The storage was emptied while the tab lives: what waits is this tab's alone now.
    pub(super) fn hold_all_entries(&self) {
        let inner = &mut *self.inner.borrow_mut();
        inner.hold.taken.extend(inner.outbox.entries().iter().map(|e| e.intent.op_id));
        inner.hold.unwritten.extend(&inner.hold.taken);
    }

    /// Writes what only this tab holds, as far as there is room.
    pub(super) fn write_entries(&self, user: UserId) {
        let held: Vec<Entry> = {
            let inner = &mut *self.inner.borrow_mut();
            inner.hold.taken.clear();
            let unwritten = |e: &&Entry| inner.hold.unwritten.contains(&e.intent.op_id);
            inner.outbox.entries().iter().filter(unwritten).cloned().collect()
        };
        for entry in &held {
            self.keep_entry(user, entry);
        }
        if !held.is_empty() {
            self.show_outbox();
        }
    }

    pub(super) fn show_outbox(&self) {
        let (entries, held) = {
            let inner = self.inner.borrow();
            (inner.outbox.entries().to_vec(), inner.hold.unwritten.clone())
        };
        self.shown.held.set(held);
        self.shown.outbox.set(entries);
    }
}
