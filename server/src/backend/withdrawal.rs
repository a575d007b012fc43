//! Withdrawing a save on a learner's word: a cancel, or a person's verdict that it shall stop.

use std::time::Duration;

use app::api::error::ApiError;
use domain::{
    explanation::Effect,
    id::OpId,
    intent::{Done, Intent},
    text::Hash,
};

use super::{StoreBackend, Trouble, command::Round};
use crate::{
    store::{Claim, Head, StoreError},
    withdraw::{self, WithdrawError},
};

/// How long a task rests when the library did not answer; a worker tries then.
const REST: Duration = Duration::from_secs(1);

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
        self.finish_withdrawal(&claim, effect.op_id).await?;
        Ok(None)
    }

    /// Finishes a withdrawal that was promised earlier, before anything else is done to the task.
    pub(super) async fn finish_promised(&self, head: &Head, withdrawal: OpId) -> Round<Done> {
        match self.store.take_withdrawal(head, &self.process, self.lease).await {
            Ok(claim) => self.finish_withdrawal(&claim, withdrawal).await?,
            Err(StoreError::Moved) => {}
            Err(other) => return Err(Trouble::from(other).into()),
        }
        Ok(None)
    }

    async fn finish_withdrawal(&self, claim: &Claim, withdrawal: OpId) -> Result<(), ApiError> {
        match withdraw::finish(&self.store, &*self.library, claim, withdrawal).await {
            Ok(head) => self.announcer.changed(head.task.id, head.task.seq),
            // Somebody else took it from here and finishes it: read again.
            Err(WithdrawError::Store(StoreError::LostLease | StoreError::Moved) | WithdrawError::Refused(_)) => {}
            Err(error) => {
                withdraw::log_failure(claim.task_id, &error);
                self.store.hand_back(claim, REST).await.map_err(Trouble::from)?;
                return Err(Trouble::from(error).into());
            }
        }
        Ok(())
    }
}
