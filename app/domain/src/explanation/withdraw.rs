//! The rules around the save: what is checked before it, and how it is taken back.
//!
//! Invariant: no way out of an accepted task but `saved` is taken before the library has
//! withdrawn the save; an entry found there means saved.

use super::{
    command::{Looked, Reason, Withdrawal},
    decide::{Decision, acceptance, confirmed, look_again, propose_current, propose_on, record, refused},
    effect,
    event::{Event, Recheck},
    state::{State, StateName, Task},
};
use crate::{
    approval::Acceptance,
    fault::{Code, Fault, Problem},
    intent::Verdict,
    text::Hash,
    time::Timestamp,
};

/// Ask the library first; nothing is written yet.
pub(super) fn first(save: &Acceptance, reason: Reason) -> Decision {
    Decision { events: Vec::new(), effect: Some(effect::withdrawal(save.save_op, reason)) }
}

/// Every state that is not finished may be cancelled; a pending save is withdrawn first.
pub(super) fn cancel(task: &Task, in_flight: bool) -> Result<Decision, Fault> {
    let name = task.state.name();
    if name.phase().is_finished() {
        return Err(Fault::new(Code::TooLate).with("found", name.as_str()));
    }
    if let Some(save) = task.state.pending_save() {
        return Ok(first(save, Reason::Cancel));
    }
    let sent = match effect::due(task) {
        Some(step) if in_flight => vec![step.step.as_str().to_owned()],
        _ => Vec::new(),
    };
    Ok(Decision { events: vec![cancelled(task, sent)], effect: None })
}

/// Requester, expiry and hash must still hold at the very door of the library.
pub(super) fn before_save(
    task: &Task,
    requester_valid: bool,
    stored_hash: Option<&Hash>,
    now: Timestamp,
) -> Result<Decision, Fault> {
    let State::Accepted { acceptance, .. } = &task.state else {
        return refused(task, "save");
    };
    if stored_hash != Some(&acceptance.proposal.draft_hash) {
        let problem = Problem::new("hash_wrong").with("version", acceptance.proposal.draft_version);
        return Ok(record(task, vec![Event::OutcomeUnknown { problem }], now));
    }
    let draft = acceptance.proposal.draft_version;
    if !requester_valid || acceptance.proposal.requester != task.owner {
        let notice = Problem::new("requester_invalid").with("version", draft);
        return Ok(first(acceptance, Reason::NotValid { notice }));
    }
    if acceptance.proposal.expires_at <= now {
        let notice = Problem::new("expired").with("version", draft);
        return Ok(first(acceptance, Reason::NotValid { notice }));
    }
    Ok(record(task, Vec::new(), now))
}

/// The evidence was too old and has been looked at again.
pub(super) fn looked_before_save(task: &Task, looked: &Looked, now: Timestamp) -> Result<Decision, Fault> {
    let save = acceptance(task, "look_up")?;
    match looked {
        Looked::Missing(problem) => Ok(first(save, Reason::Gone { problem: problem.clone() })),
        Looked::Found { evidence, title } => match look_again(task, evidence, title) {
            // Its content is added by the worker, which has it in hand.
            Event::SourceChanged { evidence, title } => {
                Ok(first(save, Reason::Moved { evidence, title, content: String::new() }))
            }
            unchanged => Ok(record(task, vec![unchanged], now)),
        },
    }
}

/// The library has answered: either the save came first, or the reason takes its course.
pub(super) fn ended(task: &Task, reason: &Reason, outcome: &Withdrawal, now: Timestamp) -> Result<Vec<Event>, Fault> {
    let save = acceptance(task, "withdraw")?;
    if let Withdrawal::TooLate(saved) = outcome {
        return Ok(vec![confirmed(saved, true)]);
    }
    let notice = match reason {
        Reason::NotValid { notice } => Some(notice.clone()),
        Reason::Cancel | Reason::Stop { .. } | Reason::Moved { .. } | Reason::Gone { .. } => None,
    };
    let withdrawn = Event::SaveWithdrawn { save_op: save.save_op, reason: reason.as_str().to_owned(), notice };
    let rest = match reason {
        Reason::Cancel => vec![cancelled(task, Vec::new())],
        Reason::Stop { note } => {
            vec![Event::Settled { verdict: Verdict::NotSavedStop, note: note.clone() }, cancelled(task, Vec::new())]
        }
        Reason::NotValid { .. } => propose_current(task, now).into_iter().collect(),
        Reason::Moved { evidence, title, .. } => {
            let changed = Event::SourceChanged { evidence: evidence.clone(), title: title.clone() };
            let on = evidence.source_version.clone();
            let proposed = task.current().map(|draft| propose_on(task, draft, on, now));
            std::iter::once(changed).chain(proposed).collect()
        }
        Reason::Gone { problem } => {
            let gone = Event::Rechecked { outcome: Recheck::Gone, at: now, problem: Some(problem.clone()) };
            std::iter::once(gone).chain(propose_current(task, now)).collect()
        }
    };
    Ok(std::iter::once(withdrawn).chain(rest).collect())
}

fn cancelled(task: &Task, unknown: Vec<String>) -> Event {
    let mut done = Vec::new();
    if task.newest_evidence().is_some() {
        done.push(StateName::EvidenceSaved.as_str().to_owned());
    }
    if let Some(draft) = task.current() {
        done.push(format!("version_{}", draft.version));
    }
    Event::Cancelled { done, unknown }
}
