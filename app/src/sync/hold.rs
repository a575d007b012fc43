//! What only this tab holds: wishes and texts that the device had no room for, and long texts that
//! are about to be written.
//!
//! Invariant: what was never written is no other tab's to take away; it goes with an answer, by the
//! learner's wish, or with the tab.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    id::{OpId, TaskId, UserId},
    outbox::{Entry, Outbox, Sending},
    text::DraftText,
};
use leptos::prelude::{GetUntracked, Set};

use super::Keeper;
use crate::{cache::Unsent, outbox};

/// Writing a text longer than can be sent, at every input, would make a phone stutter.
const AT_ONCE: usize = DraftText::LIMIT;
/// So long after an input it is written.
const LATER_MS: u64 = 250;

/// Held in memory.
#[derive(Default)]
pub(super) struct Hold {
    /// Entries of the outbox that were never written.
    unwritten: BTreeSet<OpId>,
    /// Those of learners who are not here just now.
    aside: Vec<Entry>,
    texts: BTreeMap<(UserId, TaskId), Unsent>,
    /// Whether a write of the texts is planned.
    planned: bool,
}

impl Hold {
    /// What is written for a learner, and what is not, with how far the latter has come.
    fn with_unwritten(&self, stored: &Outbox, held: &[Entry], user: UserId) -> Outbox {
        let own = held.iter().chain(&self.aside).filter(|e| Outbox::belongs_to(e, user));
        let own = own.filter(|e| self.unwritten.contains(&e.intent.op_id) && stored.get(e.intent.op_id).is_none());
        Outbox::restored(stored.entries().iter().chain(own).cloned().collect())
    }

    /// Nothing is here that is not on the device.
    pub(super) fn is_empty(&self) -> bool {
        self.unwritten.is_empty() && self.texts.is_empty()
    }

    /// Every trace of a user.
    pub(super) fn forget(&mut self, user: UserId) {
        for entry in self.aside.extract_if(.., |e| Outbox::belongs_to(e, user)) {
            self.unwritten.remove(&entry.intent.op_id);
        }
        self.texts.retain(|(of, _), _| *of != user);
    }
}

impl Keeper {
    /// Writes an entry as it is now.
    pub(super) fn keep_entry(&self, user: UserId, entry: &Entry) {
        let kept = outbox::keep(self.device.slots(), user, entry);
        if kept.is_ok() {
            self.inner.borrow_mut().hold.unwritten.remove(&entry.intent.op_id);
        }
        self.warn_if_not_kept(kept);
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

    /// The text that was typed over a draft and not sent.
    pub fn unsent(&self, task: TaskId) -> Option<Unsent> {
        let user = self.user()?;
        let held = self.inner.borrow().hold.texts.get(&(user, task)).cloned();
        held.or_else(|| self.cache().text(user, task))
    }

    /// How many texts were typed and not sent.
    pub fn unsent_texts(&self) -> usize {
        let Some(user) = self.user() else { return 0 };
        self.write_texts();
        let inner = self.inner.borrow();
        let held = inner.hold.texts.keys().filter(|(of, task)| *of == user && self.cache().text(user, *task).is_none());
        held.count() + self.cache().unsent_texts(user)
    }

    /// Keeps what is typed over a draft, at every input; a very long one a moment later. None when
    /// there is nothing to keep.
    pub fn keep_unsent(&self, task: TaskId, unsent: Option<&Unsent>) {
        let Some(user) = self.user() else { return };
        if self.shown.watched.get_untracked() == Some(task) {
            self.shown.unsent.set(unsent.is_some());
        }
        let Some(unsent) = unsent else {
            self.inner.borrow_mut().hold.texts.remove(&(user, task));
            self.cache().drop_text(user, task);
            return;
        };
        self.inner.borrow_mut().hold.texts.insert((user, task), unsent.clone());
        if unsent.text.len() <= AT_ONCE {
            self.write_texts();
        } else if !std::mem::replace(&mut self.inner.borrow_mut().hold.planned, true) {
            let pause = self.device.sleep(LATER_MS);
            self.spawn(async move |keeper| {
                pause.await;
                keeper.write_texts();
            });
        }
    }

    /// Writes the texts that are held; those that there is no room for stay held.
    pub(super) fn write_texts(&self) {
        let texts = {
            let hold = &mut self.inner.borrow_mut().hold;
            hold.planned = false;
            std::mem::take(&mut hold.texts)
        };
        for ((user, task), unsent) in texts {
            let kept = self.cache().keep_text(user, task, &unsent);
            if kept.is_err() {
                self.inner.borrow_mut().hold.texts.insert((user, task), unsent);
            }
            self.warn_if_not_kept(kept);
        }
    }

    pub(super) fn show_outbox(&self) {
        self.shown.outbox.set(self.inner.borrow().outbox.entries().to_vec());
    }
}
