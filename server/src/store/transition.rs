//! From one state to the next: row, log, ledger and texts in one statement, so in one commit and
//! one round trip.

use domain::{
    approval::Proposal,
    explanation::{Event, State, Task, decide::number, event::Logged, evolve},
    id::{OpId, Seq},
    lease::Attempt,
    task::SCHEMA,
    time::Timestamp,
};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::types::Json;

use super::{Head, Plan, Store, StoreError, Written, head::signed};

/// One step of a task's history, decided and ready to be written.
#[derive(Debug)]
pub struct Transition<'a> {
    /// What the decision was made on; the write fails if it is no longer so.
    pub before: &'a Head,
    pub events: Vec<Event>,
    /// The learner's operation, or the effect's.
    pub op_id: Option<OpId>,
    /// A worker's fence; none where a learner speaks.
    pub fence: Option<Attempt>,
    pub ledger: Vec<Written>,
    /// The content of new evidence, or the text of a new draft, that the events name.
    pub text: Option<&'a str>,
    pub hold: Hold,
}

/// Who has the task afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The worker goes on with the next step under the same lease.
    Keep,
    /// Nobody. A worker that held it till now is no longer heard.
    Release,
}

// The `where` is the whole safety of a task: nothing is written unless the row is as it was
// read, and a worker is heard only with the newest attempt. Everything else hangs on `moved`.
const COMMIT: &str = "
with moved as (
    update task
       set seq = $4, state = $5, phase = $6, title = $7, data = $8,
           step = $9, active_step = $9, step_op = $10, step_mark = $11, precheck_op = $12, precheck_at = $13,
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
), answered as (
    insert into operation
           (task_id, op_id, owner, kind, fingerprint, state, result, intended_at, sent_at, finished_at)
    select m.task_id, o.op_id, o.owner, o.kind, o.fingerprint, o.state, o.result, $16, null, $16
      from moved m, jsonb_to_recordset($20) as o(op_id uuid, owner uuid, kind text, fingerprint text,
                                                 state text, result jsonb, first boolean)
     where o.first
), followed as (
    insert into operation
           (task_id, op_id, owner, kind, fingerprint, state, result, intended_at, sent_at, finished_at)
    select m.task_id, o.op_id, o.owner, o.kind, o.fingerprint, o.state, o.result, $16,
           case when o.state = 'sent' then $16 end, case when o.state in ('done', 'failed') then $16 end
      from moved m, jsonb_to_recordset($20) as o(op_id uuid, owner uuid, kind text, fingerprint text,
                                                 state text, result jsonb, first boolean, keep boolean)
     where not o.first
       and not (o.keep and exists (select from operation k where k.task_id = m.task_id and k.op_id = o.op_id))
    on conflict (task_id, op_id) do update
       set state = excluded.state, result = coalesce(excluded.result, operation.result),
           sent_at = coalesce(operation.sent_at, excluded.sent_at), finished_at = excluded.finished_at
     where operation.state not in ('done', 'failed')
), seen as (
    insert into evidence (task_id, n, source, adapter, source_version, content, content_hash, observed_at)
    select m.task_id, v.n, v.source, v.adapter, v.source_version, v.content, v.content_hash, v.observed_at
      from moved m, jsonb_to_recordset($21) as v(n int, source text, adapter text, source_version text,
                                                 content text, content_hash text, observed_at timestamptz)
), written as (
    insert into draft (task_id, version, author, produced_by, simulated, hash, on_source_version, text, created_at)
    select m.task_id, d.version, d.author, d.produced_by, d.simulated, d.hash, d.on_source_version, d.text, d.created_at
      from moved m, jsonb_to_recordset($22) as d(version int, author text, produced_by text, simulated boolean,
                                                 hash text, on_source_version text, text text, created_at timestamptz)
    returning 1
), ended as (
    update proposal p set ended_at = $16, ended_by = $23
      from moved m
     where p.task_id = m.task_id and p.ended_at is null and $23 is not null
    returning 1
), proposed as (
    -- Counting what ended first keeps the order: the live one goes before the next one comes.
    insert into proposal (task_id, seq, action, target, draft_version, draft_hash, source_version, requester, expires_at)
    select m.task_id, p.seq, p.action, p.target, p.draft_version, p.draft_hash, p.source_version, p.requester, p.expires_at
      from moved m, (select count(*) from ended) as first,
           jsonb_to_recordset($24) as p(seq bigint, action text, target text, draft_version int, draft_hash text,
                                        source_version text, requester uuid, expires_at timestamptz)
)
select (select count(*) from moved) as moved, (select attempt from task where task_id = $1) as attempt";

