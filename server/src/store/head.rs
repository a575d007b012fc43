//! One task's row, as the rules see it.

use domain::{
    explanation::{State, Task, effect, replay},
    id::{OpId, Seq, TaskId, UserId},
    lease::Attempt,
    task::{Kind, SCHEMA},
    time::Timestamp,
};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

use super::{Recorded, Store, StoreError};

/// A task with what the engine keeps beside it, read at `now`.
#[derive(Clone, Debug)]
pub struct Head {
    pub task: Task,
    pub attempt: Attempt,
    pub lease_until: Option<Timestamp>,
    /// The withdrawal that was intended and is still to be finished.
    pub withdrawing: Option<OpId>,
    pub now: Timestamp,
}

impl Head {
    /// A worker holds it by a live lease.
    pub fn is_held(&self) -> bool {
        self.lease_until.is_some_and(|until| self.now < until)
    }
}

/// What reading a task for a command gives.
#[derive(Debug)]
pub struct Loaded {
    /// None: there is no such task.
    pub head: Option<Head>,
    pub owner: Option<UserId>,
    /// The operation, if the ledger has it for this task.
    pub recorded: Option<Recorded>,
}

/// What is to be done outside next, as columns that a claim can work with unread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub step: Option<&'static str>,
    pub op: Option<OpId>,
    pub mark: Option<&'static str>,
    pub precheck_op: Option<OpId>,
    pub precheck_at: Option<Timestamp>,
}

impl Plan {
    /// What the state of `task` waits for.
    pub fn of(task: &Task) -> Self {
        let Some(due) = effect::due(task) else {
            return Self { step: None, op: None, mark: None, precheck_op: None, precheck_at: None };
        };
        let fresh = std::time::Duration::from_secs(task.terms.fresh_s.into());
        let look = effect::look_before_save(task);
        Self {
            step: Some(due.step.as_str()),
            op: Some(due.op_id),
            mark: Some(if due.step.is_read() { "intended" } else { "sent" }),
            precheck_at: look.as_ref().and(task.known.looked_at).map(|at| at.plus(fresh)),
            precheck_op: look.filter(|_| task.known.looked_at.is_some()).map(|l| l.op_id),
        }
    }
}

#[derive(FromRow)]
struct Row {
    task_id: Option<Uuid>,
    owner: Option<Uuid>,
    kind: Option<String>,
    schema: Option<i32>,
    seq: Option<i64>,
    data: Option<Json<serde_json::Value>>,
    attempt: Option<i32>,
    lease_until: Option<time::OffsetDateTime>,
    withdrawing: Option<Uuid>,
    now: time::OffsetDateTime,
    op_owner: Option<Uuid>,
    fingerprint: Option<String>,
    op_state: Option<String>,
    result: Option<Json<serde_json::Value>>,
}

impl Store {
    /// A task and one of its operations in one read: what every command begins with.
    pub async fn load(&self, task: TaskId, op: Option<OpId>) -> Result<Loaded, StoreError> {
        let row: Row = sqlx::query_as(
            "select t.task_id, t.owner, t.kind, t.schema, t.seq, t.data, t.attempt, t.lease_until,
                    case when t.step = 'withdraw' then t.step_op end as withdrawing, mooring_now() as now,
                    o.owner as op_owner, o.fingerprint, o.state as op_state, o.result
               from (select 1) as one
               left join task t on t.task_id = $1
               left join operation o on o.task_id = $1 and o.op_id = $2",
        )
        .bind(task.0)
        .bind(op.map(|op| op.0))
        .fetch_one(self.pool())
        .await?;
        let recorded = match (row.op_owner, row.fingerprint, row.op_state) {
            (Some(owner), Some(fingerprint), Some(state)) => {
                Some(Recorded::read(owner, fingerprint, &state, row.result.map(|r| r.0)))
            }
            _ => None,
        };
        let now = Timestamp::new(row.now);
        let head = match (row.task_id, row.data, row.seq) {
            (Some(_), Some(data), Some(seq)) => Some(Head {
                task: match read_task(row.kind.as_deref(), row.schema, data.0, seq) {
                    Ok(read) => read,
                    Err(error) => {
                        let known = is_known(row.kind.as_deref(), row.schema);
                        let fence = attempt(row.attempt.unwrap_or_default());
                        if known && self.set_unreadable(task, fence).await? {
                            return Box::pin(self.load(task, op)).await;
                        }
                        let rebuilt = if known { self.rebuild(task, seq).await? } else { None };
                        rebuilt.ok_or(error)?
                    }
                },
                attempt: attempt(row.attempt.unwrap_or_default()),
                lease_until: row.lease_until.map(Timestamp::new),
                withdrawing: row.withdrawing.map(OpId),
                now,
            }),
            _ => None,
        };
        Ok(Loaded { head, owner: row.owner.map(UserId), recorded })
    }

    /// The state that the log adds up to, for a task whose payload cannot be read; none if the
    /// log does not reach as far as the row.
    async fn rebuild(&self, id: TaskId, at_seq: i64) -> Result<Option<Task>, StoreError> {
        let log = self.log(id).await?;
        Ok(replay(id, &log).filter(|task| task.seq == seq(at_seq)))
    }

    /// One task for a worker, which has no operation to ask for.
    pub async fn head(&self, task: TaskId) -> Result<Option<Head>, StoreError> {
        Ok(self.load(task, None).await?.head)
    }
}

/// Reads a stored state, or says that it cannot be read.
pub(super) fn read_task(
    kind: Option<&str>,
    schema: Option<i32>,
    data: serde_json::Value,
    at_seq: i64,
) -> Result<Task, StoreError> {
    if !is_known(kind, schema) {
        return Err(StoreError::Unreadable("a kind or schema that this build does not know".to_owned()));
    }
    let mut task: Task = serde_json::from_value(data).map_err(|e| StoreError::of_reading(&e))?;
    // A claim raises seq without touching the payload.
    task.seq = seq(at_seq);
    Ok(task)
}

/// What a newer build has written is left to it.
fn is_known(kind: Option<&str>, schema: Option<i32>) -> bool {
    kind == Some(Kind::Explanation.as_str()) && schema.and_then(|s| u32::try_from(s).ok()) == Some(SCHEMA)
}

/// Sequence numbers are counted from 1 and stored signed, since Postgres has no other kind.
pub(super) fn seq(stored: i64) -> Seq {
    Seq::try_from(stored).unwrap_or_default()
}

pub(super) fn signed(seq: Seq) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

pub(super) fn attempt(stored: i32) -> Attempt {
    Attempt::try_from(stored).unwrap_or_default()
}

/// When the next try of the step under way is, if one has failed.
pub(super) fn has_failed(state: &State) -> bool {
    state.used().is_some_and(|used| 0 < used.tries)
}
