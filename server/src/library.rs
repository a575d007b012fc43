//! Where accepted versions go: a boundary of its own, in its own transaction, possibly in another
//! database.
//!
//! Invariant: save and withdraw race on one key (task, operation) and the first commit wins, so
//! that a worker thawed after an hour cannot save what was cancelled.

pub mod postgres; // the library in a schema of its own

use async_trait::async_trait;
use domain::{
    id::{EntryId, OpId, TaskId, UserId},
    snapshot::LibraryEntry,
};

/// The learner's library.
#[async_trait]
pub trait Library: Send + Sync + 'static {
    /// Saves once. Asking again with the same operation gives the entry that is there.
    async fn save(&self, save: &Save) -> Result<Saved, LibraryError>;

    /// Looks an operation up.
    async fn find(&self, task: TaskId, op: OpId) -> Result<Found, LibraryError>;

    /// Makes sure that the operation never saves, unless it has.
    async fn withdraw(&self, task: TaskId, op: OpId) -> Result<Found, LibraryError>;

    /// All entries of `owner`, newest first.
    async fn list(&self, owner: UserId) -> Result<Vec<LibraryEntry>, LibraryError>;

    /// One entry of `owner`.
    async fn read(&self, owner: UserId, entry: EntryId) -> Result<Option<LibraryEntry>, LibraryError>;
}

/// What to save, for whom, under which operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    pub task_id: TaskId,
    pub op_id: OpId,
    pub owner: UserId,
    pub draft_version: u32,
    pub hash: domain::text::Hash,
    pub title: String,
    pub text: String,
}

/// How a save ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved {
    /// The entry, new or found.
    Entry(LibraryEntry),
    /// The operation had been withdrawn first.
    Withdrawn,
    /// The library holds another entry for this task: one task, one entry.
    OtherEntry(LibraryEntry),
}

/// What the library knows of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    Entry(LibraryEntry),
    Withdrawn,
    Nothing,
}

/// The library could not be asked, or its answer is not known.
#[derive(Debug, thiserror::Error)]
#[error("the library did not answer: {0}")]
pub struct LibraryError(#[from] pub sqlx::Error);
