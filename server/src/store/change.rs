//! From one state to the next: row, log, ledger and the kind's own tables in one statement, so in
//! one commit and one round trip. Which kind it is does not matter here.

use domain::{
    id::{OpId, Seq, TaskId},
    lease::Attempt,
    task::Phase,
    time::Timestamp,
};
use serde::Serialize;
use serde_json::Value;
use sqlx::types::Json;

use super::{
    Store, StoreError, Written,
    ledger::Way,
    stored::{fence, schema, signed},
};

/// A change of one task, decided and ready to be written.
#[derive(Debug)]
pub struct Change {
    pub task_id: TaskId,
    /// What it was decided on; the write fails if it is no longer so.
    pub seq: Seq,
    pub at: Timestamp,
    pub after: After,
    pub log: Vec<LogRow>,
    /// The learner's operation, or the effect's.
    pub op_id: Option<OpId>,
    /// A worker's fence; none where a learner speaks.
    pub fence: Option<Attempt>,
    pub ledger: Vec<Written>,
    pub kept: Kept,
    pub hold: Hold,
}

/// What goes into the kind's own tables.
#[derive(Debug)]
pub struct Kept {
    /// Parts of the statement, each `, name as (…)`, that write the rows where `moved` has one.
    pub parts: Vec<&'static str>,
    /// The rows, as `$21`.
    pub rows: Value,
}

/// The row as it is to be.
#[derive(Debug)]
pub struct After {
    pub seq: Seq,
    pub state: &'static str,
    pub phase: Phase,
    pub title: String,
    pub data: Value,
    pub plan: Plan,
    pub due: Option<Timestamp>,
}

/// What is to be done outside next, as columns that a claim can work with unread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub step: Option<&'static str>,
    pub op: Option<OpId>,
    pub mark: Option<&'static str>,
    pub precheck_op: Option<OpId>,
    pub precheck_at: Option<Timestamp>,
}

/// Who has the task afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The worker goes on under the same lease, with this step.
    Keep(&'static str),
    /// Nobody. A worker that held it till now is no longer heard.
    Release,
}

/// An event of the log.
#[derive(Debug, Serialize)]
pub struct LogRow {
    pub seq: Seq,
    pub kind: &'static str,
    pub at: Timestamp,
    pub details: Value,
}

// The `where` is the whole safety of a task: nothing is written unless the row is as it was
// read, and a worker is heard only with the newest attempt. Everything else hangs on `moved`.
const MOVED: &str = "
with moved as (
    update task
       set seq = $4, state = $5, phase = $6, title = $7, data = $8,
           step = $9, active_step = $22, step_op = $10, step_mark = $11, precheck_op = $12, precheck_at = $13,
           due_at = case when $14 then due_at else $15 end,
           lease_until = case when $14 then lease_until end,
           holder = case when $14 then holder end,
           attempt = attempt + (not $14 and lease_until is not null)::int,
           updated_at = $16
     where task_id = $1
       and seq = $2
       and ($3::int is null or attempt = $3)
       -- A withdrawal that was promised is finished before a learner's next word is heard.
       and ($3::int is not null or step is distinct from 'withdraw')
    returning task_id, owner
), logged as (
    insert into task_event (task_id, seq, kind, schema, at, attempt, op_id, details)
    select m.task_id, e.seq, e.kind, $17, e.at, $3, $18, e.details
      from moved m, jsonb_to_recordset($19) as e(seq bigint, kind text, at timestamptz, details jsonb)
)";

const ANSWERED: &str = ", answered as (
    insert into operation
           (task_id, op_id, owner, kind, fingerprint, state, result, intended_at, sent_at, finished_at)
    select m.task_id, o.op_id, o.owner, o.kind, o.fingerprint, o.state, o.result, $16, null, $16
      from moved m, jsonb_to_recordset($20) as o(op_id uuid, owner uuid, kind text, fingerprint text,
                                                 state text, result jsonb, first boolean)
     where o.first
)";

