//! How an event changes what is true. It never refuses: what was written, happened.

use super::{
    command::HOLDER_LOST,
    event::{Event, Logged, Recheck},
    state::{EvidenceRef, Known, State, Task},
};
use crate::{
    approval::{Acceptance, Proposal},
    fault::Problem,
    id::{OpId, TaskId},
    intent::Verdict,
    retry::Used,
    snapshot::Usage,
    time::Timestamp,
};

/// A whole log, from its `started` on; none for a log that does not begin with one.
pub fn replay(id: TaskId, log: &[Logged]) -> Option<Task> {
    let (first, rest) = log.split_first()?;
    rest.iter().fold(born(id, first), |task, logged| task.map(|t| evolve(t, logged)))
}

/// The task that a `started` begins.
pub fn born(id: TaskId, started: &Logged) -> Option<Task> {
    let Event::Started { owner, record_id, title, question, terms } = &started.event else {
        return None;
    };
    Some(Task {
        id,
        owner: *owner,
        seq: started.seq,
        record_id: record_id.clone(),
        title: title.clone(),
        question: question.clone(),
        terms: *terms,
        known: Known::default(),
        state: State::Created { opened_by: started.seq, used: Used::nothing(started.at) },
    })
}

/// Applies one event.
#[must_use]
pub fn evolve(mut task: Task, logged: &Logged) -> Task {
    let Logged { seq, at, event } = logged;
    task.seq = *seq;
    let fresh = Used::nothing(*at);
    match event.clone() {
        // Started is where a task is born; a claim and a late result change nothing that lasts.
        Event::Started { .. } | Event::Claimed { .. } | Event::LateResultDiscarded { .. } => {}
        Event::SourceFound { evidence, title } => {
            see(&mut task, evidence, title);
            task.state = State::EvidenceSaved { opened_by: *seq, used: fresh };
        }
        Event::SourceMissing { problem } => task.state = State::SourceMissing { problem },
        Event::SourceFailed { problem } => {
            let acceptance = task.state.pending_save().cloned();
            task.state = State::SourceUnavailable { problem, acceptance };
        }
        Event::TryFailed { step, code, tries, usage, .. } => {
            if step == super::Step::Draft {
                spend(&mut task, usage);
            }
            if let Some(used) = task.state.used_mut() {
                used.fail(tries, *at, code == HOLDER_LOST);
            }
        }
        Event::DraftProduced { draft, incomplete } => {
            spend(&mut task, draft.usage);
            task.known.drafts.push(draft);
            task.known.notice = incomplete.then(|| Problem::new("draft_incomplete"));
            task.state = State::AwaitingReview { proposal: None };
        }
        Event::DraftFailed { problem, usage } => {
            spend(&mut task, usage);
            if task.known.drafts.is_empty() {
                task.state = State::DraftFailed { problem };
            } else {
                task.known.notice = Some(problem);
                task.state = State::AwaitingReview { proposal: None };
            }
        }
        Event::Edited { draft, .. } => {
            task.known.drafts.push(draft);
            task.known.notice = None;
            task.state = State::AwaitingReview { proposal: None };
        }
        Event::RedraftAsked { .. } => {
            task.known.notice = None;
            task.state = State::EvidenceSaved { opened_by: *seq, used: fresh };
        }
        Event::Reopened {} => {
            task.known.notice = None;
            task.state = State::Rechecking { opened_by: *seq, used: fresh };
        }
        Event::Rechecked { outcome, at: looked_at, problem } => {
            rechecked(&mut task, outcome, looked_at, problem, fresh);
        }
        Event::SourceChanged { evidence, title } => {
            task.known.notice = Some(Problem::new("source_moved").with("version", &evidence.source_version));
            see(&mut task, evidence, title);
            task.state = State::AwaitingReview { proposal: None };
        }
        Event::Proposed { proposal } => task.state = State::AwaitingReview { proposal: Some(proposal) },
        Event::ProposalWithdrawn { .. } => {
            if let State::AwaitingReview { proposal } = &mut task.state {
                *proposal = None;
            }
        }
        Event::Accepted { .. } => {
            task.known.notice = None;
            accepted(&mut task, *at, fresh);
        }
        Event::Retried {} => retried(&mut task, fresh),
        Event::SaveConfirmed { entry_id, draft_version, hash, saved_at, .. } => {
            task.known.notice = None;
            let accepted_at = task.state.pending_save().map(|acceptance| acceptance.accepted_at);
            task.state = State::Saved { entry_id, draft_version, hash, saved_at, accepted_at };
        }
        Event::SaveWithdrawn { notice, .. } => {
            task.known.notice = notice;
            task.state = State::AwaitingReview { proposal: None };
        }
        Event::OutcomeUnknown { problem } => {
            task.state = State::NeedsChecking { problem, before: Box::new(task.state) };
        }
        Event::Settled { verdict, .. } => settled(&mut task, verdict, *seq, fresh),
        Event::Cancelled { done, unknown } => task.state = State::Cancelled { at: *at, done, unknown },
    }
    task
}

