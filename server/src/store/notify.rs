//! Hints to other processes. Nothing depends on one: polling finds everything without them.

use domain::id::{Seq, TaskId};
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgListener;
use uuid::Uuid;

use super::{Store, StoreError, presence::LOCK_CLASS};

/// The channel of the hints.
pub const NOTIFY_CHANNEL: &str = "mooring_task";

/// One process of this application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessId {
    pub id: Uuid,
    /// For people who read the log: host and number.
    pub name: String,
}

/// Tasks that have changed, and how far.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Hint {
    from: Uuid,
    tasks: Vec<(TaskId, Seq)>,
}

/// Hears what other processes changed, and shows them that this one lives: its connection holds
/// the process's session lock.
#[derive(Debug)]
pub struct Listener {
    inner: PgListener,
    own: Uuid,
}

impl Listener {
    /// Connects to `url`, which must not lead through a transaction pooler, and takes the lock `key`.
    pub async fn connect(url: &str, own: &ProcessId, key: i32) -> Result<Self, StoreError> {
        let mut inner = PgListener::connect(url).await?;
        inner.ignore_pool_close_event(true);
        // Shared: an earlier connection of this process that lingers keeps nobody waiting.
        sqlx::query("select pg_advisory_lock_shared($1, $2)").bind(LOCK_CLASS).bind(key).execute(&mut inner).await?;
        inner.listen(NOTIFY_CHANNEL).await?;
        Ok(Self { inner, own: own.id })
    }

    /// The next tasks that another process changed; an error when the connection is gone.
    pub async fn next(&mut self) -> Result<Vec<(TaskId, Seq)>, StoreError> {
        loop {
            let Some(heard) = self.inner.try_recv().await? else {
                return Err(StoreError::Database(sqlx::Error::PoolClosed));
            };
            match serde_json::from_str::<Hint>(heard.payload()) {
                Ok(hint) if hint.from != self.own => return Ok(hint.tasks),
                _ => {}
            }
        }
    }
}

impl Store {
    /// Tells other processes, in a transaction of its own: in the state's it would put all
    /// commits into one queue.
    pub async fn notify(&self, own: &ProcessId, tasks: &[(TaskId, Seq)]) -> Result<(), StoreError> {
        // A payload holds 8,000 bytes; a pair takes about 60.
        for some in tasks.chunks(100) {
            let hint = Hint { from: own.id, tasks: some.to_vec() };
            let payload = serde_json::to_string(&hint).map_err(|e| StoreError::Unreadable(e.to_string()))?;
            sqlx::query("select pg_notify($1, $2)").bind(NOTIFY_CHANNEL).bind(payload).execute(self.db()).await?;
        }
        Ok(())
    }
}
