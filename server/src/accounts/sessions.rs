//! Where sessions are kept: a table of our own behind the session library's port.
//!
//! Invariant: a session is opened once, holds who signed in and nothing else, and can only get
//! older or end. A slow request that still holds one cannot bring it back after a sign-out (the
//! library's own store would write the row again). Time is the database's.

use async_trait::async_trait;
use domain::{id::UserId, snapshot::Who, text::Hash};
use time::Duration;
use tokio_util::sync::CancellationToken;
use tower_sessions::{
    SessionStore,
    session::{Id, Record},
    session_store::{Error, Result},
};
use uuid::Uuid;

use crate::database::Database;

/// What a session holds: who is signed in.
pub(super) const WHO: &str = "who";
/// Given to a reader when the session has not been slid for a day; never stored.
pub(super) const DUE: &str = "due";

/// From the last day on which it was used.
pub const LIFE: Duration = Duration::days(LIFE_DAYS as i64);
const LIFE_DAYS: i32 = 30;

/// Sessions in Postgres.
#[derive(Clone, Debug)]
pub struct PgSessions {
    db: Database,
}

impl PgSessions {
    pub fn new(db: Database) -> Self {
        Self { db }
    }

    /// Deletes ended sessions about once an hour until `stop`. Several processes may do so; none must.
    pub async fn keep_swept(self, stop: CancellationToken) {
        loop {
            // Not all processes in one instant, though they were started in one.
            let pause = std::time::Duration::from_mins(rand::random_range(45..75));
            if stop.run_until_cancelled(tokio::time::sleep(pause)).await.is_none() {
                return;
            }
            match self.sweep().await {
                Ok(gone) => tracing::debug!(gone, "ended sessions are deleted"),
                Err(error) => tracing::warn!(%error, "ended sessions could not be deleted; the next time they are"),
            }
        }
    }

    /// Deletes a bounded number of sessions that have ended; how many. Called from time to time.
    pub async fn sweep(&self) -> std::result::Result<u64, sqlx::Error> {
        let swept = sqlx::query(
            "delete from session
              where token_hash in (select token_hash from session
                                    where expires_at <= mooring_now()
                                    order by expires_at limit 1000)",
        )
        .execute(&self.db)
        .await?;
        Ok(swept.rows_affected())
    }
}

#[async_trait]
impl SessionStore for PgSessions {
    async fn create(&self, record: &mut Record) -> Result<()> {
        let who = who(record).ok_or_else(|| Error::Encode("a session without anybody is not kept".to_owned()))?;
        // A token that is in use already is not overwritten: another one is drawn.
        while !self.insert(&record.id, who.user_id).await? {
            record.id = Id::default();
        }
        Ok(())
    }

    async fn save(&self, record: &Record) -> Result<()> {
        // Only ever later: what a session holds is fixed, and an ended one stays ended.
        sqlx::query(
            "update session
                set expires_at = greatest(expires_at, mooring_now() + make_interval(days => $2))
              where token_hash = $1
                and mooring_now() < expires_at",
        )
        .bind(token_hash(&record.id))
        .bind(LIFE_DAYS)
        .execute(&self.db)
        .await
        .map_err(unreachable)?;
        Ok(())
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let found: Option<(Uuid, String, time::OffsetDateTime, bool)> = sqlx::query_as(
            "select a.user_id, a.name, s.expires_at,
                    s.expires_at < (select mooring_now()) + make_interval(days => $2 - 1)
               from session s
               join account a on a.user_id = s.user_id
              where s.token_hash = $1
                and (select mooring_now()) < s.expires_at",
        )
        .bind(token_hash(id))
        .bind(LIFE_DAYS)
        .fetch_optional(&self.db)
        .await
        .map_err(unreachable)?;
        let Some((user_id, name, expiry_date, due)) = found else { return Ok(None) };
        let who =
            serde_json::to_value(Who { user_id: UserId(user_id), name }).map_err(|e| Error::Decode(e.to_string()))?;
        let mut record = Record { id: *id, data: [(WHO.to_owned(), who)].into(), expiry_date };
        if due {
            record.data.insert(DUE.to_owned(), true.into());
        }
        Ok(Some(record))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        sqlx::query("delete from session where token_hash = $1")
            .bind(token_hash(id))
            .execute(&self.db)
            .await
            .map_err(unreachable)?;
        Ok(())
    }
}

impl PgSessions {
    async fn insert(&self, id: &Id, user_id: UserId) -> Result<bool> {
        let inserted = sqlx::query(
            "insert into session (token_hash, user_id, opened_at, expires_at)
             select $1, $2, t.now, t.now + make_interval(days => $3)
               from (select mooring_now() as now) t
             on conflict on constraint session_pk do nothing",
        )
        .bind(token_hash(id))
        .bind(user_id.0)
        .bind(LIFE_DAYS)
        .execute(&self.db)
        .await
        .map_err(unreachable)?;
        Ok(inserted.rows_affected() == 1)
    }
}

/// Who is signed in by a record, if it says so.
pub(super) fn who(record: &Record) -> Option<Who> {
    record.data.get(WHO).and_then(|value| serde_json::from_value(value.clone()).ok())
}

fn token_hash(id: &Id) -> String {
    Hash::of(&id.to_string()).as_str().to_owned()
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err takes")]
fn unreachable(error: sqlx::Error) -> Error {
    Error::Backend(error.to_string())
}
