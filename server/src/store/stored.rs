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
    pub state: String,
    pub seq: Seq,
    pub data: Value,
}

impl Stored {
    /// The payload, for a kind that knows it and these states. What a newer build has written is left
    /// to it.
    pub fn known(self, kind: Kind, states: impl IntoIterator<Item = &'static str>) -> Result<Value, StoreError> {
        let is_known = self.kind == kind.as_str() && u32::try_from(self.schema) == Ok(SCHEMA);
        if is_known && states.into_iter().any(|state| state == self.state) {
            Ok(self.data)
        } else {
            Err(StoreError::Newer)
        }
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
