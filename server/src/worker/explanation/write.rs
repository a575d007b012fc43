//! Deciding and writing, under the fence.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use domain::{
    explanation::{Command, Effect, Event, Step, Task, decide, event::Recheck},
    fault::Problem,
    id::OpId,
    operation::OpState,
    snapshot::Usage,
    time::Timestamp,
};

use super::{Came, Interrupted, Next, Run};
use crate::{
    store::{Head, Hold, StoreError, Transition, Written},
    telemetry::numbers::step_came_to,
    worker::attempt::DATABASE_AGAIN,
};

/// What a step wants written.
pub(super) struct Outcome<'a> {
    pub step: Step,
    pub op_id: OpId,
    /// When the step began.
    pub began: Instant,
    /// The content or text that new evidence or a new draft brings.
    pub text: Option<&'a str>,
    /// There is something in hand that would be worth a note if it came too late.
    pub result_in_hand: bool,
}

/// What was decided and written.
pub(super) struct Wrote {
    pub head: Head,
    pub events: Vec<Event>,
    /// A save to be withdrawn before anything is written.
    pub withdraw: Option<Effect>,
    pub next: Option<Next>,
}

impl Run<'_> {
    /// Decides on the task as it is now, and writes; again if it has only moved by a note. The
    /// command is made from the task and the database's time at that moment.
    pub(super) async fn write(
        &self,
        known: &Head,
        outcome: &Outcome<'_>,
        command: impl Fn(&Task, Timestamp) -> Command,
    ) -> Result<Wrote, Interrupted> {
        self.attempt.in_hand.store(outcome.result_in_hand, Ordering::Relaxed);
        let wrote = self.write_patiently(known, outcome, command).await;
        self.attempt.in_hand.store(false, Ordering::Relaxed);
        wrote
    }

    /// A database that is away for a moment costs a moment, not the result: it is asked again for
    /// as long as a lease lasts. Whether a lost commit happened shows when the task is read again.
    async fn write_patiently(
        &self,
        known: &Head,
        outcome: &Outcome<'_>,
        command: impl Fn(&Task, Timestamp) -> Command,
    ) -> Result<Wrote, Interrupted> {
        let since = Instant::now();
        loop {
            match self.write_rounds(known, outcome, &command).await {
                Err(Interrupted::Store(StoreError::Database(error)))
                    if since.elapsed() < self.worker.settings.lease =>
                {
                    tracing::warn!(task.id = %self.claim.task_id, %error, "a result could not be written yet");
                    tokio::time::sleep(DATABASE_AGAIN).await;
                }
                other => return other,
            }
        }
    }

    async fn write_rounds(
        &self,
        known: &Head,
        outcome: &Outcome<'_>,
        command: &impl Fn(&Task, Timestamp) -> Command,
    ) -> Result<Wrote, Interrupted> {
        let store = &self.worker.store;
        for round in 0..5 {
            let found =
                if round == 0 { store.held(self.claim, known).await } else { store.held_anew(self.claim).await };
            let before = match found {
                Err(StoreError::LostLease) => return self.too_late(outcome).await,
                other => other?,
            };
            let decision = decide(&before.task, &command(&before.task, before.now), before.now)?;
            if decision.events.is_empty() {
                let withdraw = decision.effect.filter(|e| e.step == Step::Withdraw);
                return Ok(Wrote { head: before, events: Vec::new(), withdraw, next: None });
            }
            let again = decision.events.iter().find_map(|e| match e {
                Event::TryFailed { next_try_at, .. } => Some(*next_try_at),
                _ => None,
            });
            let goes_on = decision.effect.filter(|_| again.is_none_or(|at| at <= before.now));
            // A failed try goes on with its own step, which may be the look before the one that is due.
            let begins = goes_on.as_ref().filter(|_| again.is_none());
            let ledger = ledger(&before.task, outcome, &decision.events, begins);
            let active = begins.map_or(outcome.step, |next| next.step);
            let written = store
                .commit(Transition {
                    before: &before,
                    events: decision.events.clone(),
                    op_id: Some(outcome.op_id),
                    fence: Some(self.claim.fence),
                    ledger,
                    text: outcome.text,
                    hold: if goes_on.is_some() { Hold::Keep(active.as_str()) } else { Hold::Release },
                })
                .await;
            match written {
                Ok(head) => {
                    step_came_to(outcome.step, outcome.began.elapsed(), &decision.events);
                    let (announcer, task) = (&self.worker.announcer, &head.task);
                    let next = goes_on.as_ref().map(Next::fresh);
                    if next.is_some() {
                        announcer.working(task.id, task.seq);
                    } else {
                        announcer.changed(task.id, task.seq);
                    }
                    return Ok(Wrote { head, events: decision.events, withdraw: None, next });
                }
                Err(StoreError::Moved) => {}
                Err(StoreError::LostLease) => return self.too_late(outcome).await,
                Err(other) => return Err(other.into()),
            }
        }
        Err(Interrupted::Store(StoreError::Moved))
    }

    /// A step failed: another try, or the end of its budget.
    pub(super) async fn fail(
        &self,
        head: &Head,
        outcome: &Outcome<'_>,
        problem: &Problem,
        worth_retrying: bool,
        asked: Option<Duration>,
        usage: Option<Usage>,
    ) -> Result<Came, Interrupted> {
        let jitter = (self.worker.jitter)();
        let wrote = self
            .write(head, outcome, |_, _| Command::StepFailed {
                step: outcome.step,
                problem: problem.clone(),
                worth_retrying,
                asked,
                jitter,
                usage,
            })
            .await?;
        Ok((wrote.head, wrote.next))
    }

    /// The last holder died in this step: that was a try. Goes on at once while the budget lasts; the
    /// second of the pair says that it does not.
    pub(super) async fn count_lost_try(
        &self,
        head: &Head,
        outcome: &Outcome<'_>,
    ) -> Result<(Head, Option<Came>), Interrupted> {
        let wrote = self.write(head, outcome, |_, _| Command::HolderLost { step: outcome.step }).await?;
        let again = wrote.events.iter().any(|e| matches!(e, Event::TryFailed { .. }));
        let given_up = (!again).then(|| (wrote.head.clone(), wrote.next));
        Ok((wrote.head, given_up))
    }

    async fn too_late(&self, outcome: &Outcome<'_>) -> Result<Wrote, Interrupted> {
        if outcome.result_in_hand {
            self.worker.store.note_late_result(self.claim, outcome.step.as_str(), outcome.op_id).await?;
        }
        Err(Interrupted::LostLease)
    }
}

