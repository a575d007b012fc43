//! One task's row, as the rules see it.

use std::time::{Duration, Instant};

use domain::{
    explanation::{StateName, Task, effect, replay},
    id::{OpId, TaskId, UserId},
    lease::Attempt,
    task::Kind,
    time::Timestamp,
};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

use crate::store::{
    Claim, Recorded, Store, StoreError, Taken,
    change::Plan,
    stored::{Stored, attempt, fence, seq, signed},
};

/// A task with what the engine keeps beside it, read at `now`.
#[derive(Clone, Debug)]
pub struct Head {
    pub task: Task,
    pub attempt: Attempt,
    pub lease_until: Option<Timestamp>,
    /// The withdrawal that was intended and is still to be finished.
    pub withdrawing: Option<OpId>,
    pub now: Timestamp,
    /// When `now` was read, by this process's own count: how old it is, never what it is.
    pub read_at: Instant,
}

/// The database's time this long ago is still the time, and a row this old is worth a try: what is
/// written names the row's seq and attempt, so an older one is refused. It is counted from the reply: what a
/// stalled reply adds to the age shows in the log's times alone.
const STILL: Duration = Duration::from_millis(20);

impl Head {
    /// A worker holds it by a live lease.
    pub fn is_held(&self) -> bool {
        self.lease_until.is_some_and(|until| self.now < until)
    }

    /// The task that a claim took.
    pub fn of_claim(claim: &Claim, taken: Taken) -> Result<Self, StoreError> {
        Ok(Self {
            task: read(taken.stored)?,
            attempt: claim.fence,
            lease_until: Some(taken.lease_until),
            withdrawing: None,
            now: taken.now,
            read_at: Instant::now(),
        })
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

/// What the state of `task` waits for.
pub(super) fn plan(task: &Task) -> Plan {
    let Some(due) = effect::due(task) else { return Plan::default() };
    let fresh = Duration::from_secs(task.terms.fresh_s.into());
    let look = effect::look_before_save(task);
    Plan {
        step: Some(due.step.as_str()),
        op: Some(due.op_id),
        mark: Some(if due.step.is_read() { "intended" } else { "sent" }),
        precheck_at: look.as_ref().and(task.known.looked_at).map(|at| at.plus(fresh)),
        precheck_op: look.filter(|_| task.known.looked_at.is_some()).map(|l| l.op_id),
    }
}

/// Reads a stored state, or says that it cannot be read.
pub(super) fn read(stored: Stored) -> Result<Task, StoreError> {
    let at_seq = stored.seq;
    let data = stored.known(Kind::Explanation, StateName::ALL.map(StateName::as_str))?;
    let mut task: Task = serde_json::from_value(data).map_err(|e| StoreError::of_reading(&e))?;
    // A claim raises seq without touching the payload.
    task.seq = at_seq;
    Ok(task)
}

#[derive(FromRow)]
struct Row {
    task_id: Option<Uuid>,
    owner: Option<Uuid>,
    kind: Option<String>,
    schema: Option<i32>,
    state: Option<String>,
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

impl Row {
    fn stored(&mut self) -> Option<Stored> {
        self.task_id?;
        let (kind, schema, state) = (self.kind.take()?, self.schema?, self.state.take()?);
        Some(Stored { kind, schema, state, seq: seq(self.seq?), data: self.data.take()?.0 })
    }
}

impl Store {
    /// A task and one of its operations in one read: what every command begins with.
    pub async fn load(&self, task: TaskId, op: Option<OpId>) -> Result<Loaded, StoreError> {
        let mut row: Row = sqlx::query_as(
            "select t.task_id, t.owner, t.kind, t.schema, t.state, t.seq, t.data, t.attempt, t.lease_until,
                    case when t.step = 'withdraw' then t.step_op end as withdrawing, mooring_now() as now,
                    o.owner as op_owner, o.fingerprint, o.state as op_state, o.result
               from (select 1) as one
               left join task t on t.task_id = $1
               left join operation o on o.task_id = $1 and o.op_id = $2",
        )
        .bind(task.0)
        .bind(op.map(|op| op.0))
        .fetch_one(self.db())
        .await?;
        let read_at = Instant::now();
        let speaks = attempt(row.attempt.unwrap_or_default());
        let head = match row.stored() {
            None => None,
            Some(stored) => Some(Head {
                task: match self.read_or_rebuild(task, stored, speaks).await? {
                    Some(task) => task,
                    // Put into a person's hands just now: read again.
                    None => return Box::pin(self.load(task, op)).await,
                },
                attempt: speaks,
                lease_until: row.lease_until.map(Timestamp::new),
                withdrawing: row.withdrawing.map(OpId),
                now: Timestamp::new(row.now),
                read_at,
            }),
        };
        let recorded = match (row.op_owner, row.fingerprint, row.op_state) {
            (Some(owner), Some(fingerprint), Some(state)) => {
                Some(Recorded::read(owner, fingerprint, &state, row.result.map(|r| r.0)))
            }
            _ => None,
        };
        Ok(Loaded { head, owner: row.owner.map(UserId), recorded })
    }

    /// A payload that cannot be read goes to a person, once; from then on the log is read in its
    /// place, where it reaches as far as the row.
    async fn read_or_rebuild(&self, id: TaskId, stored: Stored, attempt: Attempt) -> Result<Option<Task>, StoreError> {
        let at_seq = stored.seq;
        match read(stored) {
            Err(error @ StoreError::Unreadable(_)) => {
                if self.set_unreadable(id, attempt).await? {
                    return Ok(None);
                }
                let log = self.log(id).await?;
                replay(id, &log).filter(|task| task.seq == at_seq).ok_or(error).map(Some)
            }
            other => other.map(Some),
        }
    }

    /// One task for a worker, which has no operation to ask for.
    pub async fn head(&self, task: TaskId) -> Result<Option<Head>, StoreError> {
        Ok(self.load(task, None).await?.head)
    }

    /// The task that `claim` speaks for, as it is now: what is known of it, if that was read just
    /// now, and else what has changed since.
    pub async fn held(&self, claim: &Claim, known: &Head) -> Result<Head, StoreError> {
        if known.attempt == claim.fence && known.read_at.elapsed() < STILL {
            return Ok(known.clone());
        }
        let row: Option<(i64, Option<time::OffsetDateTime>, time::OffsetDateTime)> =
            sqlx::query_as("select seq, lease_until, mooring_now() from task where task_id = $1 and attempt = $2")
                .bind(claim.task_id.0)
                .bind(fence(claim.fence))
                .fetch_optional(self.db())
                .await?;
        let (at_seq, lease_until, now) = row.ok_or(StoreError::LostLease)?;
        if at_seq != signed(known.task.seq) || known.attempt != claim.fence {
            return self.held_anew(claim).await;
        }
        let lease_until = lease_until.map(Timestamp::new);
        Ok(Head { lease_until, now: Timestamp::new(now), read_at: Instant::now(), ..known.clone() })
    }

    /// The task that `claim` speaks for, read whole.
    pub async fn held_anew(&self, claim: &Claim) -> Result<Head, StoreError> {
        match self.head(claim.task_id).await? {
            Some(head) if head.attempt == claim.fence => Ok(head),
            _ => Err(StoreError::LostLease),
        }
    }
}
