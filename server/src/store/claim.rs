//! The right to work, taken and kept.

use std::time::Duration;

use domain::{
    id::{OpId, TaskId, UserId},
    lease::Attempt,
    time::Timestamp,
};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

use super::{
    ProcessId, Store, StoreError,
    stored::{Stored, attempt, fence, schema, seq},
};

/// The right to write for a task. Cannot be cloned, nor made elsewhere; every write by its holder
/// names the fence.
#[derive(Debug)]
#[expect(clippy::manual_non_exhaustive, reason = "no other room of this crate may make one either")]
pub struct Claim {
    pub task_id: TaskId,
    pub owner: UserId,
    pub fence: Attempt,
    pub(super) _spent_once: (),
}

/// A task that was taken, and what is to be done with it.
#[derive(Debug)]
pub struct Claimed {
    pub claim: Claim,
    pub taken: Taken,
    /// Another task was due as well.
    pub more: bool,
}

/// What a claim took.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The state, as its kind's own code left it.
    pub stored: Stored,
    pub lease_until: Timestamp,
    pub now: Timestamp,
    pub step: String,
    pub op_id: OpId,
    /// Whether the operation may have been sent before this claim: look before repeating.
    pub may_have_happened: bool,
    /// Its last holder died without a word.
    pub taken_over: bool,
}

/// What a process can take: a newer build's work is left to it.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Each as `kind/step`.
    pub steps: Vec<String>,
    /// Each as `kind/state`.
    pub states: Vec<String>,
}

/// Which tasks are due: only kinds, schemas, steps and states that this build knows. `due_at` is the end of the
/// lease while a task is held, so one index serves both.
macro_rules! is_due {
    () => {
        "t.due_at <= (select at from clock_now) and t.schema = $1
         and t.kind || '/' || t.step = any($2) and t.kind || '/' || t.state = any($3)"
    };
}

/// The clock, read once: a time that might change from row to row could not be looked up in an index.
macro_rules! clock_now {
    () => {
        "clock_now as materialized (select mooring_now() as at)"
    };
}

// Skipping locked rows lets any number of workers ask at once. A write that is still only intended gives way to
// the look at the source that is due before it.
const CLAIM: &str = concat!(
    "
with ",
    clock_now!(),
    ", due as (
    select t.task_id, t.lease_until is not null as taken_over, t.precheck_at,
           -- Asked of the one row: as a join, the ledger may be read whole for it.
           (select o.state from operation o where o.task_id = t.task_id and o.op_id = t.step_op) as op_state
      from task t
     where ",
    is_due!(),
    "
     order by t.due_at
     limit 1
       for update of t skip locked
), picked as (
    select task_id, taken_over, op_state,
           coalesce(precheck_at <= (select at from clock_now) and coalesce(op_state = 'intended', true), false)
               as precheck
      from due
), claimed as (
    update task t
       set attempt = t.attempt + 1, seq = t.seq + 1, holder = $4,
           active_step = case when p.precheck then 'recheck' else t.step end,
           lease_until = (select at from clock_now) + $6, due_at = (select at from clock_now) + $6, updated_at = (select at from clock_now)
      from picked p
     where t.task_id = p.task_id
    returning t.task_id, t.owner, t.kind, t.schema, t.state, t.seq, t.data, t.attempt, t.lease_until, t.updated_at as now,
              case when p.precheck then 'recheck' else t.step end as step,
              case when p.precheck then t.precheck_op else t.step_op end as step_op,
              case when p.precheck then 'intended' else t.step_mark end as mark,
              coalesce(p.op_state <> 'intended', false) and not p.precheck as may_have_happened, p.taken_over
), logged as (
    insert into task_event (task_id, seq, kind, schema, at, attempt, op_id, details)
    select task_id, seq, 'claimed', $1, now, attempt, step_op,
           jsonb_build_object('process', $5::text, 'attempt', attempt, 'step', step)
      from claimed
), followed as (
    insert into operation (task_id, op_id, owner, kind, fingerprint, state, intended_at, sent_at)
    select task_id, step_op, owner, step, encode(sha256(convert_to(task_id || '/' || step, 'UTF8')), 'hex'), mark, now,
           case when mark = 'sent' then now end
      from claimed
    on conflict (task_id, op_id) do update
       set state = excluded.state, sent_at = excluded.sent_at
     where operation.state = 'intended' and excluded.state = 'sent'
)
select *, exists (select from task t where ",
    is_due!(),
    " and t.task_id <> claimed.task_id) as more from claimed"
);