impl Store {
    /// Writes a transition, or changes nothing and says why. Gives the task as it is now.
    pub async fn commit(&self, step: Transition<'_>) -> Result<Task, StoreError> {
        let before = &step.before.task;
        let at = step.before.now;
        let logged = number(before.seq, at, &step.events);
        let after = logged.iter().fold(before.clone(), evolve);
        let plan = Plan::of(&after);
        let due = plan.step.map(|_| next_try(&step.events).unwrap_or(at));
        let fence = step.fence.map(|f| i32::try_from(f).unwrap_or(i32::MAX));
        let (moved, attempt): (i64, Option<i32>) = sqlx::query_as(COMMIT)
            .bind(before.id.0)
            .bind(signed(before.seq))
            .bind(fence)
            .bind(signed(after.seq))
            .bind(after.state.name().as_str())
            .bind(after.state.name().phase().as_str())
            .bind(&after.title)
            .bind(Json(&after))
            .bind(plan.step)
            .bind(plan.op.map(|op| op.0))
            .bind(plan.mark)
            .bind(plan.precheck_op.map(|op| op.0))
            .bind(plan.precheck_at.map(Timestamp::into_inner))
            .bind(step.hold == Hold::Keep)
            .bind(due.map(Timestamp::into_inner))
            .bind(at.into_inner())
            .bind(i32::try_from(SCHEMA).unwrap_or_default())
            .bind(step.op_id.map(|op| op.0))
            .bind(Json(log_rows(&logged)))
            .bind(Json(&step.ledger))
            .bind(Json(evidence_rows(before, &step.events, step.text)))
            .bind(Json(draft_rows(&step.events, step.text)))
            .bind(proposal_end(before, &after, &step.events))
            .bind(Json(proposal_rows(&after, &logged)))
            .fetch_one(self.pool())
            .await
            .map_err(StoreError::of_insert)?;
        match (moved, fence) {
            (1, _) => Ok(after),
            (_, Some(fence)) if attempt != Some(fence) => Err(StoreError::LostLease),
            _ => Err(StoreError::Moved),
        }
    }
}

/// A failed try says when the next one is.
fn next_try(events: &[Event]) -> Option<Timestamp> {
    events.iter().find_map(|event| match event {
        Event::TryFailed { next_try_at, .. } => Some(*next_try_at),
        _ => None,
    })
}

#[derive(Serialize)]
pub(super) struct LogRow {
    seq: Seq,
    kind: &'static str,
    at: Timestamp,
    details: Value,
}

pub(super) fn log_rows(logged: &[Logged]) -> Vec<LogRow> {
    let details =
        |event: &Event| serde_json::to_value(event).ok().and_then(|mut v| v.get_mut("details").map(Value::take));
    let row = |l: &Logged| LogRow {
        seq: l.seq,
        kind: l.event.kind(),
        at: l.at,
        details: details(&l.event).unwrap_or(json!({})),
    };
    logged.iter().map(row).collect()
}

fn evidence_rows(before: &Task, events: &[Event], content: Option<&str>) -> Vec<Value> {
    let mut n = before.known.evidence.len();
    let mut rows = Vec::new();
    for event in events {
        if let Event::SourceFound { evidence, .. } | Event::SourceChanged { evidence, .. } = event {
            n += 1;
            rows.push(json!({
                "n": n, "source": evidence.source, "adapter": evidence.adapter,
                "source_version": evidence.source_version, "content": content,
                "content_hash": evidence.content_hash, "observed_at": evidence.observed_at,
            }));
        }
    }
    rows
}

fn draft_rows(events: &[Event], text: Option<&str>) -> Vec<Value> {
    let mut rows = Vec::new();
    for event in events {
        if let Event::DraftProduced { draft, .. } | Event::Edited { draft, .. } = event
            && let Ok(Value::Object(mut row)) = serde_json::to_value(draft)
        {
            row.insert("text".to_owned(), json!(text));
            rows.push(Value::Object(row));
        }
    }
    rows
}

/// How the proposal that was live before has ended, if it has.
fn proposal_end(before: &Task, after: &Task, events: &[Event]) -> Option<&'static str> {
    let live = live_proposal(&before.state)?;
    if live_proposal(&after.state) == Some(live) {
        return None;
    }
    let accepted = events.iter().any(|e| matches!(e, Event::Accepted { .. }));
    Some(if accepted { "accepted" } else { "withdrawn" })
}

/// What may be accepted, now or once a person has sent the task back to its review.
fn live_proposal(state: &State) -> Option<&Proposal> {
    match state {
        State::AwaitingReview { proposal } => proposal.as_ref(),
        State::NeedsChecking { before, .. } => live_proposal(before),
        _ => None,
    }
}

/// The proposal that is live afterwards, if this transition made it.
fn proposal_rows(after: &Task, logged: &[Logged]) -> Vec<Value> {
    let mut rows = Vec::new();
    for l in logged.iter().rev() {
        if let (Event::Proposed { proposal }, State::AwaitingReview { proposal: Some(live) }) = (&l.event, &after.state)
            && proposal == live
            && let Ok(Value::Object(mut row)) = serde_json::to_value(proposal)
        {
            row.insert("seq".to_owned(), json!(l.seq));
            rows.push(Value::Object(row));
            break;
        }
    }
    rows
}
