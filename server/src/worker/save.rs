//! The steps that ask the library: saving what was accepted, and taking a save back.

use std::time::{Duration, Instant};

use domain::{
    approval::Acceptance,
    explanation::{Command, Effect, Step, Task, effect},
    fault::Problem,
    operation::OpState,
    text::Hash,
    time::Timestamp,
};

use super::{
    attempt::{Attempt, Came, Interrupted, Next},
    write::Outcome,
};
use crate::{
    faults::{Boundary, Pass},
    library::{Found, LibraryError, Save, Saved},
    store::Head,
    telemetry::numbers::withdrawal_took,
    withdraw::{self, WithdrawError, saved_as},
};

impl Attempt<'_> {
    /// Saves the accepted version, once: looked up first where it may have happened already.
    pub(super) async fn save(&self, head: &Head, step: Next) -> Result<Came, Interrupted> {
        let outcome =
            Outcome { step: Step::Save, op_id: step.op_id, began: Instant::now(), text: None, result_in_hand: false };
        if step.may_have_happened {
            self.pass(Boundary::SaveBeforeFind).await?;
            match self.worker.library.find(self.claim.task_id, step.op_id).await {
                Ok(Found::Entry(entry)) => return self.confirm(&outcome, Saved::Entry(entry), true).await,
                Ok(Found::Withdrawn) => return self.confirm(&outcome, Saved::Withdrawn, true).await,
                Ok(Found::Nothing) => {}
                Err(error) => return self.library_failed(&outcome, &error).await,
            }
            if step.taken_over
                && let Some(given_up) = self.count_lost_try(&outcome).await?
            {
                return Ok(given_up);
            }
        }
        let current = self.held().await?;
        // The claim has seen to it for a save that is new; one that goes on may have grown old.
        if step.may_have_happened
            && look_is_due(&current.task, current.now)
            && let Some(look) = effect::look_before_save(&current.task)
        {
            self.worker.store.mark(self.claim, look.op_id, look.step, OpState::Intended).await?;
            return self.look(head, Next::fresh(&look)).await;
        }
        let Some(acceptance) = current.task.state.pending_save().cloned() else {
            return Err(domain::fault::Fault::not_in_this_state("save", current.task.state.name().as_str()).into());
        };
        let version = acceptance.proposal.draft_version;
        let (text, requester_valid) = self.worker.store.before_save(self.claim.task_id, version).await?;
        let stored_hash = text.as_deref().map(Hash::of);
        let checked = self
            .write(&outcome, |_, _| Command::BeforeSave { requester_valid, stored_hash: stored_hash.clone() })
            .await?;
        if let Some((head, effect)) = checked.withdraw {
            return self.begin_withdrawal(&head, &effect).await;
        }
        let (Some(text), true) = (text, checked.events.is_empty()) else {
            return Ok((checked.task, checked.next));
        };
        let save = save_of(&current.task, &acceptance, text);
        let mut pass = self.pass(Boundary::SaveBeforeEffect).await?;
        let mut saved = self.worker.library.save(&save).await;
        if self.pass(Boundary::SaveAfterEffect).await? == Pass::Repeat {
            pass = Pass::Repeat;
        }
        if pass == Pass::Repeat {
            saved = self.worker.library.save(&save).await;
        }
        match saved {
            Ok(saved) => self.confirm(&outcome, saved, false).await,
            Err(error) => self.library_failed(&outcome, &error).await,
        }
    }

    /// Finishes a withdrawal that was intended, by whomever.
    pub(super) async fn withdraw(&self, step: Next) -> Result<Came, Interrupted> {
        let began = Instant::now();
        match withdraw::finish(&self.worker.store, &*self.worker.library, self.claim, step.op_id).await {
            Ok(task) => {
                withdrawal_took(began.elapsed());
                self.worker.announcer.changed(task.id, task.seq);
                Ok((task, None))
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
        let again = Attempt { worker, claim: &claim, frozen: self.frozen, in_hand: self.in_hand };
        let next = Next::fresh(effect);
        match Box::pin(again.withdraw(next)).await {
            // The claim of this attempt is spent; the new one is handed back here.
            Err(Interrupted::PutOff(wait)) => {
                worker.store.hand_back(&claim, wait).await?;
                Err(Interrupted::LostLease)
            }
            other => other,
        }
    }

    async fn confirm(&self, outcome: &Outcome<'_>, saved: Saved, found: bool) -> Result<Came, Interrupted> {
        let command = match saved {
            Saved::Entry(entry) => Command::SaveConfirmed { saved: saved_as(&entry), found },
            Saved::OtherEntry(_) => Command::SaveUncertain { problem: Problem::new("other_entry") },
            Saved::Withdrawn => Command::SaveUncertain { problem: Problem::new("save_withdrawn") },
        };
        let outcome = Outcome { result_in_hand: true, ..*outcome };
        let wrote = self.write(&outcome, |_, _| command.clone()).await?;
        self.pass(Boundary::SavedAfterCommit).await?;
        Ok((wrote.task, wrote.next))
    }

    /// Whether it was saved is not known: the next try looks it up first.
    async fn library_failed(&self, outcome: &Outcome<'_>, error: &LibraryError) -> Result<Came, Interrupted> {
        tracing::warn!(task.id = %self.claim.task_id, operation.id = %outcome.op_id, error = error as &dyn std::error::Error, "the library did not answer");
        self.fail(outcome, &Problem::new("save_uncertain"), true, None).await
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
