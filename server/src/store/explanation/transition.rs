//! From one state of an explanation to the next: what was decided, as rows.

use std::{sync::LazyLock, time::Instant};

use domain::{
    approval::Proposal,
    explanation::{Event, State, Task, decide::number, event::Logged, evolve},
    id::OpId,
    lease::Attempt,
    time::Timestamp,
};
use serde_json::{Value, json};

use super::head::{Head, plan};
use crate::store::{
    Hold, Store, StoreError, Written,
    change::{After, BEGIN, Change, END, LogRow},
};

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

// What explanations keep in tables of their own.
const KEEP: &str = ", seen as (
    insert into evidence (task_id, n, source, adapter, source_version, content, content_hash, observed_at)
    select m.task_id, v.n, v.source, v.adapter, v.source_version, v.content, v.content_hash, v.observed_at
      from moved m, jsonb_to_recordset($21::jsonb -> 'evidence') as v(n int, source text, adapter text, source_version text,
                                                 content text, content_hash text, observed_at timestamptz)
), written as (
    insert into draft (task_id, version, author, produced_by, simulated, hash, on_source_version, text, created_at)
    select m.task_id, d.version, d.author, d.produced_by, d.simulated, d.hash, d.on_source_version, d.text, d.created_at
      from moved m, jsonb_to_recordset($21::jsonb -> 'drafts') as d(version int, author text, produced_by text, simulated boolean,
                                                 hash text, on_source_version text, text text, created_at timestamptz)
    returning 1
), ended as (
    update proposal p set ended_at = $16, ended_by = ($21::jsonb ->> 'ended_by')
      from moved m
     where p.task_id = m.task_id and p.ended_at is null and ($21::jsonb ->> 'ended_by') is not null
    returning 1
), proposed as (
    -- Counting what ended first keeps the order: the live one goes before the next one comes.
    insert into proposal (task_id, seq, action, target, draft_version, draft_hash, source_version, requester, expires_at)
    select m.task_id, p.seq, p.action, p.target, p.draft_version, p.draft_hash, p.source_version, p.requester, p.expires_at
      from moved m, (select count(*) from ended) as first,
           jsonb_to_recordset($21::jsonb -> 'proposals') as p(seq bigint, action text, target text, draft_version int, draft_hash text,
                                        source_version text, requester uuid, expires_at timestamptz)
)";

static COMMIT: LazyLock<String> = LazyLock::new(|| [BEGIN, KEEP, END].concat());

impl Store {
    /// Writes a transition, or changes nothing and says why. Gives the task as it is now.
    pub async fn commit(&self, step: Transition<'_>) -> Result<Head, StoreError> {
        let before = &step.before.task;
        let at = step.before.now;
        let logged = number(before.seq, at, &step.events);
        let task = logged.iter().fold(before.clone(), evolve);
        let plan = plan(&task);
        let change = Change {
            task_id: before.id,
            seq: before.seq,
            at,
            log: log_rows(&logged),
            op_id: step.op_id,
            fence: step.fence,
            ledger: step.ledger,
            kept: json!({
                "evidence": evidence_rows(before, &step.events, step.text),
                "drafts": draft_rows(&step.events, step.text),
                "ended_by": proposal_end(before, &task, &step.events),
                "proposals": proposal_rows(&task, &logged),
            }),
            hold: step.hold,
            after: After {
                seq: task.seq,
                state: task.state.name().as_str(),
                phase: task.state.name().phase(),
                title: task.title.clone(),
                data: serde_json::to_value(&task).map_err(|e| StoreError::Unreadable(e.to_string()))?,
                due: plan.step.map(|_| next_try(&step.events).unwrap_or(at)),
                plan,
            },
        };
        let now = self.change(&COMMIT, change).await?;
        let keeps = step.hold != Hold::Release;
        Ok(Head {
            task,
            attempt: step.before.attempt,
            lease_until: step.before.lease_until.filter(|_| keeps),
            withdrawing: None,
            now,
            read_at: Instant::now(),
        })
    }
}

/// A failed try says when the next one is.
fn next_try(events: &[Event]) -> Option<Timestamp> {
    events.iter().find_map(|event| match event {
        Event::TryFailed { next_try_at, .. } => Some(*next_try_at),
        _ => None,
    })
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
