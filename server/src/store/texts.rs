//! What explanations gather, read back: the texts that the log only names.

use domain::id::{TaskId, UserId};

use super::{Store, StoreError};

impl Store {
    /// Whether there is such a task and it is `owner`'s.
    pub async fn owns(&self, owner: UserId, task: TaskId) -> Result<bool, StoreError> {
        Ok(sqlx::query_scalar("select exists (select from task where task_id = $1 and owner = $2)")
            .bind(task.0)
            .bind(owner.0)
            .fetch_one(self.pool())
            .await?)
    }

    /// The content of the newest evidence.
    pub async fn newest_content(&self, task: TaskId) -> Result<Option<String>, StoreError> {
        Ok(sqlx::query_scalar("select content from evidence where task_id = $1 order by n desc limit 1")
            .bind(task.0)
            .fetch_optional(self.pool())
            .await?)
    }

    /// What a save checks at the door: the stored text, and whether its learner still has an
    /// account.
    pub async fn before_save(&self, task: TaskId, version: u32) -> Result<(Option<String>, bool), StoreError> {
        Ok(sqlx::query_as(
            "select d.text, exists (select from account a where a.user_id = t.owner)
               from task t left join draft d on d.task_id = t.task_id and d.version = $2
              where t.task_id = $1",
        )
        .bind(task.0)
        .bind(i32::try_from(version).unwrap_or(i32::MAX))
        .fetch_one(self.pool())
        .await?)
    }
}
