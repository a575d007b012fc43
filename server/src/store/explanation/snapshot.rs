//! The picture that learners get: the state, with the texts that belong to it.

use std::collections::HashMap;

use domain::{
    explanation::{State, StateName, Task},
    fault::Problem,
    id::{RecordId, TaskId, UserId},
    lease::Active,
    record::Evidence,
    snapshot::{Draft, OpenProposal, Outcome, Snapshot, UnderWay},
    task::{Kind, Phase, SCHEMA},
    time::Timestamp,
};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

use super::head::read;
use crate::store::{
    Store, StoreError,
    stored::{Stored, schema, seq, signed},
};

#[derive(FromRow)]
struct Row {
    task_id: Uuid,
    kind: String,
    schema: i32,
    record_id: String,
    question: String,
    title: String,
    seq: i64,
    state: String,
    phase: String,
    data: Json<serde_json::Value>,
    active_step: Option<String>,
    due_at: Option<time::OffsetDateTime>,
    lease_until: Option<time::OffsetDateTime>,
    created_at: time::OffsetDateTime,
    updated_at: time::OffsetDateTime,
    now: time::OffsetDateTime,
    contents: Option<Json<Vec<String>>>,
    texts: Option<Json<HashMap<u32, String>>>,
}

const COLUMNS: &str = "t.task_id, t.kind, t.schema, t.record_id, t.question, t.title, t.seq, t.state, t.phase, t.data,
    t.active_step, t.due_at, t.lease_until, t.created_at, t.updated_at,
    (select mooring_now()) as now";

impl Store {
    /// One task of `owner`, whole; none if it is not there or not theirs.
    pub async fn snapshot(&self, owner: UserId, task: TaskId) -> Result<Option<Snapshot>, StoreError> {
        // Only the current draft and the one before it travel with their texts.
        let row: Option<Row> = sqlx::query_as(&format!(
            "select {COLUMNS},
                    (select jsonb_agg(e.content order by e.n) from evidence e where e.task_id = t.task_id) as contents,
                    (select jsonb_object_agg(d.version, d.text)
                       from (select version, text from draft where task_id = t.task_id
                              order by version desc limit 2) as d) as texts
               from task t
              -- The key is the only way in: by their owner, all tasks of a learner would be read for one.
              where t.task_id = $1 and t.owner is not distinct from $2"
        ))
        .bind(task.0)
        .bind(owner.0)
        .fetch_optional(self.db())
        .await?;
        Ok(row.map(Row::into_snapshot))
    }

    /// All tasks of `owner`, newest first, without evidence and drafts.
    pub async fn snapshots(&self, owner: UserId, most: u32) -> Result<Vec<Snapshot>, StoreError> {
        let rows: Vec<Row> = sqlx::query_as(&format!(
            "select {COLUMNS}, null::jsonb as contents, null::jsonb as texts
               from task t where t.owner = $1
              order by t.created_at desc
              limit $2"
        ))
        .bind(owner.0)
        .bind(i64::from(most))
        .fetch_all(self.db())
        .await?;
        Ok(rows.into_iter().map(Row::into_snapshot).collect())
    }

    /// One version with its text.
    pub async fn draft(&self, owner: UserId, task: TaskId, version: u32) -> Result<Option<Draft>, StoreError> {
        let row: Option<(Json<Draft>,)> = sqlx::query_as(
            "select to_jsonb(d)
                    || jsonb_build_object('usage', t.data #> array['known', 'drafts', (d.version - 1)::text, 'usage'])
               from draft d join task t on t.task_id = d.task_id
              where d.task_id = $1 and d.version = $2 and t.owner = $3",
        )
        .bind(task.0)
        .bind(i32::try_from(version).unwrap_or(i32::MAX))
        .bind(owner.0)
        .fetch_optional(self.db())
        .await?;
        Ok(row.map(|(draft,)| draft.0))
    }
}

/// The picture of a task that was just born, which nobody has touched yet.
pub(super) fn of_newborn(task: &Task, at: Timestamp) -> Snapshot {
    let row = Row {
        task_id: task.id.0,
        kind: Kind::Explanation.as_str().to_owned(),
        schema: schema(),
        record_id: task.record_id.to_string(),
        question: task.question.clone(),
        title: task.title.clone(),
        seq: signed(task.seq),
        state: task.state.name().as_str().to_owned(),
        phase: task.state.name().phase().as_str().to_owned(),
        data: Json(serde_json::Value::Null),
        active_step: None,
        due_at: None,
        lease_until: None,
        created_at: at.into_inner(),
        updated_at: at.into_inner(),
        now: at.into_inner(),
        contents: None,
        texts: None,
    };
    row.picture(task)
}

impl Row {
    fn into_snapshot(self) -> Snapshot {
        let stored = Stored {
            kind: self.kind.clone(),
            schema: self.schema,
            state: self.state.clone(),
            seq: seq(self.seq),
            data: self.data.0.clone(),
        };
        match read(stored) {
            Ok(task) => self.picture(&task),
            Err(StoreError::Newer) => self.columns_alone("newer_build"),
            Err(_) => self.columns_alone("unreadable"),
        }
    }

