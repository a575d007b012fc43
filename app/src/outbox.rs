//! The outbox on this device: wishes that the server has not answered, one key each.
//!
//! Invariant: an entry is written before it is sent, and removed only by an answer or by the
//! learner. Those that build on an answered one are written before it is removed, so that a tab
//! that dies in between repeats a harmless send and loses nothing.

use domain::{
    id::{OpId, UserId},
    outbox::{Entry, Outbox},
};

use crate::{
    ports::device::{SlotError, Slots},
    slots::{self, Key},
};

/// What waits on this device for `user`.
pub fn load(slots: &dyn Slots, user: UserId) -> Outbox {
    let entries: Vec<Entry> = slots::read_all(slots, user, "outbox.");
    Outbox::restored(entries.into_iter().filter(|e| Outbox::belongs_to(e, user)).collect())
}

/// Takes up again what another build had moved aside and this one can read.
pub fn restore(slots: &dyn Slots, user: UserId) {
    slots::restore::<Entry>(slots, user, "outbox.");
}

/// Writes one entry as it is now.
pub fn keep(slots: &dyn Slots, user: UserId, entry: &Entry) -> Result<(), SlotError> {
    slots::write(slots, &key(user, entry.intent.op_id), entry)
}

/// Whether one is written. What cannot be looked at may be.
pub fn is_kept(slots: &dyn Slots, user: UserId, op: OpId) -> bool {
    slots.get(key(user, op).as_str()).map_or(true, |there| there.is_some())
}

/// Removes one that was answered or given up.
pub fn drop_entry(slots: &dyn Slots, user: UserId, op: OpId) {
    slots::remove(slots, &key(user, op));
}

fn key(user: UserId, op: OpId) -> Key {
    Key::of(user, format_args!("outbox.{op}"))
}
