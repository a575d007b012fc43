//! Who remembers: the only door to the database.
//!
//! Invariants: a task's row, its log and its ledger change in one statement, so in one commit;
//! every statement's `where` repeats the precondition that the rules decided on; all time comes
//! from the database's clock.

mod boundary; // lab only: what was reached how often
mod change; // a task's row, log and ledger in one commit
mod claim; // the right to work, taken and kept
mod effect; // what a holder writes besides transitions
mod explanation; // how the first kind of task is remembered
mod health; // how the work stands, in numbers
mod ledger; // operations: recorded answers and effects
mod notify; // hints to other processes
mod presence; // which processes are there, and which have died
mod records; // the list of records, as last seen
mod stored; // a payload as it lies there, unread

use crate::database::Database;

pub use change::Hold;
pub use claim::{Claim, Claimed, Known, Taken};
pub use explanation::{AtTheDoor, BeforeStart, Head, Loaded, NewTask, Started, Transition};
pub use health::Vitals;
pub use ledger::{Recorded, Written};
pub use notify::{Listener, NOTIFY_CHANNEL, ProcessId};
pub use presence::Neighbourhood;
pub use stored::Stored;

/// The store: one way to the database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    db: Database,
}

impl Store {
    pub fn new(db: Database) -> Self {
        Self { db }
    }

    fn db(&self) -> &Database {
        &self.db
    }

    /// The database's clock.
    pub async fn now(&self) -> Result<domain::time::Timestamp, StoreError> {
        let at: time::OffsetDateTime = sqlx::query_scalar("select mooring_now()").fetch_one(&self.db).await?;
        Ok(domain::time::Timestamp::new(at))
    }
}

/// Why the store did not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database did not answer as expected")]
    Database(#[from] sqlx::Error),
    /// Another attempt holds the task now. Nothing was changed.
    #[error("the lease on the task is lost")]
    LostLease,
    /// The task has moved since it was read. Nothing was changed; read it again.
    #[error("the task has moved")]
    Moved,
    /// The operation ID was recorded meanwhile. Nothing was changed; read its answer.
    #[error("the operation is recorded already")]
    Recorded,
    /// A kind, schema or state that this build does not know. Nothing was changed: it is left to
    /// the build that wrote it.
    #[error("the task was written by a newer build")]
    Newer,
    #[error("stored data cannot be read: {0}")]
    Unreadable(String),
}

impl StoreError {
    /// A payload that does not read. The reader names the value that it met, and that may be a
    /// learner's words: only what it expected is kept.
    fn of_reading(error: &serde_json::Error) -> Self {
        let words = error.to_string();
        Self::Unreadable(match words.rsplit_once(", expected ") {
            Some((_, expected)) => format!("something else stands where {expected} is expected"),
            None if words.starts_with("missing field") => words,
            None => "a value is not as expected".to_owned(),
        })
    }

    /// A plain insert that met a row with the same key.
    fn of_insert(error: sqlx::Error) -> Self {
        match error.as_database_error().and_then(sqlx::error::DatabaseError::constraint) {
            Some("operation_pk") => Self::Recorded,
            _ => Self::Database(error),
        }
    }
}
