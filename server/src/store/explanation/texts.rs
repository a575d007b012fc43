//! What explanations gather, read back: the texts that the log only names.

use std::{collections::HashMap, time::Instant};

use domain::{
    id::{TaskId, UserId},
    time::Timestamp,
};
use uuid::Uuid;

use super::Head;
use crate::store::{
    Claim, Store, StoreError,
    stored::{fence, signed},
};

/// What a save checks at the door of the library.
#[derive(Debug)]
pub struct AtTheDoor {
    pub head: Head,
    /// The stored text of the version.
    pub text: Option<String>,
    /// Its learner still has an account.
    pub requester_valid: bool,
}

impl Store {
    /// Whether there is such a task and it is `owner`'s.
    pub async fn owns(&self, owner: UserId, task: TaskId) -> Result<bool, StoreError> {
        Ok(sqlx::query_scalar("select exists (select from task where task_id = $1 and owner = $2)")
            .bind(task.0)
            .bind(owner.0)
            .fetch_one(self.db())
            .await?)
    }

    /// What was asked in some tasks of `owner`.
    pub async fn questions(&self, owner: UserId, tasks: &[TaskId]) -> Result<HashMap<TaskId, String>, StoreError> {
        let tasks: Vec<Uuid> = tasks.iter().map(|task| task.0).collect();
        let rows: Vec<(Uuid, String)> = sqlx::query_as(
            "select task_id, question from task where task_id = any($1) and owner is not distinct from $2",
        )
        .bind(tasks)
        .bind(owner.0)
        .fetch_all(self.db())
        .await?;
        Ok(rows.into_iter().map(|(task, question)| (TaskId(task), question)).collect())
    }

    /// The content of the newest evidence.
    pub async fn newest_content(&self, task: TaskId) -> Result<Option<String>, StoreError> {
        Ok(sqlx::query_scalar("select content from evidence where task_id = $1 order by n desc limit 1")
            .bind(task.0)
            .fetch_optional(self.db())
            .await?)
    }

    /// Reads, in one go, what a save checks: whether the attempt still speaks, the text, the
    /// learner, the time. `LostLease`: another attempt speaks.
    pub async fn before_save(&self, claim: &Claim, known: &Head, version: u32) -> Result<AtTheDoor, StoreError> {
        let row: Option<(i64, time::OffsetDateTime, Option<String>, bool)> = sqlx::query_as(
            "select t.seq, mooring_now(), d.text, exists (select from account a where a.user_id = t.owner)
               from task t left join draft d on d.task_id = t.task_id and d.version = $2
              where t.task_id = $1 and t.attempt = $3",
        )
        .bind(claim.task_id.0)
        .bind(i32::try_from(version).unwrap_or(i32::MAX))
        .bind(fence(claim.fence))
        .fetch_optional(self.db())
        .await?;
        let read_at = Instant::now();
        let (at_seq, now, text, requester_valid) = row.ok_or(StoreError::LostLease)?;
        let head = if at_seq == signed(known.task.seq) {
            Head { now: Timestamp::new(now), read_at, ..known.clone() }
        } else {
            self.held_anew(claim).await?
        };
        Ok(AtTheDoor { head, text, requester_valid })
    }
}