// Reads without a lock, and so sees the rows that a claim passes over.
const IS_ANY_DUE: &str = concat!("with ", clock_now!(), " select exists (select from task t where ", is_due!(), ")");

#[derive(FromRow)]
struct Row {
    task_id: Uuid,
    owner: Uuid,
    kind: String,
    schema: i32,
    state: String,
    seq: i64,
    data: Json<serde_json::Value>,
    attempt: i32,
    lease_until: time::OffsetDateTime,
    now: time::OffsetDateTime,
    step: String,
    step_op: Uuid,
    may_have_happened: bool,
    taken_over: bool,
    more: bool,
}

impl Store {
    /// Takes one due task for `lease`, with its step recorded as intended or sent. One, so that no
    /// transaction touches two tasks and one that cannot be taken holds up no other.
    ///
    /// `known` are the steps that this process can take and the states that it knows.
    pub async fn claim(
        &self,
        process: &ProcessId,
        lease: Duration,
        known: &Known,
    ) -> Result<Option<Claimed>, StoreError> {
        let row: Option<Row> = sqlx::query_as(CLAIM)
            .bind(schema())
            .bind(&known.steps)
            .bind(&known.states)
            .bind(process.id)
            .bind(&process.name)
            .bind(lease)
            .fetch_optional(self.db())
            .await?;
        Ok(row.map(Row::into_claimed))
    }

    /// Whether a task is due, also one whose row somebody has locked. After a claim that took nothing it says
    /// whether one was passed over.
    pub async fn is_any_due(&self, known: &Known) -> Result<bool, StoreError> {
        let any = sqlx::query_scalar(IS_ANY_DUE)
            .bind(schema())
            .bind(&known.steps)
            .bind(&known.states)
            .fetch_one(self.db())
            .await?;
        Ok(any)
    }

    /// Says that the holder is alive. `LostLease`: stop, somebody else speaks for the task now.
    pub async fn heartbeat(&self, claim: &Claim, lease: Duration) -> Result<(), StoreError> {
        let rows = sqlx::query(
            "update task set lease_until = mooring_now() + $3, due_at = mooring_now() + $3
              where task_id = $1 and attempt = $2 and lease_until is not null",
        )
        .bind(claim.task_id.0)
        .bind(fence(claim.fence))
        .bind(lease)
        .execute(self.db())
        .await?
        .rows_affected();
        if rows == 1 { Ok(()) } else { Err(StoreError::LostLease) }
    }

    /// Hands a task back unharmed: due after `wait`, and no try used up.
    pub async fn hand_back(&self, claim: &Claim, wait: Duration) -> Result<(), StoreError> {
        // The database counts in microseconds, and refuses what is finer.
        let wait = Duration::from_micros(u64::try_from(wait.as_micros()).unwrap_or(u64::MAX));
        sqlx::query(
            "update task set lease_until = null, holder = null, due_at = mooring_now() + $3, attempt = attempt + 1
              where task_id = $1 and attempt = $2 and lease_until is not null",
        )
        .bind(claim.task_id.0)
        .bind(fence(claim.fence))
        .bind(wait)
        .execute(self.db())
        .await?;
        Ok(())
    }
}

impl Row {
    fn into_claimed(self) -> Claimed {
        let (task_id, owner, fence) = (TaskId(self.task_id), UserId(self.owner), attempt(self.attempt));
        let claim = Claim { task_id, owner, fence, _spent_once: () };
        let taken = Taken {
            stored: Stored {
                kind: self.kind,
                schema: self.schema,
                state: self.state,
                seq: seq(self.seq),
                data: self.data.0,
            },
            lease_until: Timestamp::new(self.lease_until),
            now: Timestamp::new(self.now),
            step: self.step,
            op_id: OpId(self.step_op),
            may_have_happened: self.may_have_happened,
            taken_over: self.taken_over,
        };
        Claimed { claim, taken, more: self.more }
    }
}
