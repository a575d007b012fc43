//! Which processes are there, and which have died: a hint that saves waiting for a lease.
//!
//! Invariant: nothing rests on it. A process that is taken for dead and lives is no longer heard
//! where another attempt speaks, and goes on everywhere else.

use std::time::Duration;

use uuid::Uuid;

use super::{ProcessId, Store, StoreError};

/// The first key of the session locks by which processes show that they live.
pub const LOCK_CLASS: i32 = 0x4d6f_6f72;

/// Who else is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbourhood {
    /// This process has a row: if not, it has to sign in again.
    pub known: bool,
    /// Another process has said a word lately.
    pub others: bool,
    /// Processes that held their session lock and do not now.
    pub unlocked: Vec<Uuid>,
}

impl Store {
    /// Says that this process is there. Gives the key of the lock that shows it.
    pub async fn sign_in_process(&self, own: &ProcessId, works: bool) -> Result<i32, StoreError> {
        Ok(sqlx::query_scalar(
            "insert into process (process_id, name, works, started_at, seen_at)
             values ($1, $2, $3, mooring_now(), mooring_now())
             on conflict (process_id) do update set seen_at = excluded.seen_at, locks = false
             returning lock_key",
        )
        .bind(own.id)
        .bind(&own.name)
        .bind(works)
        .fetch_one(self.db())
        .await?)
    }

    /// The session lock of this `key` is held, so that its release means something.
    pub async fn process_locks(&self, own: &ProcessId, key: i32) -> Result<(), StoreError> {
        // A process that was forgotten meanwhile has another key, whose lock it does not hold yet.
        sqlx::query("update process set locks = true where process_id = $1 and lock_key = $2")
            .bind(own.id)
            .bind(key)
            .execute(self.db())
            .await?;
        Ok(())
    }

    /// The lock is lost, and by no death: nobody shall take it for one.
    pub async fn process_unlocked(&self, own: &ProcessId) -> Result<(), StoreError> {
        sqlx::query("update process set locks = false where process_id = $1").bind(own.id).execute(self.db()).await?;
        Ok(())
    }

    /// Looks around; says a word only every half of `silence`, so that looking often writes seldom.
    pub async fn look_around(&self, own: &ProcessId, silence: Duration) -> Result<Neighbourhood, StoreError> {
        let (known, others, unlocked) = sqlx::query_as(
            "with me as (
                update process set seen_at = mooring_now() where process_id = $1 and seen_at < (select mooring_now()) - $2 / 2
             ), gone as (
                delete from process where not locks and seen_at < (select mooring_now()) - $2 * 10
             )
             select exists (select from process where process_id = $1),
                    exists (select from process where process_id <> $1 and (select mooring_now()) - $2 < seen_at),
                    array(select p.process_id from process p
                           where p.process_id <> $1 and p.locks
                             and not exists (select from pg_locks l
                                              where l.locktype = 'advisory' and l.classid = $3::int8::oid
                                                and l.objid = p.lock_key::int8::oid and l.objsubid = 2
                                                and l.database = (select oid from pg_database
                                                                   where datname = current_database())))",
        )
        .bind(own.id)
        .bind(silence)
        .bind(i64::from(LOCK_CLASS))
        .fetch_one(self.db())
        .await?;
        Ok(Neighbourhood { known, others, unlocked })
    }

    /// Ends the leases of a process that has died, each in a transaction of its own, and forgets
    /// the process. Gives how many tasks it left.
    pub async fn release_dead(&self, dead: Uuid) -> Result<usize, StoreError> {
        let held: Vec<(Uuid, i32)> =
            sqlx::query_as("select task_id, attempt from task where due_at is not null and holder = $1")
                .bind(dead)
                .fetch_all(self.db())
                .await?;
        for (task, attempt) in &held {
            // The lease stays, so that the next claim sees that its holder was lost; it ends now.
            sqlx::query(
                "update task set lease_until = mooring_now(), due_at = mooring_now()
                  where task_id = $1 and holder = $2 and attempt = $3",
            )
            .bind(task)
            .bind(dead)
            .bind(attempt)
            .execute(self.db())
            .await?;
        }
        sqlx::query("delete from process where process_id = $1").bind(dead).execute(self.db()).await?;
        Ok(held.len())
    }

    /// Says goodbye.
    pub async fn sign_out_process(&self, own: &ProcessId) -> Result<(), StoreError> {
        sqlx::query("delete from process where process_id = $1").bind(own.id).execute(self.db()).await?;
        Ok(())
    }
}
