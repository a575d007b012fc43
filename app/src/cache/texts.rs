//! Texts that were typed and not sent.
//!
//! Invariant: each tab writes into a place of its own, and takes away what another one wrote only when
//! that is still what it was. So two tabs never write over each other's text.

use std::{collections::BTreeSet, fmt};

use domain::{
    id::{TaskId, UserId},
    text::{Hash, is_blank},
};
use serde::{Deserialize, Serialize};

use super::Cache;
use crate::{
    ports::device::SlotError,
    slots::{self, Key},
};

/// What a text is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The question of a task that was not started yet.
    Start,
    /// A draft of a task.
    Draft(TaskId),
    /// What was found out about a task whose outcome is uncertain.
    Note(TaskId),
}

impl Place {
    /// Whether what is typed here belongs to a task.
    pub fn is_of(self, task: TaskId) -> bool {
        matches!(self, Self::Draft(of) | Self::Note(of) if of == task)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("start"),
            Self::Draft(task) => task.fmt(f),
            Self::Note(task) => write!(f, "note-{task}"),
        }
    }
}

/// A text, and what was chosen or before the learner's eyes when it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsent {
    #[serde(alias = "question")]
    pub text: String,
    /// The newest version that the server was known to have when it was begun.
    #[serde(default)]
    pub base_version: u32,
    /// The text that it was typed over: a version, or an edit that waited to become one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Hash>,
    /// The record that was chosen for a question.
    #[serde(default)]
    pub record_id: String,
    /// Grows with every input in any tab: the newest text has the highest.
    #[serde(default)]
    pub count: u64,
}

impl Unsent {
    pub fn over(base_version: u32, text: impl Into<String>) -> Self {
        Self { text: text.into(), base_version, ..Self::default() }
    }

    pub fn question(record_id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { text: text.into(), record_id: record_id.into(), ..Self::default() }
    }

    /// Whether both say the same, whenever it was typed.
    pub fn says(&self, other: &Self) -> bool {
        self.text == other.text && self.record_id == other.record_id
    }

    pub fn is_blank(&self) -> bool {
        is_blank(&self.text)
    }
}

/// A text and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub key: Key,
    pub unsent: Unsent,
}

impl Cache<'_> {
    /// The texts for a place, of all tabs, the newest last.
    pub fn texts(self, user: UserId, place: Place) -> Vec<Found> {
        let keys = slots::keys(self.0, user, &format!("text.{place}"));
        let mut texts: Vec<Found> = Vec::new();
        for key in keys {
            // Put where it belongs at once: sorting a handful afterwards is more to download.
            let Some(unsent) = slots::read::<Unsent>(self.0, &key) else { continue };
            let at = texts.partition_point(|found| found.unsent.count <= unsent.count);
            texts.insert(at, Found { key, unsent });
        }
        texts
    }

    /// Writes the text of one tab.
    pub fn keep_text(self, user: UserId, place: Place, tab: &str, unsent: &Unsent) -> Result<(), SlotError> {
        slots::write(self.0, &text_key(user, place, tab), unsent)
    }

    /// Takes away the text of one tab.
    pub fn drop_text(self, user: UserId, place: Place, tab: &str) {
        slots::remove(self.0, &text_key(user, place, tab));
    }

    /// Takes away a text if it is still what it was when it was found.
    pub fn drop_found(self, found: &Found) {
        if slots::read::<Unsent>(self.0, &found.key).as_ref() == Some(&found.unsent) {
            slots::remove(self.0, &found.key);
        }
    }

    /// How many different texts were typed and not sent. A record that was chosen is not yet a text; one
    /// that this build cannot read is one. Questions that wait to be asked (`asked`) stay in their field
    /// until they have been, and are no texts. What lies under the keys in `held` is an older state of a text
    /// that is in memory.
    pub fn unsent_texts(self, user: UserId, asked: &[Unsent], held: &[Key]) -> usize {
        let keys = slots::keys(self.0, user, "text.");
        let texts = keys.into_iter().filter(|key| !held.contains(key)).filter_map(|key| {
            let place = place_of(user, &key)?.to_owned();
            let unsent = slots::read::<Unsent>(self.0, &key)?;
            let counts = place != "start" || !unsent.is_blank() && !asked.iter().any(|asked| asked.says(&unsent));
            counts.then_some((place, unsent.record_id, unsent.text))
        });
        let readable = texts.collect::<BTreeSet<_>>().len();
        readable + slots::aside(self.0, user, "text.").len()
    }

    /// A text whose place is taken gets one of its own, and is offered beside the other.
    pub(super) fn restore_texts(self, user: UserId) {
        for (n, (key, unsent)) in slots::restore::<Unsent>(self.0, user, "text.").into_iter().enumerate() {
            let Some(place) = place_of(user, &key) else { continue };
            let beside = Key::of(user, format_args!("text.{place}.back-{n}"));
            let free = !slots::is_there(self.0, &beside);
            if free && slots::write(self.0, &beside, &unsent).is_ok() {
                slots::remove(self.0, &key);
            }
        }
    }
}

/// What a text's key says it is meant for: a task, or `start`.
fn place_of(user: UserId, key: &Key) -> Option<&str> {
    let rest = key.as_str().strip_prefix(&Key::all_of(user))?.strip_prefix("text.")?;
    rest.split('.').next()
}

pub fn text_key(user: UserId, place: Place, tab: &str) -> Key {
    Key::of(user, format_args!("text.{place}.{tab}"))
}