    fn picture(self, task: &Task) -> Snapshot {
        let contents = self.contents.as_ref().map(|c| c.0.as_slice()).unwrap_or_default();
        let whole = self.contents.is_some() || self.texts.is_some();
        let evidence = task.known.evidence.iter().zip(contents).map(|(named, content)| Evidence {
            source: named.source.clone(),
            adapter: named.adapter.clone(),
            source_version: named.source_version.clone(),
            content: content.clone(),
            content_hash: named.content_hash.clone(),
            observed_at: named.observed_at,
        });
        let text = |version: u32| self.texts.as_ref().and_then(|t| t.0.get(&version).cloned());
        let drafts = task.known.drafts.iter().filter(|_| whole).map(|named| Draft {
            version: named.version,
            author: named.author,
            produced_by: named.produced_by.clone(),
            simulated: named.simulated,
            usage: named.usage,
            hash: named.hash.clone(),
            on_source_version: named.on_source_version.clone(),
            created_at: named.created_at,
            text: text(named.version),
        });
        let (evidence, drafts) = (evidence.collect(), drafts.collect());
        Snapshot {
            evidence,
            drafts,
            state: task.state.name(),
            phase: task.state.name().phase(),
            active: self.active(task),
            next_try_at: self.next_try_at(task),
            problem: task.state.problem().cloned(),
            notice: task.known.notice.clone(),
            draft_version: task.current().map(|d| d.version),
            proposal: proposal(task),
            outcome: outcome(task),
            under_way: under_way(task),
            accepted_at: accepted_at(task),
            looked_at: task.known.looked_at,
            ..self.frame()
        }
    }

    /// A payload that this build cannot read: all that the columns tell.
    fn columns_alone(self, why: &str) -> Snapshot {
        let state = StateName::ALL.into_iter().find(|s| s.as_str() == self.state).unwrap_or(StateName::NeedsChecking);
        let phase = serde_json::from_value(self.phase.clone().into()).unwrap_or_else(|_| state.phase());
        Snapshot { state, phase, problem: Some(Problem::new(why)), ..self.frame() }
    }

    fn frame(self) -> Snapshot {
        Snapshot {
            schema: SCHEMA,
            task_id: TaskId(self.task_id),
            kind: Kind::Explanation,
            record_id: RecordId::stored(self.record_id),
            title: self.title,
            question: self.question,
            seq: seq(self.seq),
            state: StateName::NeedsChecking,
            phase: Phase::AwaitingHuman,
            active: None,
            next_try_at: None,
            problem: None,
            notice: None,
            evidence: Vec::new(),
            drafts: Vec::new(),
            draft_version: None,
            proposal: None,
            outcome: None,
            under_way: None,
            accepted_at: None,
            looked_at: None,
            created_at: Timestamp::new(self.created_at),
            updated_at: Timestamp::new(self.updated_at),
            server_time: Timestamp::new(self.now),
        }
    }

    /// Work is active only while a worker holds the task by a live lease.
    fn active(&self, task: &Task) -> Option<Active> {
        let lease_until = self.lease_until.filter(|until| self.now < *until)?;
        Some(Active {
            step: self.active_step.clone()?,
            tries: task.state.used().map_or(0, |used| used.tries),
            lease_until: Timestamp::new(lease_until),
        })
    }

    fn next_try_at(&self, task: &Task) -> Option<Timestamp> {
        let waits = self.lease_until.is_none() && task.state.used().is_some_and(|used| 0 < used.tries);
        self.due_at.filter(|_| waits).map(Timestamp::new)
    }
}

fn proposal(task: &Task) -> Option<OpenProposal> {
    let State::AwaitingReview { proposal: Some(p) } = &task.state else { return None };
    Some(OpenProposal {
        draft_version: p.draft_version,
        draft_hash: p.draft_hash.clone(),
        source_version: p.source_version.clone(),
        action: p.action,
        expires_at: p.expires_at,
    })
}

fn under_way(task: &Task) -> Option<UnderWay> {
    let used = task.state.used()?;
    used.opened_at.map(|since| UnderWay { since, tries: used.tries })
}

fn accepted_at(task: &Task) -> Option<Timestamp> {
    match &task.state {
        State::Saved { accepted_at, .. } => *accepted_at,
        state => state.pending_save().map(|acceptance| acceptance.accepted_at),
    }
}

fn outcome(task: &Task) -> Option<Outcome> {
    match &task.state {
        State::Saved { entry_id, draft_version, hash, saved_at, .. } => Some(Outcome::Saved {
            entry_id: *entry_id,
            draft_version: *draft_version,
            hash: hash.clone(),
            saved_at: *saved_at,
        }),
        State::Cancelled { at, done, unknown } => {
            Some(Outcome::Cancelled { cancelled_at: *at, done: done.clone(), unknown: unknown.clone() })
        }
        _ => None,
    }
}
