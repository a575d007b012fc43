//! Withdrawing a save on a learner's word: a cancel, or a person's verdict that it shall stop.

use domain::{
    explanation::Effect,
    intent::{Done, Intent},
    text::Hash,
};

use super::{StoreBackend, Trouble, command::Round};
use crate::{
    store::{Head, StoreError},
    withdraw::{self, WithdrawError},
};

impl StoreBackend {
    /// Intends, asks the library, and writes what it said. The next round reads the answer that
    /// was recorded with it: the reply is always the final state.
    pub(super) async fn withdraw(
        &self,
        intent: &Intent,
        fingerprint: &Hash,
        head: &Head,
        effect: &Effect,
    ) -> Round<Done> {
        let asked = Some((intent.op_id, intent.wish.verb(), fingerprint));
        let claim = match self.store.intend_withdrawal(head, effect, &self.process, self.lease, asked).await {
            Ok(claim) => claim,
            Err(StoreError::Moved) => return Ok(None),
            Err(other) => return Err(Trouble::from(other).into()),
        };
        match withdraw::finish(&self.store, &*self.library, &claim, effect.op_id).await {
            Ok(task) => self.announcer.changed(task.id, task.seq),
            // Somebody else took it from here and finishes it: read again.
            Err(WithdrawError::Store(StoreError::LostLease | StoreError::Moved) | WithdrawError::Refused(_)) => {}
            Err(error) => {
                withdraw::log_failure(claim.task_id, &error);
                let handed_back = self.store.hand_back(claim, std::time::Duration::from_secs(1)).await;
                handed_back.map_err(Trouble::from)?;
                return Err(Trouble::from(error).into());
            }
        }
        Ok(None)
    }
}
