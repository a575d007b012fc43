//! The one place for storage keys: one key per thing, with schema version and user in front.
//!
//! Invariant: what cannot be read is moved aside under a key of its own, never overwritten. A
//! newer build may be able to read it, and a person can.

pub mod contract; // what every implementation of `Slots` must keep

use std::fmt;

use domain::id::UserId;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    json,
    ports::device::{SlotError, Slots},
};

const VERSIONED: &str = "mooring.v1.";
const ASIDE: &str = ".aside";

/// A place for one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Something that does not depend on who is signed in.
    pub fn shared(thing: &str) -> Self {
        Self(format!("{VERSIONED}{thing}"))
    }

    /// Something of one user.
    pub fn of(user: UserId, thing: impl fmt::Display) -> Self {
        Self(format!("{}{thing}", Self::all_of(user)))
    }

    /// What all keys of a user begin with.
    pub fn all_of(user: UserId) -> String {
        format!("{VERSIONED}{user}.")
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether another tab's change of this key should be looked at: who is here, and what waits.
pub fn concerns_all_tabs(key: &str) -> bool {
    key.strip_prefix(VERSIONED).is_some_and(|thing| thing == "who" || thing == "leaving" || thing.contains(".outbox."))
}

/// Reads a value; one that cannot be read is moved aside and counts as absent.
pub fn read<T: DeserializeOwned>(slots: &dyn Slots, key: &Key) -> Option<T> {
    let raw = slots.get(&key.0).ok().flatten()?;
    let value = json::read(&raw).ok();
    if value.is_none() {
        move_aside(slots, &key.0, &raw);
    }
    value
}

/// Writes a value, or says why it is not kept.
pub fn write<T: Serialize>(slots: &dyn Slots, key: &Key, value: &T) -> Result<(), SlotError> {
    let raw = serde_json::to_string(value).map_err(|_| SlotError::Blocked)?;
    slots.set(&key.0, &raw)
}

pub fn remove(slots: &dyn Slots, key: &Key) {
    // A value that cannot be removed is out of reach anyway.
    let _ = slots.remove(&key.0);
}

/// Reads everything of a user whose key goes on with `thing`.
pub fn read_all<T: DeserializeOwned>(slots: &dyn Slots, user: UserId, thing: &str) -> Vec<T> {
    keys(slots, user, thing).into_iter().filter_map(|key| read(slots, &key)).collect()
}

/// The keys of a user that go on with `thing`, in their order; what was moved aside left out.
pub fn keys(slots: &dyn Slots, user: UserId, thing: &str) -> Vec<Key> {
    let mut keys = slots.keys(&Key::of(user, thing).0).unwrap_or_default();
    keys.retain(|key| !key.contains(ASIDE));
    keys.sort();
    keys.into_iter().map(Key).collect()
}

/// Removes every trace of a user.
pub fn forget(slots: &dyn Slots, user: UserId) {
    for key in slots.keys(&Key::all_of(user)).unwrap_or_default() {
        let _ = slots.remove(&key);
    }
}

fn move_aside(slots: &dyn Slots, key: &str, raw: &str) {
    let taken = |aside: &str| slots.get(aside).ok().flatten().is_some_and(|there| there != raw);
    let mut aside = format!("{key}{ASIDE}");
    for n in 2..100 {
        if !taken(&aside) {
            break;
        }
        aside = format!("{key}{ASIDE}.{n}");
    }
    if slots.set(&aside, raw).is_ok() {
        let _ = slots.remove(key);
    } else if slots.remove(key).is_ok() && slots.set(&aside, raw).is_err() {
        // No room for two copies, and none for the longer name: back to where it was.
        let _ = slots.set(key, raw);
    }
}
