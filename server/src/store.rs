//! Who remembers: the only door to the database.
//!
//! Invariants: a task's row, its log and its ledger change in one statement, so in one commit;
//! every statement's `where` repeats the precondition that the rules decided on; all time comes
//! from the database's clock.

mod boundary; // lab only: what was reached how often
mod claim; // the right to work, taken and kept
mod connect; // pools, and bringing the schema up
mod effect; // what a holder writes besides transitions
mod head; // one task's row, as the rules see it
mod ledger; // operations: recorded answers and effects
mod notify; // hints to other processes
mod records; // the list of records, as last seen
mod snapshot; // the picture that learners get
mod start; // the first row of a task
mod texts; // what explanations gather, read back
mod timeline; // the log, read back
mod transition; // from one state to the next

use sqlx::PgPool;

pub use claim::{Claim, Claimed};
pub use connect::{OpenError, Options, migrate, pool};
pub use head::{Head, Loaded, Plan};
pub use ledger::{Recorded, Written};
pub use notify::{Listener, NOTIFY_CHANNEL, ProcessId};
pub use sqlx::{Error as SqlError, PgPool as Pool};
pub use start::{NewTask, Started};
pub use transition::{Hold, Transition};

/// The store: one pool. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    pool: PgPool,
}

impl Store {
    pub fn new(pool: PgPool) -> Self {
        Self { pool }
    }

    /// For rooms that bring their own tables: accounts and sessions.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// The database's clock.
    pub async fn now(&self) -> Result<domain::time::Timestamp, StoreError> {
        let at: time::OffsetDateTime = sqlx::query_scalar("select mooring_now()").fetch_one(&self.pool).await?;
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
    #[error("stored data cannot be read: {0}")]
    Unreadable(String),
}

impl StoreError {
    /// A plain insert that met a row with the same key.
    fn of_insert(error: sqlx::Error) -> Self {
        match error.as_database_error().and_then(sqlx::error::DatabaseError::constraint) {
            Some("operation_pk") => Self::Recorded,
            _ => Self::Database(error),
        }
    }
}
