//! The log, read back.

use domain::{
    explanation::{Event, event::Logged},
    id::{OpId, Seq, TaskId},
    snapshot::EventLine,
    time::Timestamp,
};
use serde_json::{Value, json};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

use super::{
    Store, StoreError,
    stored::{attempt, seq, signed},
};

#[derive(FromRow)]
struct Row {
    seq: i64,
    kind: String,
    at: time::OffsetDateTime,
    attempt: Option<i32>,
    op_id: Option<Uuid>,
    details: Json<Value>,
}

impl Store {
    /// The log after `after`, oldest first.
    pub async fn timeline(&self, task: TaskId, after: Seq) -> Result<Vec<EventLine>, StoreError> {
        Ok(self.log_rows(task, after).await?.into_iter().map(Row::into_line).collect())
    }

    /// The log as the rules replay it.
    pub async fn log(&self, task: TaskId) -> Result<Vec<Logged>, StoreError> {
        self.log_rows(task, 0).await?.into_iter().map(Row::into_logged).collect()
    }

    async fn log_rows(&self, task: TaskId, after: Seq) -> Result<Vec<Row>, sqlx::Error> {
        sqlx::query_as(
            "select seq, kind, at, attempt, op_id, details from task_event
              where task_id = $1 and $2 < seq order by seq",
        )
        .bind(task.0)
        .bind(signed(after))
        .fetch_all(self.db())
        .await
    }
}

impl Row {
    fn event(&self) -> Result<Event, serde_json::Error> {
        serde_json::from_value(json!({ "kind": self.kind, "details": self.details.0 }))
    }

    fn into_line(self) -> EventLine {
        // A kind that this build does not know is still a line of the timeline.
        let summary = self.event().map_or_else(|_| self.kind.clone(), |event| event.summary());
        EventLine {
            seq: seq(self.seq),
            kind: self.kind,
            at: Timestamp::new(self.at),
            attempt: self.attempt.map(attempt),
            op_id: self.op_id.map(OpId),
            summary,
            details: self.details.0,
        }
    }

    fn into_logged(self) -> Result<Logged, StoreError> {
        let event = self.event().map_err(|e| StoreError::Unreadable(e.to_string()))?;
        Ok(Logged { seq: seq(self.seq), at: Timestamp::new(self.at), event })
    }
}