/// A call is paid for whatever came of it.
fn spend(task: &mut Task, usage: Option<Usage>) {
    task.known.model_calls += 1;
    task.known.model_tokens = task.known.model_tokens.saturating_add(usage.map_or(0, Usage::total));
}

fn see(task: &mut Task, evidence: EvidenceRef, title: String) {
    task.known.looked_at = Some(evidence.observed_at);
    task.known.evidence.push(evidence);
    task.title = title;
}

fn rechecked(task: &mut Task, outcome: Recheck, looked_at: Timestamp, problem: Option<Problem>, fresh: Used) {
    if outcome == Recheck::Same {
        task.known.looked_at = Some(looked_at);
    }
    match &mut task.state {
        // A look before a save that saw the same: the save goes on, with a fresh budget.
        State::Accepted { used, .. } if outcome == Recheck::Same => *used = fresh,
        _ => {
            task.known.notice = problem;
            task.state = State::AwaitingReview { proposal: None };
        }
    }
}

fn accepted(task: &mut Task, at: Timestamp, fresh: Used) {
    if let State::AwaitingReview { proposal: Some(proposal) } = &task.state {
        let acceptance = acceptance(task.id, task.seq, proposal.clone(), at);
        task.state = State::Accepted { acceptance, opened_by: task.seq, used: fresh };
    }
}

fn acceptance(id: TaskId, seq: u64, proposal: Proposal, at: Timestamp) -> Acceptance {
    Acceptance { proposal, accepted_at: at, save_op: OpId::of_effect(id, super::Step::Save.as_str(), seq) }
}

fn retried(task: &mut Task, fresh: Used) {
    task.known.model_calls = 0;
    task.known.model_tokens = 0;
    let opened_by = task.seq;
    task.state = match &task.state {
        State::SourceMissing { .. } | State::SourceUnavailable { acceptance: None, .. } => {
            State::Created { opened_by, used: fresh }
        }
        State::SourceUnavailable { acceptance: Some(acceptance), .. } => {
            State::Accepted { acceptance: acceptance.clone(), opened_by, used: fresh }
        }
        State::DraftFailed { .. } => State::EvidenceSaved { opened_by, used: fresh },
        other => other.clone(),
    };
}

fn settled(task: &mut Task, verdict: Verdict, opened_by: u64, fresh: Used) {
    // What a verdict ends is said by the event that follows it; going on is said here.
    if let (Verdict::LookAgain | Verdict::NotSavedSaveNow, State::NeedsChecking { before, .. }) = (verdict, &task.state)
    {
        let mut before = (**before).clone();
        if let State::Accepted { opened_by: step, used, .. } = &mut before {
            *step = opened_by;
            *used = fresh;
        } else if let Some(used) = before.used_mut() {
            *used = fresh;
        }
        task.state = before;
    }
}

impl State {
    fn used_mut(&mut self) -> Option<&mut Used> {
        match self {
            Self::Created { used, .. }
            | Self::EvidenceSaved { used, .. }
            | Self::Rechecking { used, .. }
            | Self::Accepted { used, .. } => Some(used),
            _ => None,
        }
    }

    /// What the step under way has used of its budget.
    pub fn used(&self) -> Option<Used> {
        self.clone().used_mut().copied()
    }
}
