//! A call that kills its process takes along whatever else that process was doing, and all of it
//! is taken up again at once: together they would die until the budget of each is used up.
//!
//! Invariant: a read that has lost all holders but one is tried with no other such read beside it
//! in its process, and the loss of a holder that still waited for its turn is no try.

use domain::{
    explanation::{Step, Task},
    operation::OpState,
};
use tokio::sync::MutexGuard;

use super::{Came, Interrupted, Next, Run, write::Outcome};
use crate::store::Head;

/// Whether a step is tried.
pub(super) enum Begun<'a> {
    /// While the turn is held, no other last try is made.
    On { head: Head, turn: Option<MutexGuard<'a, ()>> },
    /// The loss of the last holder was the end of the budget.
    GivenUp(Came),
}

impl Run<'_> {
    /// Counts the holder that was lost, and waits for a turn if only one try is left.
    pub(super) async fn begin(
        &self,
        mut head: Head,
        outcome: &Outcome<'_>,
        step: &Next,
    ) -> Result<Begun<'_>, Interrupted> {
        let mut last = self.is_last_after_a_death(&head.task, step.step).await?;
        let was_waiting = last && !step.may_have_happened;
        if step.taken_over && !was_waiting {
            head = match self.count_lost_try(&head, outcome).await? {
                (head, None) => head,
                (_, Some(given_up)) => return Ok(Begun::GivenUp(given_up)),
            };
            last = self.is_last_after_a_death(&head.task, step.step).await?;
        }
        if !last {
            return Ok(Begun::On { head, turn: None });
        }
        let (worker, lease) = (self.worker, self.worker.settings.lease);
        // Whoever has to wait gives back what it holds: others have their first try before them.
        let Ok(turn) = worker.notes.last_try.try_lock() else {
            return Err(Interrupted::PutOff(lease.mul_f64(0.5 + (worker.jitter)())));
        };
        // From here on, a holder that is lost counts.
        worker.store.mark(self.claim, step.op_id, step.step.as_str(), OpState::Sent).await?;
        Ok(Begun::On { head, turn: Some(turn) })
    }

    /// Only for reads: what may have been written is looked up first in any case.
    async fn is_last_after_a_death(&self, task: &Task, step: Step) -> Result<bool, Interrupted> {
        let last = task.state.used().is_some_and(|used| task.terms.tries <= used.tries + 1);
        if !last || !matches!(step, Step::LookUp | Step::Draft) {
            return Ok(false);
        }
        Ok(self.worker.store.last_try_was_lost(task.id).await?)
    }
}
