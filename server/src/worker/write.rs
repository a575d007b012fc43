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
    time::Timestamp,
};

use super::attempt::{Attempt, Came, Interrupted, Next};
use crate::{
    store::{Head, Hold, StoreError, Transition, Written},
    telemetry::numbers::step_came_to,
};

/// Between two tries to reach a database that is away.
pub(super) const DATABASE_AGAIN: Duration = Duration::from_millis(200);

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
    pub task: Task,
    pub events: Vec<Event>,
    /// A save to be withdrawn before anything is written.
    pub withdraw: Option<(Head, Effect)>,
    pub next: Option<Next>,
}

impl Attempt<'_> {
    /// Reads the task, decides, and writes; again if it has only moved by a note. The command is
    /// made from the task and the database's time at that moment.
    pub(super) async fn write(
        &self,
        outcome: &Outcome<'_>,
        command: impl Fn(&Task, Timestamp) -> Command,
    ) -> Result<Wrote, Interrupted> {
        self.in_hand.store(outcome.result_in_hand, Ordering::Relaxed);
        let wrote = self.write_patiently(outcome, command).await;
        self.in_hand.store(false, Ordering::Relaxed);
        wrote
    }

    /// A database that is away for a moment costs a moment, not the result: it is asked again for
    /// as long as a lease lasts. Whether a lost commit happened shows when the task is read again.
    async fn write_patiently(
        &self,
        outcome: &Outcome<'_>,
        command: impl Fn(&Task, Timestamp) -> Command,
    ) -> Result<Wrote, Interrupted> {
        let since = Instant::now();
        loop {
            match self.write_rounds(outcome, &command).await {
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
        outcome: &Outcome<'_>,
        command: &impl Fn(&Task, Timestamp) -> Command,
    ) -> Result<Wrote, Interrupted> {
        for _ in 0..5 {
            let head = match self.held().await {
                Err(Interrupted::LostLease) => return self.too_late(outcome).await,
                other => other?,
            };
            let decision = decide(&head.task, &command(&head.task, head.now), head.now)?;
            if decision.events.is_empty() {
                let withdraw = decision.effect.filter(|e| e.step == Step::Withdraw).map(|e| (head.clone(), e));
                return Ok(Wrote { task: head.task, events: Vec::new(), withdraw, next: None });
            }
            let put_off = decision
                .events
                .iter()
                .any(|e| matches!(e, Event::TryFailed { next_try_at, .. } if head.now < *next_try_at));
            let goes_on = decision.effect.filter(|_| !put_off);
            let ledger = ledger(&head.task, outcome, &decision.events, goes_on.as_ref());
            let written = self
                .worker
                .store
                .commit(Transition {
                    before: &head,
                    events: decision.events.clone(),
                    op_id: Some(outcome.op_id),
                    fence: Some(self.claim.fence),
                    ledger,
                    text: outcome.text,
                    hold: if goes_on.is_some() { Hold::Keep } else { Hold::Release },
                })
                .await;
            match written {
                Ok(task) => {
                    step_came_to(outcome.step, outcome.began.elapsed(), &decision.events);
                    self.worker.announcer.changed(task.id, task.seq);
                    let next = goes_on.as_ref().map(Next::fresh);
                    return Ok(Wrote { task, events: decision.events, withdraw: None, next });
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
        outcome: &Outcome<'_>,
        problem: &Problem,
        worth_retrying: bool,
        asked: Option<Duration>,
    ) -> Result<Came, Interrupted> {
        let jitter = (self.worker.jitter)();
        let wrote = self
            .write(outcome, |_, _| Command::StepFailed {
                step: outcome.step,
                problem: problem.clone(),
                worth_retrying,
                asked,
                jitter,
            })
            .await?;
        Ok((wrote.task, wrote.next))
    }

    /// The last holder died in this step: that was a try. Goes on at once while the budget lasts.
    pub(super) async fn count_lost_try(&self, outcome: &Outcome<'_>) -> Result<Option<Came>, Interrupted> {
        let wrote = self.write(outcome, |_, _| Command::HolderLost { step: outcome.step }).await?;
        let again = wrote.events.iter().any(|e| matches!(e, Event::TryFailed { .. }));
        Ok(if again { None } else { Some((wrote.task, wrote.next)) })
    }

    /// The task, if this attempt still speaks for it.
    pub(super) async fn held(&self) -> Result<Head, Interrupted> {
        match self.worker.store.head(self.claim.task_id).await? {
            Some(head) if head.attempt == self.claim.fence => Ok(head),
            _ => Err(Interrupted::LostLease),
        }
    }

    async fn too_late(&self, outcome: &Outcome<'_>) -> Result<Wrote, Interrupted> {
        if outcome.result_in_hand {
            self.worker.store.note_late_result(self.claim, outcome.step, outcome.op_id).await?;
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
