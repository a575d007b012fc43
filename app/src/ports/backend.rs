//! The port that the server implements: everything that a server function may ask for.
//!
//! Identity is an argument: each call says for whom. Nothing here knows HTTP; an [`ApiError`]
//! carries a code, and one layer of the server maps it to a status.

use async_trait::async_trait;
use domain::{
    course::Timeline,
    id::{EntryId, Seq, TaskId, UserId},
    intent::{Done, Intent},
    record::RecordList,
    snapshot::{Draft, LibraryEntry, Snapshot, Who},
    time::Timestamp,
};

use crate::api::error::ApiError;

/// Tasks, records and the library, for a learner who is known.
#[async_trait]
pub trait Backend: Send + Sync + 'static {
    /// The records on offer, as the worker last saw them.
    async fn records(&self) -> Result<RecordList, ApiError>;

    /// All tasks of `owner`, newest first, without drafts and evidence.
    async fn tasks(&self, owner: UserId) -> Result<Vec<Snapshot>, ApiError>;

    /// One task. `not_found` if it is not there or not `owner`'s: the same answer for both.
    async fn task(&self, owner: UserId, task: TaskId) -> Result<Snapshot, ApiError>;

    /// One draft of a task, with its text.
    async fn draft(&self, owner: UserId, task: TaskId, version: u32) -> Result<Draft, ApiError>;

    /// The log after `after_seq`, and how each step of the whole of it went.
    async fn events(&self, owner: UserId, task: TaskId, after_seq: Seq) -> Result<Timeline, ApiError>;

    /// Carries out a learner's intent, or returns the answer recorded for its operation ID.
    async fn command(&self, owner: UserId, intent: Intent) -> Result<Done, ApiError>;

    /// The library of `owner`, newest first.
    async fn library(&self, owner: UserId) -> Result<Vec<LibraryEntry>, ApiError>;

    /// One entry; `not_found` as with tasks.
    async fn entry(&self, owner: UserId, entry: EntryId) -> Result<LibraryEntry, ApiError>;

    /// The time that everything is judged and told by, where it can be had.
    async fn now(&self) -> Option<Timestamp>;
}

/// Accounts and the session of the request being answered.
#[async_trait]
pub trait Accounts: Send + Sync + 'static {
    /// Makes an account and signs it in.
    async fn sign_up(&self, name: String, passphrase: String) -> Result<Who, ApiError>;

    /// Signs in, or refuses without saying which of the two was wrong.
    async fn sign_in(&self, name: String, passphrase: String) -> Result<Who, ApiError>;

    /// Ends the session; fine if there is none.
    async fn sign_out(&self) -> Result<(), ApiError>;

    /// Who is signed in, if anybody.
    async fn who(&self) -> Result<Option<Who>, ApiError>;
}
