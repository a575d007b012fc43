//! Taking a save back: the one thing that both the web and the worker may finish.
//!
//! The intention is in the ledger, with its reason, before the library is asked; whoever finds it
//! there finishes it. Invariant: an accepted task leaves by another door than `saved` only after
//! the library has said that the save will never happen.

use domain::{
    explanation::{
        Command, Decision, Step, Task,
        command::{Reason, SavedAs, Withdrawal},
        decide, effect,
    },
    fault::{Code, Fault},
    id::{OpId, TaskId},
    operation::{Answer, OpReceipt, OpState},
    snapshot::LibraryEntry,
};
use serde::Deserialize;

use crate::{
    library::{Found, Library, LibraryError},
    store::{Claim, Head, Hold, Store, StoreError, Transition, Written},
};

/// What the ledger keeps of an intended withdrawal.
#[derive(Clone, Debug, Deserialize)]
struct Intended {
    reason: Reason,
    /// The learner's operation that asked for it.
    command: Option<OpId>,
}

/// Why a withdrawal could not be finished now. It stays intended.
#[derive(Debug, thiserror::Error)]
pub enum WithdrawError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error("the withdrawal cannot be read back")]
    Unreadable,
    #[error("the task no longer waits for a withdrawal")]
    Refused(#[from] Fault),
}

/// Names an entry of the library for the rules.
pub fn saved_as(entry: &LibraryEntry) -> SavedAs {
    SavedAs {
        entry_id: entry.entry_id,
        draft_version: entry.draft_version,
        hash: entry.hash.clone(),
        saved_at: entry.saved_at,
    }
}

/// Asks the library and writes what it said, under `claim`. Gives the task as it is then.
pub async fn finish(store: &Store, library: &dyn Library, claim: &Claim, op: OpId) -> Result<Head, WithdrawError> {
    let row = store.operation(claim.task_id, op).await?.ok_or(WithdrawError::Unreadable)?;
    let details = row.result.clone().ok_or(WithdrawError::Unreadable)?;
    let intended: Intended = serde_json::from_value(details).map_err(|_| WithdrawError::Unreadable)?;
    // A note of a late result may move the task under us; it is then read again, a few times.
    for _ in 0..5 {
        let head = store.held_anew(claim).await?;
        let save = head.task.state.pending_save().ok_or_else(|| not_waiting(&head.task))?.save_op;
        let outcome = match library.withdraw(claim.task_id, save).await? {
            Found::Entry(entry) => Withdrawal::TooLate(saved_as(&entry)),
            Found::Withdrawn | Found::Nothing => Withdrawal::Done,
        };
        let command = Command::Withdrawn { reason: intended.reason.clone(), outcome: outcome.clone() };
        let decision = decide(&head.task, &command, head.now)?;
        match write(store, claim, &head, op, &intended, &outcome, decision).await {
            Err(StoreError::Moved) => {}
            other => return Ok(other?),
        }
    }
    Err(StoreError::Moved.into())
}

fn not_waiting(task: &Task) -> Fault {
    Fault::not_in_this_state(Step::Withdraw.as_str(), task.state.name().as_str())
}

async fn write(
    store: &Store,
    claim: &Claim,
    head: &Head,
    op: OpId,
    intended: &Intended,
    outcome: &Withdrawal,
    decision: Decision,
) -> Result<Head, StoreError> {
    let task = &head.task;
    let step = Written::effect(task.id, task.owner, op, Step::Withdraw.as_str(), OpState::Done);
    let mut ledger = vec![step];
    // The look at the source that gave the reason has answered.
    if matches!(intended.reason, Reason::Moved { .. } | Reason::Gone { .. })
        && let Some(look) = effect::look_before_save(task)
    {
        ledger.push(Written::effect(task.id, task.owner, look.op_id, look.step.as_str(), OpState::Done));
    }
    if let Some(save) = task.state.pending_save() {
        let state = if matches!(outcome, Withdrawal::Done) { OpState::Failed } else { OpState::Done };
        ledger.push(Written::effect(task.id, task.owner, save.save_op, Step::Save.as_str(), state));
    }
    if let Some(command) = intended.command
        && let Some(recorded) = store.operation(task.id, command).await?
    {
        let seq = task.seq + decision.events.len() as u64;
        let answer = answer(&intended.reason, outcome, command, task, seq);
        let verb = verb(&intended.reason);
        ledger.push(Written::answer(command, task.owner, verb, recorded.fingerprint, &answer).after_intended());
    }
    let text = match &intended.reason {
        Reason::Moved { content, .. } => Some(content.as_str()),
        _ => None,
    };
    store
        .commit(Transition {
            before: head,
            events: decision.events,
            op_id: intended.command.or(Some(op)),
            fence: Some(claim.fence),
            ledger,
            text,
            hold: Hold::Release,
        })
        .await
}

fn verb(reason: &Reason) -> &'static str {
    if matches!(reason, Reason::Stop { .. }) { "settle" } else { "cancel" }
}

/// A cancel that loses against the save is refused honestly.
fn answer(reason: &Reason, outcome: &Withdrawal, op_id: OpId, task: &Task, seq: u64) -> Answer {
    match outcome {
        Withdrawal::TooLate(_) => Answer::Refused(Fault::new(Code::TooLate).with("found", "saved")),
        Withdrawal::Done => Answer::Done(OpReceipt {
            op_id,
            code: if matches!(reason, Reason::Stop { .. }) { "settled" } else { "cancelled" }.to_owned(),
            draft_version: task.current().map(|d| d.version),
            seq,
        }),
    }
}

/// Tasks are named in logs, texts never.
pub fn log_failure(task: TaskId, error: &WithdrawError) {
    tracing::warn!(task.id = %task, error = error as &dyn std::error::Error, "a withdrawal could not be finished yet");
}
