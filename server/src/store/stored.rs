//! A task's payload as it lies there, before its kind has read it.

use domain::{
    id::Seq,
    lease::Attempt,
    task::{Kind, SCHEMA},
};
use serde_json::Value;

use super::StoreError;

/// What a kind's own code wrote, with what says whether this build can read it.
#[derive(Clone, Debug)]
pub struct Stored {
    pub kind: String,
    pub schema: i32,
    pub seq: Seq,
    pub data: Value,
}

impl Stored {
    /// Written by a build that this one knows. What a newer one has written is left to it.
    pub fn is_known(&self, kind: Kind) -> bool {
        self.kind == kind.as_str() && u32::try_from(self.schema) == Ok(SCHEMA)
    }

    /// The payload, for a kind that knows it.
    pub fn known(self, kind: Kind) -> Result<Value, StoreError> {
        if self.is_known(kind) { Ok(self.data) } else { Err(StoreError::Newer) }
    }
}

/// Sequence numbers are counted from 1 and stored signed, since Postgres has no other kind.
pub(super) fn seq(stored: i64) -> Seq {
    Seq::try_from(stored).unwrap_or_default()
}

pub(super) fn signed(seq: Seq) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

pub(super) fn attempt(stored: i32) -> Attempt {
    Attempt::try_from(stored).unwrap_or_default()
}

pub(super) fn fence(attempt: Attempt) -> i32 {
    i32::try_from(attempt).unwrap_or(i32::MAX)
}

pub(super) fn schema() -> i32 {
    i32::try_from(SCHEMA).unwrap_or_default()
}
