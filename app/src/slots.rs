//! The one place for storage keys: one key per thing, with schema version and user in front.
//!
//! Invariants: what cannot be read is moved aside under a key of its own, never overwritten: a newer
//! build may be able to read it, and a person can. A build that adds to a value what an older one must
//! not drop raises the value's `schema`: then the older one does not take it for its own.

pub mod contract; // what every implementation of `Slots` must keep

use std::fmt;

use domain::{id::UserId, task::SCHEMA};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

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

/// What another tab's change of a key may be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    /// Who is here, or what waits.
    Everything,
    /// A text that is being typed.
    Text,
}

/// Whether another tab's change of this key should be looked at.
pub fn concern(key: &str) -> Option<Concern> {
    let thing = key.strip_prefix(VERSIONED).filter(|thing| !thing.contains(ASIDE))?;
    if thing == "who" || thing == "leaving" || thing.contains(".outbox.") {
        Some(Concern::Everything)
    } else {
        thing.contains(".text.").then_some(Concern::Text)
    }
}

/// Reads a value; one that cannot be read is moved aside and counts as absent.
pub fn read<T: DeserializeOwned>(slots: &dyn Slots, key: &Key) -> Option<T> {
    let raw = slots.get(&key.0).ok().flatten()?;
    let value = understood(&raw);
    if value.is_none() {
        move_aside(slots, &key.0, &raw);
    }
    value
}

/// What a value that says nothing about its form is written in.
const fn first_schema() -> u32 {
    SCHEMA
}

#[derive(Deserialize)]
struct Form {
    #[serde(default = "first_schema")]
    schema: u32,
}

/// A value in a form that this build knows.
fn understood<T: DeserializeOwned>(raw: &str) -> Option<T> {
    let newer = json::read::<Form>(raw).is_ok_and(|form| form.schema != SCHEMA);
    if newer { None } else { json::read(raw).ok() }
}

/// Whether anything lies under a key, readable or not.
pub fn is_there(slots: &dyn Slots, key: &Key) -> bool {
    slots.get(&key.0).ok().flatten().is_some()
}

/// Puts back what was moved aside and can be read by now, where its place is free. What is readable and
/// finds its place taken is handed over with the key that it lies under.
pub fn restore<T: DeserializeOwned>(slots: &dyn Slots, user: UserId, thing: &str) -> Vec<(Key, T)> {
    let mut taken = Vec::new();
    for aside in aside(slots, user, thing) {
        let Some(raw) = slots.get(&aside.0).ok().flatten() else { continue };
        let (Some(value), Some((place, _))) = (understood(&raw), aside.0.split_once(ASIDE)) else { continue };
        if slots.get(place).is_ok_and(|there| there.is_none()) {
            put_back(slots, &aside.0, place, &raw);
        } else {
            taken.push((aside, value));
        }
    }
    taken
}

/// Moves a value without ever having none of it. Where there is no room for two copies it stays.
fn put_back(slots: &dyn Slots, from: &str, to: &str, raw: &str) {
    if slots.set(to, raw).is_ok() {
        let _ = slots.remove(from);
    }
}

/// The keys of what was moved aside, of a user, that go on with `thing`.
pub fn aside(slots: &dyn Slots, user: UserId, thing: &str) -> Vec<Key> {
    let mut keys = slots.keys(&Key::of(user, thing).0).unwrap_or_default();
    keys.retain(|key| key.contains(ASIDE));
    keys.sort();
    keys.into_iter().map(Key).collect()
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
