//! One claim, from taken to handed back: the steps, and the heartbeat beside them.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use super::Worker;
use crate::{
    faults::{Boundary, Injected, Pass, freeze_for},
    store::{Claim, Claimed, StoreError, Taken},
};

/// How long a step may still come back once its lease is known to be lost.
const BLINK: Duration = Duration::from_millis(50);

/// How long a task rests whose attempt ended by no fault of its own.
const HAND_BACK_AFTER: Duration = Duration::from_millis(500);

/// Between two tries to reach a database that is away.
pub const DATABASE_AGAIN: Duration = Duration::from_millis(200);

/// Why an attempt ended before its work did. Control flow, not failure.
#[derive(Debug, thiserror::Error)]
pub enum Interrupted {
    #[error("another attempt speaks for the task now")]
    LostLease,
    /// The database did not answer: the task goes back, once it does.
    #[error(transparent)]
    Store(StoreError),
    /// A planned failure, treated as one of the database.
    #[error(transparent)]
    Planned(#[from] Injected),
    /// The task moved on while the step ran, to where its result has no place.
    #[error("the task is no longer where the step began: {0}")]
    OutOfPlace(#[from] domain::fault::Fault),
    /// To be tried again a little later, by whoever takes the task then.
    #[error("put off")]
    PutOff(Duration),
}

impl From<StoreError> for Interrupted {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::LostLease => Self::LostLease,
            other => Self::Store(other),
        }
    }
}

/// What the steps of one attempt share.
pub struct Attempt<'a> {
    pub worker: &'a Worker,
    pub claim: &'a Claim,
    /// While set, the heartbeat says nothing.
    pub frozen: &'a AtomicBool,
    /// Set once something has come back from outside and is not yet written.
    pub in_hand: &'a AtomicBool,
}

impl Worker {
    pub(super) async fn attempt(&self, claimed: Claimed, stop: CancellationToken) {
        let Claimed { claim, taken, .. } = claimed;
        self.announcer.working(claim.task_id, taken.stored.seq);
        let (op_id, first) = (taken.op_id, taken.step.clone());
        // Whatever is logged on the way says whose it is.
        let span = tracing::info_span!("attempt", task.id = %claim.task_id, attempt = claim.fence);
        let end = self.steps(&claim, taken, &stop).instrument(span).await;
        let Err(interrupted) = end else { return };
        tracing::info!(
            task.id = %claim.task_id, attempt = claim.fence, operation.id = %op_id, step = first,
            why = &interrupted as &dyn std::error::Error, "an attempt ended early"
        );
        match interrupted {
            Interrupted::LostLease => {}
            Interrupted::PutOff(wait) => self.hand_back(claim, wait).await,
            Interrupted::Store(StoreError::Unreadable(why)) => self.give_to_a_person(&claim, &why).await,
            // Not a death: the task goes back unharmed, and no try is used up.
            Interrupted::Store(_) | Interrupted::Planned(_) | Interrupted::OutOfPlace(_) => {
                self.hand_back(claim, HAND_BACK_AFTER).await;
            }
        }
    }

    /// Hands a task back, as soon as the database answers; after a lease it is free anyway.
    async fn hand_back(&self, claim: Claim, wait: Duration) {
        let since = Instant::now();
        while let Err(error) = self.store.hand_back(&claim, wait).await {
            if self.settings.lease <= since.elapsed() {
                tracing::warn!(task.id = %claim.task_id, error = &error as &dyn std::error::Error, "a task could not be handed back; its lease has run out");
                return;
            }
            tokio::time::sleep(DATABASE_AGAIN).await;
        }
    }

    async fn give_to_a_person(&self, claim: &Claim, why: &str) {
        tracing::error!(task.id = %claim.task_id, why, "a task cannot be read and waits for a person");
        if let Err(error) = self.store.set_unreadable(claim.task_id, claim.fence).await {
            tracing::warn!(task.id = %claim.task_id, error = &error as &dyn std::error::Error, "that could not be written; it is tried again after the lease");
        }
        self.announcer.changed(claim.task_id, 0);
    }

    /// The steps, with the heartbeat beside them, until they end or must stop.
    async fn steps(&self, claim: &Claim, taken: Taken, stop: &CancellationToken) -> Result<(), Interrupted> {
        let (frozen, in_hand) = (AtomicBool::new(false), AtomicBool::new(false));
        let attempt = Attempt { worker: self, claim, frozen: &frozen, in_hand: &in_hand };
        let mut run = std::pin::pin!(attempt.run(taken));
        let (interrupted, patience) = tokio::select! {
            end = &mut run => return end,
            // After a freeze both pieces of news come in the same instant: the step is heard too.
            lost = self.heartbeats(claim, &frozen) => (lost, BLINK),
            () = stop.cancelled() => (Interrupted::PutOff(Duration::ZERO), Duration::ZERO),
        };
        if let Ok(end) = tokio::time::timeout(patience, &mut run).await {
            return end;
        }
        // A result in hand is written, or noted as too late, rather than dropped on the way.
        if in_hand.load(Ordering::Relaxed) {
            return tokio::time::timeout(self.settings.grace, run).await.unwrap_or(Err(interrupted));
        }
        Err(interrupted)
    }

    /// Beats until the lease is lost.
    async fn heartbeats(&self, claim: &Claim, frozen: &AtomicBool) -> Interrupted {
        let mut failed = 0u32;
        loop {
            tokio::time::sleep(self.settings.lease / 3).await;
            if frozen.load(Ordering::Relaxed) {
                continue;
            }
            match self.faults.at(Boundary::Heartbeat).await {
                Ok(Pass::On | Pass::Repeat) => {}
                Ok(Pass::Freeze) => tokio::time::sleep(freeze_for(self.settings.lease)).await,
                Err(_) => continue,
            }
            match self.store.heartbeat(claim, self.settings.lease).await {
                Ok(()) => failed = 0,
                Err(StoreError::LostLease) => return Interrupted::LostLease,
                Err(error) => {
                    failed += 1;
                    tracing::warn!(task.id = %claim.task_id, failed, error = &error as &dyn std::error::Error, "a heartbeat failed");
                }
            }
        }
    }
}

impl Attempt<'_> {
    async fn run(&self, taken: Taken) -> Result<(), Interrupted> {
        self.pass(Boundary::ClaimAfterCommit).await?;
        let kinds = &self.worker.kinds;
        match kinds.iter().find(|kind| kind.kind().as_str() == taken.stored.kind) {
            Some(kind) => kind.carry(self, taken).await,
            None => Err(Interrupted::Store(StoreError::Newer)),
        }
    }

    /// Passes a boundary; a freeze says nothing for two leases and then goes on.
    pub(super) async fn pass(&self, boundary: Boundary) -> Result<Pass, Interrupted> {
        let pass = self.worker.faults.at(boundary).await?;
        if pass == Pass::Freeze {
            self.frozen.store(true, Ordering::Relaxed);
            tokio::time::sleep(freeze_for(self.worker.settings.lease)).await;
            self.frozen.store(false, Ordering::Relaxed);
        }
        Ok(pass)
    }
}
