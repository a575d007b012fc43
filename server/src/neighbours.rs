//! Other processes on the same database: who is there, what they changed, and telling them.
//!
//! Invariant: all of it is hints. Without a word from anybody, polling and beats find everything.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio_util::sync::CancellationToken;

use crate::{
    announce::Announcer,
    store::{Listener, ProcessId, Store, StoreError},
};

/// How often a process says that it is there; twice missed, it counts as gone.
const SAY: Duration = Duration::from_secs(4);
/// Hints of this long travel together.
const GATHER: Duration = Duration::from_millis(5);
/// Between two tries to listen again.
const AGAIN: Duration = Duration::from_secs(1);

/// What health shows of the listener.
#[derive(Clone, Debug, Default)]
pub struct Hearing(Arc<AtomicBool>);

impl Hearing {
    /// The listener is connected.
    pub fn is_on(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// This process among its neighbours.
#[derive(Clone, Debug)]
pub struct Neighbours {
    pub store: Store,
    pub announcer: Announcer,
    pub process: ProcessId,
    pub works: bool,
    /// Where to listen; none behind a transaction pooler.
    pub direct_url: Option<String>,
    pub hearing: Hearing,
}

impl Neighbours {
    /// Runs until told to stop, then says goodbye.
    pub async fn run(self, stop: CancellationToken) {
        tokio::select! {
            () = stop.cancelled() => {}
            () = self.say() => {}
            () = self.tell() => {}
            () = self.listen() => {}
        }
        if let Err(error) = self.store.sign_out_process(&self.process).await {
            tracing::debug!(error = &error as &dyn std::error::Error, "no goodbye was said");
        }
    }

    async fn say(&self) {
        loop {
            match self.store.sign_in_process(&self.process, self.works, SAY * 2).await {
                Ok(others) => self.announcer.somebody_listens(others),
                Err(error) => log(&error, "this process could not say that it is there"),
            }
            tokio::time::sleep(SAY).await;
        }
    }

    async fn tell(&self) {
        loop {
            let mut untold = self.announcer.untold().await;
            tokio::time::sleep(GATHER).await;
            if let Some(more) = futures::FutureExt::now_or_never(self.announcer.untold()) {
                untold.extend(more);
            }
            if let Err(error) = self.store.notify(&self.process, &untold).await {
                log(&error, "other processes were not told; they will find out by polling");
            }
        }
    }

    async fn listen(&self) {
        let Some(url) = &self.direct_url else {
            return std::future::pending().await;
        };
        loop {
            match Listener::connect(url, &self.process).await {
                Ok(mut listener) => {
                    self.hearing.0.store(true, Relaxed);
                    // What happened while nobody listened is looked for.
                    self.announcer.anything();
                    let error = self.hear(&mut listener).await;
                    self.hearing.0.store(false, Relaxed);
                    log(&error, "the listener lost its connection; polling goes on");
                }
                Err(error) => log(&error, "the listener could not connect; polling goes on"),
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    async fn hear(&self, listener: &mut Listener) -> StoreError {
        loop {
            match listener.next().await {
                Ok(tasks) => tasks.into_iter().for_each(|(task, seq)| self.announcer.heard(task, seq)),
                Err(error) => return error,
            }
        }
    }
}

fn log(error: &StoreError, what: &str) {
    tracing::warn!(error = error as &dyn std::error::Error, "{what}");
}
