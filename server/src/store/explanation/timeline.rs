//! The log, read back: line by line, as the rules replay it, and as the account of the steps.

use domain::{
    course::Timeline,
    explanation::{Event, command::HOLDER_LOST, course, course::Line, event::Logged},
    id::{OpId, Seq, TaskId},
    snapshot::EventLine,
    time::Timestamp,
};
use serde_json::{Value, json};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

use crate::store::{
    Store, StoreError,
    stored::{attempt, seq},
};

#[derive(FromRow)]
struct Row {
    seq: i64,
    kind: String,
    at: time::OffsetDateTime,
    attempt: Option<i32>,
    op_id: Option<Uuid>,
    details: Json<Value>,
    /// The same in each row: whether the task is held now.
    held: bool,
}

impl Store {
    /// The log after `after`, oldest first, and the account of the steps over the whole of it.
    pub async fn timeline(&self, task: TaskId, after: Seq) -> Result<Timeline, StoreError> {
        let rows = self.log_rows(task).await?;
        let held = rows.first().is_some_and(|row| row.held);
        // A kind that this build does not know tells it of no step.
        let known: Vec<Line> = rows.iter().filter_map(Row::known).collect();
        let steps = course(task, &known, held);
        let events = rows.into_iter().filter(|row| after < seq(row.seq)).map(Row::into_line).collect();
        Ok(Timeline { events, steps })
    }

    /// Whether the newest failed try of a task failed by the death of its holder.
    pub async fn last_try_was_lost(&self, task: TaskId) -> Result<bool, StoreError> {
        Ok(sqlx::query_scalar(
            "select coalesce((select details ->> 'code' = $2 from task_event
                               where task_id = $1 and kind = 'try_failed' order by seq desc limit 1), false)",
        )
        .bind(task.0)
        .bind(HOLDER_LOST)
        .fetch_one(self.db())
        .await?)
    }

    /// The log as the rules replay it.
    pub async fn log(&self, task: TaskId) -> Result<Vec<Logged>, StoreError> {
        self.log_rows(task).await?.into_iter().map(Row::into_logged).collect()
    }

    async fn log_rows(&self, task: TaskId) -> Result<Vec<Row>, sqlx::Error> {
        sqlx::query_as(
            "select seq, kind, at, attempt, op_id, details,
                    coalesce((select mooring_now() < lease_until from task where task_id = $1), false) as held
               from task_event
              where task_id = $1 order by seq",
        )
        .bind(task.0)
        .fetch_all(self.db())
        .await
    }
}

impl Row {
    fn event(&self) -> Result<Event, serde_json::Error> {
        serde_json::from_value(json!({ "kind": self.kind, "details": self.details.0 }))
    }

    fn known(&self) -> Option<Line> {
        let logged = Logged { seq: seq(self.seq), at: Timestamp::new(self.at), event: self.event().ok()? };
        Some(Line { logged, attempt: self.attempt.map(attempt), op_id: self.op_id.map(OpId) })
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
        let event = self.event().map_err(|e| StoreError::of_reading(&e))?;
        Ok(Logged { seq: seq(self.seq), at: Timestamp::new(self.at), event })
    }
}
