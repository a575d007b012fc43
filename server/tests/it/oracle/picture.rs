//! What the oracle expects a learner to see.

use domain::{
    explanation::{Event, Recheck, State},
    id::{TaskId, UserId},
    lease::Active,
    record::Evidence,
    snapshot::{Draft, OpenProposal, Outcome, Snapshot, UnderWay},
    task::{Kind, SCHEMA},
    time::Timestamp,
};

use super::world::{Row, World};

impl World {
    /// The picture of a task, for its owner only.
    pub fn snapshot(&self, owner: UserId, task: TaskId) -> Option<Snapshot> {
        self.rows.get(&task).filter(|row| row.task.owner == owner).map(|row| self.picture(row))
    }

    /// All of a learner's, newest first, without what makes them long.
    pub fn snapshots(&self, owner: UserId) -> Vec<Snapshot> {
        let mine = self.rows.values().filter(|row| row.task.owner == owner);
        let mut list: Vec<Snapshot> =
            mine.map(|row| Snapshot { evidence: Vec::new(), drafts: Vec::new(), ..self.picture(row) }).collect();
        list.sort_by_key(|seen| std::cmp::Reverse(seen.created_at));
        list
    }

    fn picture(&self, row: &Row) -> Snapshot {
        let task = &row.task;
        let tries = task.state.used().map_or(0, |used| used.tries);
        let held = row.lease_until.filter(|until| self.now < *until);
        Snapshot {
            schema: SCHEMA,
            task_id: task.id,
            kind: Kind::Explanation,
            record_id: task.record_id.clone(),
            title: task.title.clone(),
            question: task.question.clone(),
            seq: task.seq,
            state: task.state.name(),
            phase: task.state.name().phase(),
            active: held.zip(row.active).map(|(lease_until, step)| Active {
                step: step.as_str().to_owned(),
                tries,
                lease_until,
            }),
            next_try_at: row.due_at.filter(|_| row.lease_until.is_none() && 0 < tries),
            problem: task.state.problem().cloned(),
            notice: task.known.notice.clone(),
            evidence: evidence(row),
            drafts: drafts(row),
            draft_version: task.current().map(|draft| draft.version),
            proposal: proposal(&task.state),
            outcome: outcome(&task.state),
            under_way: under_way(&task.state),
            accepted_at: accepted_at(row),
            looked_at: looked_at(row),
            created_at: row.log[0].0.at,
            updated_at: row.updated_at,
            server_time: self.now,
        }
    }
}

fn evidence(row: &Row) -> Vec<Evidence> {
    let with = row.task.known.evidence.iter().zip(&row.contents);
    with.map(|(named, content)| Evidence {
        source: named.source.clone(),
        adapter: named.adapter.clone(),
        source_version: named.source_version.clone(),
        content: content.clone(),
        content_hash: named.content_hash.clone(),
        observed_at: named.observed_at,
    })
    .collect()
}

fn drafts(row: &Row) -> Vec<Draft> {
    let known = &row.task.known.drafts;
    let with = known.iter().zip(&row.texts).enumerate();
    with.map(|(nth, (named, text))| Draft {
        version: named.version,
        author: named.author,
        produced_by: named.produced_by.clone(),
        simulated: named.simulated,
        usage: named.usage,
        hash: named.hash.clone(),
        on_source_version: named.on_source_version.clone(),
        created_at: named.created_at,
        // The current one and the one before it.
        text: (known.len() <= nth + 2).then(|| text.clone()),
    })
    .collect()
}

fn proposal(state: &State) -> Option<OpenProposal> {
    let State::AwaitingReview { proposal: Some(live) } = state else { return None };
    Some(OpenProposal {
        draft_version: live.draft_version,
        draft_hash: live.draft_hash.clone(),
        source_version: live.source_version.clone(),
        action: live.action,
        expires_at: live.expires_at,
    })
}

fn under_way(state: &State) -> Option<UnderWay> {
    let used = state.used()?;
    Some(UnderWay { since: used.opened_at?, tries: used.tries })
}

/// The last acceptance, while nothing but a save or its confirmation has come of it.
fn accepted_at(row: &Row) -> Option<Timestamp> {
    let state = &row.task.state;
    let stands = matches!(state, State::Saved { .. }) || state.pending_save().is_some();
    let accepted = row.log.iter().rev().find(|(logged, _)| matches!(logged.event, Event::Accepted { .. }));
    accepted.filter(|_| stands).map(|(logged, _)| logged.at)
}

/// The last look that brought the newest evidence, or saw it once more.
fn looked_at(row: &Row) -> Option<Timestamp> {
    row.log.iter().rev().find_map(|(logged, _)| match &logged.event {
        Event::SourceFound { evidence, .. } | Event::SourceChanged { evidence, .. } => Some(evidence.observed_at),
        Event::Rechecked { outcome: Recheck::Same, at, .. } => Some(*at),
        _ => None,
    })
}

fn outcome(state: &State) -> Option<Outcome> {
    match state.clone() {
        State::Saved { entry_id, draft_version, hash, saved_at, .. } => {
            Some(Outcome::Saved { entry_id, draft_version, hash, saved_at })
        }
        State::Cancelled { at, done, unknown } => Some(Outcome::Cancelled { cancelled_at: at, done, unknown }),
        _ => None,
    }
}
