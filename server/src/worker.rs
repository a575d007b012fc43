//! Who acts: takes due tasks by a lease, carries out their steps through the ledger, and finds by
//! polling whatever no word came of.
//!
//! Invariants: nothing is written without the fence; an effect is recorded before it is tried and
//! looked up before it is repeated; no transaction is held across a call.

mod attempt; // one claim, from taken to handed back
mod draft; // the step that asks the model
mod last_try; // a call that kills its process takes no other along
mod look; // the steps that ask the source
mod save; // the steps that ask the library
mod write; // deciding and writing, under the fence

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Mutex, Semaphore},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::{
    announce::Announcer,
    faults::{Boundary, Faults},
    library::Library,
    model::Model,
    sources::Source,
    store::{ProcessId, Store, StoreError},
};

/// What a worker works with. Everything outside is behind a port.
pub struct Worker {
    pub store: Store,
    pub library: Arc<dyn Library>,
    pub source: Arc<dyn Source>,
    pub model: Arc<dyn Model>,
    pub announcer: Announcer,
    pub faults: Faults,
    pub process: ProcessId,
    pub settings: Settings,
    /// Polls so far: health sees whether the worker is alive.
    pub polls: AtomicU64,
    /// A random number in `0.0..1.0`: how far apart tries are spread.
    pub jitter: fn() -> f64,
    /// Whose turn it is among reads that have one try left after deaths.
    pub last_try: Mutex<()>,
}

/// How it works.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long silence keeps a task.
    pub lease: Duration,
    /// How often to look for work that no word came of.
    pub poll: Duration,
    /// Tasks at once.
    pub concurrency: u32,
    /// How long one call may take.
    pub step_timeout: Duration,
    /// How long a stop waits for steps to be handed back.
    pub grace: Duration,
}

impl Worker {
    /// Works until told to stop; then hands back what it holds.
    pub async fn run(self: Arc<Self>, stop: CancellationToken) {
        let slots = Arc::new(Semaphore::new(self.settings.concurrency as usize));
        let mut running = JoinSet::new();
        while !stop.is_cancelled() {
            if let Err(error) = self.sweep(&slots, &mut running, &stop).await {
                tracing::warn!(error = &error as &dyn std::error::Error, "the worker could not look for work");
                tokio::time::sleep(self.settings.poll).await;
            }
            while let Some(Some(_)) = futures::FutureExt::now_or_never(running.join_next()) {}
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.announcer.wait_for_work() => {}
                () = tokio::time::sleep(self.settings.poll) => {}
            }
        }
        let all_back = async { while running.join_next().await.is_some() {} };
        if tokio::time::timeout(self.settings.grace, all_back).await.is_err() {
            tracing::warn!("steps were still running at the end of the grace; their leases will run out");
        }
    }

    /// Takes one due task, if there is one, and carries it as far as it goes now. False: nothing is
    /// due.
    pub async fn turn(&self, stop: &CancellationToken) -> Result<bool, StoreError> {
        let Some(taken) = self.store.claim(&self.process, self.settings.lease).await? else { return Ok(false) };
        self.attempt(taken, stop.clone()).await;
        Ok(true)
    }

    /// Takes due tasks until there are none, or no slot is free.
    async fn sweep(
        self: &Arc<Self>,
        slots: &Arc<Semaphore>,
        running: &mut JoinSet<()>,
        stop: &CancellationToken,
    ) -> Result<(), StoreError> {
        self.polls.fetch_add(1, Ordering::Relaxed);
        loop {
            if stop.is_cancelled() {
                return Ok(());
            }
            let Ok(slot) = Arc::clone(slots).try_acquire_owned() else { return Ok(()) };
            if self.faults.at(Boundary::Sweep).await.is_err() {
                return Ok(());
            }
            let Some(taken) = self.store.claim(&self.process, self.settings.lease).await? else { return Ok(()) };
            let (worker, stop) = (Arc::clone(self), stop.clone());
            running.spawn(async move {
                worker.attempt(taken, stop).await;
                drop(slot);
                // A slot is free: there may be a task that found none.
                worker.announcer.due();
            });
        }
    }
}
