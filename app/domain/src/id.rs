//! Names for things. Each is a type of its own, so that one cannot stand where another belongs.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{fault::Fault, text::Hash};

/// The place of an event in a task's log; the first event has 1.
pub type Seq = u64;

macro_rules! uuid_name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(raw: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(raw).map(Self)
            }
        }
    };
}

uuid_name!(
    /// A person with an account.
    UserId
);
uuid_name!(
    /// A task. Made on the device, so that a repeated start names the same task.
    TaskId
);
uuid_name!(
    /// An operation: a learner's is made on the device, an effect's by [`OpId::of_effect`].
    OpId
);
uuid_name!(
    /// An entry in a learner's library.
    EntryId
);

impl OpId {
    /// The operation ID of an effect. It depends only on what opened the step, so that neither a
    /// crash nor another try changes it (RFC 9562, UUID version 5).
    pub fn of_effect(task: TaskId, step: &str, opened_by: Seq) -> Self {
        Self(Uuid::new_v5(&task.0, format!("{step}/{opened_by}").as_bytes()))
    }
}

/// The name of a record at its source: a short slug such as `wheel-throwing`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecordId(String);

impl RecordId {
    /// At most this many bytes.
    pub const LIMIT: usize = 200;

    /// Letters, digits and `. _ : / @ -`: enough for other people's sources, too little for mischief.
    pub fn parse(raw: &str) -> Result<Self, Fault> {
        let fits = |c: char| c.is_ascii_alphanumeric() || "._:/@-".contains(c);
        if raw.is_empty() {
            Err(Fault::empty("record_id"))
        } else if raw.len() > Self::LIMIT {
            Err(Fault::too_long("record_id", Self::LIMIT))
        } else if !raw.chars().all(fits) {
            Err(Fault::bad_characters("record_id"))
        } else {
            Ok(Self(raw.to_owned()))
        }
    }

    /// A name that was parsed before it was stored.
    pub fn stored(slug: String) -> Self {
        Self(slug)
    }

    /// The slug itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A version as the source names it; only ever compared for equality.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceVersion(pub String);

/// Between a source's version and the mark of its content.
const MARK: char = '+';
const MARK_LENGTH: usize = 8;

impl SourceVersion {
    /// Bytes of UTF-8.
    pub const LIMIT: usize = 200;

    /// The same version with a mark of the content that stands under it: the beginning of its hash.
    #[must_use]
    pub fn marked(&self, content: &Hash) -> Self {
        Self(format!("{self}{MARK}{}", content.as_str().get(..MARK_LENGTH).unwrap_or_default()))
    }

    /// The version as the source names it, and whether it bears a mark.
    pub fn named(&self) -> (&str, bool) {
        let is_mark = |mark: &str| mark.len() == MARK_LENGTH && mark.bytes().all(|b| b.is_ascii_hexdigit());
        match self.0.rsplit_once(MARK) {
            Some((name, mark)) if is_mark(mark) => (name, true),
            _ => (&self.0, false),
        }
    }

    /// Refuses what no source's version can be.
    pub fn check(&self) -> Result<(), Fault> {
        if Self::LIMIT < self.0.len() {
            Err(Fault::too_long("seen_source_version", Self::LIMIT))
        } else if self.0.contains(char::is_control) {
            Err(Fault::bad_characters("seen_source_version"))
        } else {
            Ok(())
        }
    }
}

impl fmt::Display for SourceVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
