//! What may happen next. All rules of an explanation are here and in [`super::evolve`].

use std::time::Duration;

use super::{
    command::{Command, HOLDER_LOST, Looked, SavedAs},
    effect::{self, Effect, Step},
    event::{Event, Logged, Recheck},
    evolve::evolve,
    state::{DraftRef, EvidenceRef, State, Task},
    withdraw,
};
use crate::{
    approval::{Action, Proposal, Target},
    fault::{Code, Fault, Problem},
    id::{SourceVersion, UserId},
    intent::Verdict,
    retry::{self, Used},
    snapshot::{Author, Usage},
    text::Hash,
    time::Timestamp,
};

/// What follows from a command: what is written, and what must then be done outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub events: Vec<Event>,
    /// With no events and a withdrawal: the library must be asked before anything is written.
    pub effect: Option<Effect>,
}

/// Decides. A refusal is a value that names what was wanted and what was found.
pub fn decide(task: &Task, command: &Command, now: Timestamp) -> Result<Decision, Fault> {
    let events = match command {
        Command::Edit { base_version, hash } => edit(task, *base_version, hash, now)?,
        Command::Accept { draft_version, draft_hash, seen_source_version } => {
            accept(task, *draft_version, draft_hash, seen_source_version, now)?
        }
        Command::Redraft { base_version } => redraft(task, *base_version)?,
        Command::Reopen => reopen(task)?,
        Command::Retry => retry_step(task)?,
        Command::Cancel { in_flight } => return withdraw::cancel(task, *in_flight),
        Command::Settle { verdict, note, found } => return settle(task, *verdict, note, found.as_ref(), now),
        Command::Looked(looked) => return looked_up(task, looked, now),
        Command::Drafted { hash, produced_by, simulated, incomplete, usage } => {
            let draft = DraftRef { usage: *usage, ..drafted(task, hash, produced_by, *simulated, now)? };
            let proposed = propose(task, &draft, now);
            vec![Event::DraftProduced { draft, incomplete: *incomplete }, proposed]
        }
        Command::StepFailed { step, problem, worth_retrying, asked, jitter, usage } => {
            let again = |used| retry::next_try(&task.terms, used, now, *asked, *jitter);
            let again = |used| worth_retrying.then(|| again(used)).flatten();
            step_failed(task, *step, problem, *usage, now, again)?
        }
        Command::HolderLost { step } => {
            let problem = Problem::new(HOLDER_LOST);
            step_failed(task, *step, &problem, None, now, |used| (used.tries + 1 < task.terms.tries).then_some(now))?
        }
        Command::BeforeSave { requester_valid, stored_hash } => {
            return withdraw::before_save(task, *requester_valid, stored_hash.as_ref(), now);
        }
        Command::SaveConfirmed { saved, found } => {
            acceptance(task, "save")?;
            vec![confirmed(saved, *found)]
        }
        Command::SaveUncertain { problem } => {
            acceptance(task, "save")?;
            vec![uncertain(task, problem.clone())]
        }
        Command::Withdrawn { reason, outcome } => withdraw::ended(task, reason, outcome, now)?,
    };
    Ok(record(task, events, now))
}

/// The decision to write these events and go on with what is due after them.
pub(super) fn record(task: &Task, events: Vec<Event>, now: Timestamp) -> Decision {
    let after = number(task.seq, now, &events).iter().fold(task.clone(), evolve);
    Decision { events, effect: effect::due(&after) }
}

/// Gives events their places after `seq`.
pub fn number(seq: u64, at: Timestamp, events: &[Event]) -> Vec<Logged> {
    (seq + 1..).zip(events).map(|(seq, event)| Logged { seq, at, event: event.clone() }).collect()
}

/// The event that begins a task.
pub fn start(
    owner: UserId,
    record_id: crate::id::RecordId,
    title: String,
    question: &crate::text::Question,
    terms: retry::Terms,
) -> Event {
    Event::Started { owner, record_id, title, question: question.as_str().to_owned(), terms }
}

pub(super) fn refused<T>(task: &Task, wanted: &str) -> Result<T, Fault> {
    Err(Fault::not_in_this_state(wanted, task.state.name().as_str()))
}

pub(super) fn acceptance<'a>(task: &'a Task, wanted: &str) -> Result<&'a crate::approval::Acceptance, Fault> {
    task.state.pending_save().map_or_else(|| refused(task, wanted), Ok)
}

pub(super) fn confirmed(saved: &SavedAs, found: bool) -> Event {
    Event::SaveConfirmed {
        entry_id: saved.entry_id,
        draft_version: saved.draft_version,
        hash: saved.hash.clone(),
        saved_at: saved.saved_at,
        found,
    }
}