/// How the step's operation ended, and the one that goes on.
fn ledger(task: &Task, outcome: &Outcome<'_>, events: &[Event], goes_on: Option<&Effect>) -> Vec<Written> {
    let effect = |op, step: Step, state| Written::effect(task.id, task.owner, op, step.as_str(), state);
    let mut ledger: Vec<Written> =
        events.iter().find_map(ended).map(|state| effect(outcome.op_id, outcome.step, state)).into_iter().collect();
    if let Some(next) = goes_on.filter(|next| next.op_id != outcome.op_id) {
        let state = if next.step.is_read() { OpState::Intended } else { OpState::Sent };
        ledger.push(effect(next.op_id, next.step, state));
    }
    ledger
}

/// What an event says of the operation that brought it; nothing where there will be another try.
fn ended(event: &Event) -> Option<OpState> {
    match event {
        Event::Rechecked { outcome: Recheck::Unavailable, .. }
        | Event::SourceFailed { .. }
        | Event::DraftFailed { .. } => Some(OpState::Failed),
        Event::SourceMissing { .. }
        | Event::SourceFound { .. }
        | Event::SourceChanged { .. }
        | Event::DraftProduced { .. }
        | Event::Rechecked { .. }
        | Event::SaveConfirmed { .. } => Some(OpState::Done),
        Event::OutcomeUnknown { .. } => Some(OpState::Unknown),
        _ => None,
    }
}
