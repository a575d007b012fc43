//! The first row of a task.

use domain::{
    explanation::{Event, decide::number, evolve::born},
    id::{OpId, RecordId, TaskId, UserId},
    record::{RecordList, RecordSummary},
    snapshot::Snapshot,
    task::Kind,
    time::Timestamp,
};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

use super::{head::plan, snapshot::of_newborn, transition::log_rows};
use crate::store::{
    Store, StoreError, Written,
    stored::{schema, signed},
};

/// A task about to be born.
#[derive(Debug)]
pub struct NewTask {
    pub id: TaskId,
    pub started: Event,
    pub at: Timestamp,
    pub op_id: OpId,
    /// The answer to the learner's operation.
    pub answer: Written,
}

/// How a start ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Started {
    Born(Box<Snapshot>),
    /// There is a task of that ID. Nothing was changed.
    AlreadyThere,
}

/// What a start is judged by.
#[derive(Debug)]
pub struct BeforeStart {
    pub now: Timestamp,
    /// A task of the same learner with the same record and question that is not finished. A
    /// courtesy, not a guarantee: two starts in the same instant both pass.
    pub similar: Option<TaskId>,
    pub records: RecordList,
}

#[derive(FromRow)]
struct Row {
    now: time::OffsetDateTime,
    similar: Option<Uuid>,
    records: Option<Json<Vec<RecordSummary>>>,
    complete: Option<bool>,
}

const START: &str = "
with born as (
    insert into task (task_id, owner, kind, schema, record_id, question, title, seq, state, phase, data,
                      step, step_op, step_mark, due_at, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $15)
    on conflict (task_id) do nothing
    returning task_id
), logged as (
    insert into task_event (task_id, seq, kind, schema, at, op_id, details)
    select b.task_id, e.seq, e.kind, $4, e.at, $16, e.details
      from born b, jsonb_to_recordset($17) as e(seq bigint, kind text, at timestamptz, details jsonb)
), answered as (
    insert into operation (task_id, op_id, owner, kind, fingerprint, state, result, intended_at, finished_at)
    select b.task_id, o.op_id, o.owner, o.kind, o.fingerprint, o.state, o.result, $15, $15
      from born b, jsonb_to_record($18) as o(op_id uuid, owner uuid, kind text, fingerprint text,
                                             state text, result jsonb)
)
select count(*) from born";

impl Store {
    /// Writes a task with its first event and the answer to its learner, or nothing.
    pub async fn start(&self, new: &NewTask) -> Result<Started, StoreError> {
        let logged = number(0, new.at, std::slice::from_ref(&new.started));
        let task = logged
            .first()
            .and_then(|started| born(new.id, started))
            .ok_or_else(|| StoreError::Unreadable("a task begins with `started`".to_owned()))?;
        let plan = plan(&task);
        let born: i64 = sqlx::query_scalar(START)
            .bind(task.id.0)
            .bind(task.owner.0)
            .bind(Kind::Explanation.as_str())
            .bind(schema())
            .bind(task.record_id.as_str())
            .bind(&task.question)
            .bind(&task.title)
            .bind(signed(task.seq))
            .bind(task.state.name().as_str())
            .bind(task.state.name().phase().as_str())
            .bind(Json(&task))
            .bind(plan.step)
            .bind(plan.op.map(|op| op.0))
            .bind(plan.mark)
            .bind(new.at.into_inner())
            .bind(new.op_id.0)
            .bind(Json(log_rows(&logged)))
            .bind(Json(&new.answer))
            .fetch_one(self.db())
            .await
            .map_err(StoreError::of_insert)?;
        Ok(if born == 1 { Started::Born(Box::new(of_newborn(&task, new.at))) } else { Started::AlreadyThere })
    }

    /// What a start is judged by, in one read.
    pub async fn before_start(
        &self,
        owner: UserId,
        record: &RecordId,
        question: &str,
    ) -> Result<BeforeStart, StoreError> {
        let row: Row = sqlx::query_as(
            "select mooring_now() as now,
                    (select task_id from task
                      where owner = $1 and record_id = $2 and question = $3
                        and phase not in ('succeeded', 'cancelled')
                      order by created_at desc
                      limit 1) as similar,
                    l.records, l.complete
               from (select 1) as one left join record_list l on true",
        )
        .bind(owner.0)
        .bind(record.as_str())
        .bind(question)
        .fetch_one(self.db())
        .await?;
        let records = RecordList {
            records: row.records.map(|records| records.0).unwrap_or_default(),
            complete: row.complete == Some(true),
        };
        Ok(BeforeStart { now: Timestamp::new(row.now), similar: row.similar.map(TaskId), records })
    }
}