/// A save whose outcome is not known: which version, so that a person can look for it.
fn uncertain(task: &Task, problem: Problem) -> Event {
    let version = task.state.pending_save().map(|save| save.proposal.draft_version);
    Event::OutcomeUnknown {
        problem: match version {
            Some(version) => problem.with("version", version),
            None => problem,
        },
    }
}

/// The proposal that goes with `draft`, on the newest evidence.
fn propose(task: &Task, draft: &DraftRef, now: Timestamp) -> Event {
    let source_version =
        task.newest_evidence().map_or_else(|| draft.on_source_version.clone(), |e| e.source_version.clone());
    propose_on(task, draft, source_version, now)
}

pub(super) fn propose_on(task: &Task, draft: &DraftRef, source_version: SourceVersion, now: Timestamp) -> Event {
    Event::Proposed {
        proposal: Proposal {
            action: Action::SaveToLibrary,
            target: Target::Library,
            draft_version: draft.version,
            draft_hash: draft.hash.clone(),
            source_version,
            requester: task.owner,
            expires_at: now.plus(Duration::from_secs(task.terms.proposal_s.into())),
        },
    }
}

/// A proposal for the current version, if there is a version.
pub(super) fn propose_current(task: &Task, now: Timestamp) -> Option<Event> {
    task.current().map(|draft| propose(task, draft, now))
}

fn in_review<'a>(task: &'a Task, wanted: &str, version: u32) -> Result<&'a DraftRef, Fault> {
    let (State::AwaitingReview { .. }, Some(current)) = (&task.state, task.current()) else {
        return refused(task, wanted);
    };
    if version == current.version {
        Ok(current)
    } else {
        Err(Fault::new(Code::StaleVersion).with("named", version).with("current", current.version))
    }
}

fn withdraw_proposal(task: &Task, reason: &str) -> Option<Event> {
    match &task.state {
        State::AwaitingReview { proposal: Some(p) } => {
            Some(Event::ProposalWithdrawn { draft_version: p.draft_version, reason: reason.to_owned() })
        }
        _ => None,
    }
}

fn edit(task: &Task, base_version: u32, hash: &Hash, now: Timestamp) -> Result<Vec<Event>, Fault> {
    let base = in_review(task, "edit", base_version)?;
    let draft = DraftRef {
        version: task.next_version(),
        author: Author::Learner,
        produced_by: "learner".to_owned(),
        simulated: false,
        usage: None,
        hash: hash.clone(),
        on_source_version: base.on_source_version.clone(),
        created_at: now,
    };
    let proposed = propose(task, &draft, now);
    let withdrawn = withdraw_proposal(task, "edited");
    Ok(withdrawn.into_iter().chain([Event::Edited { draft, base_version }, proposed]).collect())
}

fn accept(task: &Task, version: u32, hash: &Hash, seen: &SourceVersion, now: Timestamp) -> Result<Vec<Event>, Fault> {
    if task.state.name().phase().is_finished() {
        return Err(Fault::new(Code::TooLate).with("found", task.state.name().as_str()));
    }
    let current = in_review(task, "accept", version)?;
    if *hash != current.hash {
        return Err(Fault::new(Code::HashMismatch).with("named", version));
    }
    let State::AwaitingReview { proposal: Some(proposal) } = &task.state else {
        return Err(Fault::new(Code::Expired).with("named", version));
    };
    if proposal.expires_at <= now {
        return Err(Fault::new(Code::Expired).with("named", version));
    }
    if *seen != proposal.source_version {
        let newest = &proposal.source_version;
        return Err(Fault::new(Code::SourceChanged).with("seen", seen).with("newest", newest));
    }
    Ok(vec![Event::Accepted { draft_version: version, hash: hash.clone(), source_version: seen.clone() }])
}

fn redraft(task: &Task, base_version: u32) -> Result<Vec<Event>, Fault> {
    in_review(task, "redraft", base_version)?;
    Ok(withdraw_proposal(task, "redraft").into_iter().chain([Event::RedraftAsked { base_version }]).collect())
}

fn reopen(task: &Task) -> Result<Vec<Event>, Fault> {
    match &task.state {
        State::AwaitingReview { .. } => {
            Ok(withdraw_proposal(task, "reopened").into_iter().chain([Event::Reopened {}]).collect())
        }
        _ => refused(task, "reopen"),
    }
}

fn retry_step(task: &Task) -> Result<Vec<Event>, Fault> {
    match &task.state {
        State::SourceMissing { .. } | State::SourceUnavailable { .. } | State::DraftFailed { .. } => {
            Ok(vec![Event::Retried {}])
        }
        _ => refused(task, "retry"),
    }
}