const FOLLOWED: &str = ", followed as (
    insert into operation
           (task_id, op_id, owner, kind, fingerprint, state, result, intended_at, sent_at, finished_at)
    select m.task_id, o.op_id, o.owner, o.kind, o.fingerprint, o.state, o.result, $16,
           case when o.state = 'sent' then $16 end, case when o.state in ('done', 'failed') then $16 end
      from moved m, jsonb_to_recordset($20) as o(op_id uuid, owner uuid, kind text, fingerprint text,
                                                 state text, result jsonb, first boolean, keep boolean)
     where not o.first and not o.keep
    on conflict (task_id, op_id) do update
       set state = excluded.state, result = coalesce(excluded.result, operation.result),
           sent_at = coalesce(operation.sent_at, excluded.sent_at), finished_at = excluded.finished_at
     where operation.state not in ('done', 'failed')
)";

// A row that is there already stays as it is.
const KEPT: &str = ", kept as (
    insert into operation (task_id, op_id, owner, kind, fingerprint, state, result, intended_at)
    select m.task_id, o.op_id, o.owner, o.kind, o.fingerprint, o.state, o.result, $16
      from moved m, jsonb_to_recordset($20) as o(op_id uuid, owner uuid, kind text, fingerprint text,
                                                 state text, result jsonb, keep boolean)
     where o.keep
    on conflict (task_id, op_id) do nothing
)";

// The time is read here, where the next step starts from it.
const END: &str = "
select (select count(*) from moved) as moved, (select attempt from task where task_id = $1) as attempt,
       mooring_now() as now";

impl Store {
    /// Writes a change, or changes nothing and says why. Gives the database's time.
    pub(super) async fn change(&self, change: Change) -> Result<Timestamp, StoreError> {
        let statement = statement(&change);
        let Change { after, fence: speaks, .. } = change;
        let active = match change.hold {
            Hold::Keep(step) => Some(step),
            Hold::Release => None,
        };
        let (moved, attempt, now): (i64, Option<i32>, time::OffsetDateTime) = sqlx::query_as(&statement)
            .bind(change.task_id.0)
            .bind(signed(change.seq))
            .bind(speaks.map(fence))
            .bind(signed(after.seq))
            .bind(after.state)
            .bind(after.phase.as_str())
            .bind(&after.title)
            .bind(Json(&after.data))
            .bind(after.plan.step)
            .bind(after.plan.op.map(|op| op.0))
            .bind(after.plan.mark)
            .bind(after.plan.precheck_op.map(|op| op.0))
            .bind(after.plan.precheck_at.map(Timestamp::into_inner))
            .bind(active.is_some())
            .bind(after.due.map(Timestamp::into_inner))
            .bind(change.at.into_inner())
            .bind(schema())
            .bind(change.op_id.map(|op| op.0))
            .bind(Json(&change.log))
            .bind(Json(&change.ledger))
            .bind(Json(&change.kept.rows))
            .bind(active.or(after.plan.step))
            .fetch_one(self.db())
            .await
            .map_err(StoreError::of_insert)?;
        match (moved, speaks.map(fence)) {
            (1, _) => Ok(Timestamp::new(now)),
            (_, Some(fence)) if attempt != Some(fence) => Err(StoreError::LostLease),
            _ => Err(StoreError::Moved),
        }
    }
}

/// Only what there is to write: each part costs time even where it writes nothing. There are a few
/// combinations, and each connection prepares one once.
fn statement(change: &Change) -> String {
    let mut parts = vec![MOVED];
    for (way, part) in [(Way::First, ANSWERED), (Way::Follows, FOLLOWED), (Way::OnlyNew, KEPT)] {
        if change.ledger.iter().any(|row| row.way() == way) {
            parts.push(part);
        }
    }
    parts.extend(&change.kept.parts);
    parts.push(END);
    parts.concat()
}
