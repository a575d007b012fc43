//! Hints to other processes. Nothing depends on one: polling finds everything without them.

use std::time::Duration;

use domain::id::{Seq, TaskId};
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgListener;
use uuid::Uuid;

use super::{Store, StoreError};

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

/// Hears what other processes changed.
#[derive(Debug)]
pub struct Listener {
    inner: PgListener,
    own: Uuid,
}

impl Listener {
    /// Connects to `url`, which must not lead through a transaction pooler.
    pub async fn connect(url: &str, own: &ProcessId) -> Result<Self, StoreError> {
        let mut inner = PgListener::connect(url).await?;
        inner.ignore_pool_close_event(true);
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
            sqlx::query("select pg_notify($1, $2)").bind(NOTIFY_CHANNEL).bind(payload).execute(self.pool()).await?;
        }
        Ok(())
    }

    /// Says that this process is there and asks whether there are others.
    pub async fn sign_in_process(&self, own: &ProcessId, works: bool, silence: Duration) -> Result<bool, StoreError> {
        Ok(sqlx::query_scalar(
            "with me as (
                insert into process (process_id, name, works, started_at, seen_at)
                values ($1, $2, $3, mooring_now(), mooring_now())
                on conflict (process_id) do update set seen_at = excluded.seen_at
             ), gone as (
                delete from process where seen_at < mooring_now() - $4 * 10
             )
             select exists (select from process where process_id <> $1 and mooring_now() - $4 < seen_at)",
        )
        .bind(own.id)
        .bind(&own.name)
        .bind(works)
        .bind(silence)
        .fetch_one(self.pool())
        .await?)
    }

    /// Says goodbye.
    pub async fn sign_out_process(&self, own: &ProcessId) -> Result<(), StoreError> {
        sqlx::query("delete from process where process_id = $1").bind(own.id).execute(self.pool()).await?;
        Ok(())
    }
}
