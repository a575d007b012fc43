//! The steps that ask the library: saving what was accepted, and taking a save back.

use std::{
    sync::atomic::Ordering::Relaxed,
    time::{Duration, Instant},
};

use domain::{
    approval::Acceptance,
    explanation::{Command, Effect, Step, Task, effect},
    fault::Problem,
    operation::OpState,
    text::Hash,
    time::Timestamp,
};

use super::{Came, Interrupted, Next, Run, write::Outcome};
use crate::{
    faults::{Boundary, Pass},
    library::{Found, LibraryError, Save, Saved},
    store::Head,
    telemetry::numbers::withdrawal_took,
    withdraw::{self, WithdrawError, saved_as},
    worker::Attempt,
};

impl Run<'_> {
    /// Saves the accepted version, once: looked up first where it may have happened already.
    pub(super) async fn save(&self, mut head: Head, step: Next) -> Result<Came, Interrupted> {
        let outcome =
            Outcome { step: Step::Save, op_id: step.op_id, began: Instant::now(), text: None, result_in_hand: false };
        if step.may_have_happened {
            self.attempt.pass(Boundary::SaveBeforeFind).await?;
            match self.asks.library.find(self.claim.task_id, step.op_id).await {
                Ok(Found::Entry(entry)) => return self.confirm(&head, &outcome, Saved::Entry(entry), true).await,
                Ok(Found::Withdrawn) => return self.confirm(&head, &outcome, Saved::Withdrawn, true).await,
                Ok(Found::Nothing) => {}
                Err(error) => return self.library_failed(&head, &outcome, &error).await,
            }
            if step.taken_over {
                head = match self.count_lost_try(&head, &outcome).await? {
                    (head, None) => head,
                    (_, Some(given_up)) => return Ok(given_up),
                };
            }
            head = self.worker.store.held(self.claim, &head).await?;
            // The claim has seen to it for a save that is new; one that goes on may have grown old.
            if look_is_due(&head.task, head.now)
                && let Some(look) = effect::look_before_save(&head.task)
            {
                self.worker.store.mark(self.claim, look.op_id, look.step.as_str(), OpState::Intended).await?;
                return self.look(head, Next::fresh(&look)).await;
            }
        }
        let Some(acceptance) = head.task.state.pending_save().cloned() else {
            return Err(
                domain::fault::Fault::not_in_this_state(Step::Save.as_str(), head.task.state.name().as_str()).into()
            );
        };
        let version = acceptance.proposal.draft_version;
        let door = self.worker.store.before_save(self.claim, &head, version).await?;
        let check = Command::BeforeSave {
            requester_valid: door.requester_valid,
            stored_hash: door.text.as_deref().map(Hash::of),
        };
        let checked = self.write(&door.head, &outcome, |_, _| check.clone()).await?;
        if let Some(effect) = checked.withdraw {
            return self.begin_withdrawal(&checked.head, &effect).await;
        }
        let (Some(text), true) = (door.text, checked.events.is_empty()) else {
            return Ok((checked.head, checked.next));
        };
        let head = checked.head;
        let save = save_of(&head.task, &acceptance, text);
        let mut pass = self.attempt.pass(Boundary::SaveBeforeEffect).await?;
        let mut saved = self.asks.library.save(&save).await;
        if self.attempt.pass(Boundary::SaveAfterEffect).await? == Pass::Repeat {
            pass = Pass::Repeat;
        }
        if pass == Pass::Repeat {
            saved = self.asks.library.save(&save).await;
        }
        match saved {
            Ok(saved) => self.confirm(&head, &outcome, saved, false).await,
            Err(error) => self.library_failed(&head, &outcome, &error).await,
        }
    }

    /// Finishes a withdrawal that was intended, by whomever.
    pub(super) async fn withdraw(&self, step: Next) -> Result<Came, Interrupted> {
        let began = Instant::now();
        match withdraw::finish(&self.worker.store, &*self.asks.library, self.claim, step.op_id).await {
            Ok(head) => {
                withdrawal_took(began.elapsed());
                self.worker.announcer.changed(head.task.id, head.task.seq);
                Ok((head, None))
            }
            Err(WithdrawError::Store(error)) => Err(error.into()),
            // What was promised is not given up: it is tried again, every few seconds.
            Err(error) => {
                withdraw::log_failure(self.claim.task_id, &error);
                Err(Interrupted::PutOff(PATIENCE))
            }
        }
    }

    /// Records the intention under a new attempt and carries it out at once.
    pub(super) async fn begin_withdrawal(&self, head: &Head, effect: &Effect) -> Result<Came, Interrupted> {
        let worker = self.worker;
        let claim = worker.store.intend_withdrawal(head, effect, &worker.process, worker.settings.lease, None).await?;
        let attempt = Attempt { claim: &claim, ..*self.attempt };
        let again = Run { attempt: &attempt, claim: &claim, ..*self };
        let next = Next::fresh(effect);
        // The heart beside this attempt beats for the old claim and soon hears that it is spent: what was begun
        // is finished all the same.
        self.attempt.in_hand.store(true, Relaxed);
        let came = Box::pin(again.withdraw(next)).await;
        self.attempt.in_hand.store(false, Relaxed);
        match came {
            // The claim of this attempt is spent; the new one is handed back here.
            Err(Interrupted::PutOff(wait)) => {
                worker.store.hand_back(&claim, wait).await?;
                Err(Interrupted::LostLease)
            }
            other => other,
        }
    }

    async fn confirm(
        &self,
        head: &Head,
        outcome: &Outcome<'_>,
        saved: Saved,
        found: bool,
    ) -> Result<Came, Interrupted> {
        let command = match saved {
            Saved::Entry(entry) => Command::SaveConfirmed { saved: saved_as(&entry), found },
            Saved::OtherEntry(_) => Command::SaveUncertain { problem: Problem::new("other_entry") },
            Saved::Withdrawn => Command::SaveUncertain { problem: Problem::new("save_withdrawn") },
        };
        let outcome = Outcome { result_in_hand: true, ..*outcome };
        let wrote = self.write(head, &outcome, |_, _| command.clone()).await?;
        self.attempt.pass(Boundary::SavedAfterCommit).await?;
        Ok((wrote.head, wrote.next))
    }

    /// Whether it was saved is not known: the next try looks it up first.
    async fn library_failed(
        &self,
        head: &Head,
        outcome: &Outcome<'_>,
        error: &LibraryError,
    ) -> Result<Came, Interrupted> {
        tracing::warn!(task.id = %self.claim.task_id, operation.id = %outcome.op_id, error = error as &dyn std::error::Error, "the library did not answer");
        self.fail(head, outcome, &Problem::new("save_uncertain"), true, None, None).await
    }
}

/// Between two tries of a withdrawal while the library does not answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Evidence older than this is looked at again before a save.
fn look_is_due(task: &Task, now: Timestamp) -> bool {
    let fresh = Duration::from_secs(task.terms.fresh_s.into());
    task.known.looked_at.is_some_and(|at| at.plus(fresh) <= now)
}

fn save_of(task: &Task, acceptance: &Acceptance, text: String) -> Save {
    Save {
        task_id: task.id,
        op_id: acceptance.save_op,
        owner: task.owner,
        draft_version: acceptance.proposal.draft_version,
        hash: acceptance.proposal.draft_hash.clone(),
        title: task.title.clone(),
        text,
    }
}