fn settle(
    task: &Task,
    verdict: Verdict,
    note: &str,
    found: Option<&SavedAs>,
    now: Timestamp,
) -> Result<Decision, Fault> {
    let State::NeedsChecking { before, .. } = &task.state else {
        return refused(task, "settle");
    };
    let settled = Event::Settled { verdict, note: note.to_owned() };
    let events = match (verdict, before.pending_save(), found) {
        (Verdict::LookAgain, _, None) | (Verdict::NotSavedSaveNow, Some(_), None) => vec![settled],
        // Whatever the verdict: an entry that is there was saved.
        (Verdict::LookAgain | Verdict::WasSaved | Verdict::NotSavedSaveNow, Some(_), Some(entry)) => {
            vec![settled, confirmed(entry, true)]
        }
        (Verdict::WasSaved, Some(_), None) => return Err(Fault::new(Code::EntryNotFound)),
        (Verdict::NotSavedStop, Some(save), _) => {
            return Ok(withdraw::first(save, super::command::Reason::Stop { note: note.to_owned() }));
        }
        (_, None, _) => return refused(task, "settle a save of"),
    };
    Ok(record(task, events, now))
}

fn looked_up(task: &Task, looked: &Looked, now: Timestamp) -> Result<Decision, Fault> {
    let events = match (&task.state, looked) {
        (State::Created { .. }, Looked::Found { evidence, title }) => {
            vec![Event::SourceFound { evidence: evidence.clone(), title: title.clone() }]
        }
        (State::Created { .. }, Looked::Missing(problem)) => vec![Event::SourceMissing { problem: problem.clone() }],
        (State::Rechecking { .. }, Looked::Found { evidence, title }) => {
            let first = look_again(task, evidence, title);
            let on = match &first {
                Event::SourceChanged { evidence, .. } => evidence.source_version.clone(),
                _ => task.newest_evidence().unwrap_or(evidence).source_version.clone(),
            };
            let proposed = task.current().map(|draft| propose_on(task, draft, on, now));
            std::iter::once(first).chain(proposed).collect()
        }
        (State::Rechecking { .. }, Looked::Missing(problem)) => {
            vec![Event::Rechecked { outcome: Recheck::Gone, at: now, problem: Some(problem.clone()) }]
        }
        (State::Accepted { .. }, _) => return withdraw::looked_before_save(task, looked, now),
        _ => return refused(task, "look_up"),
    };
    Ok(record(task, events, now))
}

/// What a later look says: the same as before, or a change.
pub(super) fn look_again(task: &Task, evidence: &EvidenceRef, title: &str) -> Event {
    if task.newest_evidence().is_some_and(|newest| newest.shows_the_same_as(evidence)) {
        Event::Rechecked { outcome: Recheck::Same, at: evidence.observed_at, problem: None }
    } else {
        Event::SourceChanged { evidence: evidence.told_apart(&task.known.evidence), title: title.to_owned() }
    }
}

fn drafted(task: &Task, hash: &Hash, produced_by: &str, simulated: bool, now: Timestamp) -> Result<DraftRef, Fault> {
    let (State::EvidenceSaved { .. }, Some(evidence)) = (&task.state, task.newest_evidence()) else {
        return refused(task, "draft");
    };
    Ok(DraftRef {
        version: task.next_version(),
        author: Author::Model,
        produced_by: produced_by.to_owned(),
        simulated,
        usage: None,
        hash: hash.clone(),
        on_source_version: evidence.source_version.clone(),
        created_at: now,
    })
}

fn step_failed(
    task: &Task,
    step: Step,
    problem: &Problem,
    usage: Option<Usage>,
    now: Timestamp,
    again: impl Fn(Used) -> Option<Timestamp>,
) -> Result<Vec<Event>, Fault> {
    let Some(used) = task.state.used() else {
        return refused(task, step.as_str());
    };
    let tries = used.tries + 1;
    if let Some(next_try_at) = again(used) {
        return Ok(vec![Event::TryFailed { step, code: problem.code.clone(), tries, next_try_at, usage }]);
    }
    let problem = problem.clone().with("tries", tries).with("record", &task.record_id);
    Ok(match (&task.state, step) {
        (State::Created { .. }, _) | (State::Accepted { .. }, Step::Recheck) => vec![Event::SourceFailed { problem }],
        (State::EvidenceSaved { .. }, _) => {
            std::iter::once(Event::DraftFailed { problem, usage }).chain(propose_current(task, now)).collect()
        }
        (State::Rechecking { .. }, _) => {
            vec![Event::Rechecked { outcome: Recheck::Unavailable, at: now, problem: Some(problem) }]
        }
        _ => vec![uncertain(task, problem)],
    })
}
