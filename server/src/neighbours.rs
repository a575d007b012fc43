//! Other processes on the same database: who is there, who has died, what they changed, and
//! telling them.
//!
//! Invariant: all of it is hints. Without a word from anybody, polling, beats and leases find
//! everything.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    announce::Announcer,
    store::{Listener, ProcessId, Store, StoreError},
};

/// How often a process looks around. Another one whose lock is free at two looks has died.
const LOOK: Duration = Duration::from_millis(1200);
/// One that has said nothing for this long counts as gone.
const SILENCE: Duration = Duration::from_secs(8);
/// Hints of this long travel together.
const GATHER: Duration = Duration::from_millis(5);
/// Between two tries to say what is urgent.
const SOON: Duration = Duration::from_millis(50);
/// Between two tries to listen again.
const AGAIN: Duration = Duration::from_millis(500);

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
        let (key, keys) = watch::channel(None);
        tokio::select! {
            () = stop.cancelled() => {}
            () = self.look(&key) => {}
            () = self.tell() => {}
            () = self.listen(keys) => {}
        }
        if let Err(error) = self.store.sign_out_process(&self.process).await {
            tracing::debug!(error = &error as &dyn std::error::Error, "no goodbye was said");
        }
    }

    /// Looks around for as long as the process lives; `key` is told which lock is its own.
    async fn look(&self, key: &watch::Sender<Option<i32>>) {
        let mut seen_free = HashSet::new();
        let mut known = false;
        loop {
            if !known {
                match self.store.sign_in_process(&self.process, self.works).await {
                    Ok(own) => drop(key.send_replace(Some(own))),
                    Err(error) => log(&error, "this process could not say that it is there"),
                }
            }
            match self.store.look_around(&self.process, SILENCE).await {
                Ok(around) => {
                    known = around.known;
                    self.announcer.somebody_listens(around.others);
                    let free: HashSet<Uuid> = around.unlocked.into_iter().collect();
                    for dead in free.intersection(&seen_free) {
                        self.inherit(*dead).await;
                    }
                    seen_free = free;
                }
                Err(error) => {
                    // Two looks count only one after the other: a database that comes back has released all locks.
                    seen_free.clear();
                    log(&error, "this process could not look around");
                }
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// What a dead process held is due at once.
    async fn inherit(&self, dead: Uuid) {
        match self.store.release_dead(dead).await {
            Ok(tasks) => {
                tracing::warn!(process.id = %dead, tasks, "a process has died; what it held is due now");
                self.announcer.maybe_due();
            }
            Err(error) => log(&error, "what a dead process held could not be released; its leases run out"),
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

    async fn listen(&self, mut keys: watch::Receiver<Option<i32>>) {
        let Some(url) = &self.direct_url else {
            return std::future::pending().await;
        };
        loop {
            let Some(key) = own_key(&mut keys).await else { return std::future::pending().await };
            match self.attend(url, key).await {
                Ok(mut listener) => {
                    self.hearing.0.store(true, Relaxed);
                    // What happened while nobody listened is looked for.
                    self.announcer.anything();
                    tokio::select! {
                        error = self.hear(&mut listener) => log(&error, "the listener lost its connection; polling goes on"),
                        // This process was forgotten and has signed in again, under another key.
                        _ = keys.changed() => {}
                    }
                    self.hearing.0.store(false, Relaxed);
                    self.live_without_a_lock().await;
                }
                Err(error) => log(&error, "the listener could not connect; polling goes on"),
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Says, as soon as the database answers, that the lock was lost by one who lives: when all of
    /// Postgres was away, the others are back as soon as this one is.
    async fn live_without_a_lock(&self) {
        while self.store.process_unlocked(&self.process).await.is_err() {
            tokio::time::sleep(SOON).await;
        }
    }

    async fn attend(&self, url: &str, key: i32) -> Result<Listener, StoreError> {
        let listener = Listener::connect(url, &self.process, key).await?;
        self.store.process_locks(&self.process, key).await?;
        Ok(listener)
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

/// The key of this process's lock, once it has signed in.
async fn own_key(keys: &mut watch::Receiver<Option<i32>>) -> Option<i32> {
    let key = keys.wait_for(Option::is_some).await.ok().and_then(|key| *key);
    keys.mark_unchanged();
    key
}

fn log(error: &StoreError, what: &str) {
    tracing::warn!(error = error as &dyn std::error::Error, "{what}");
}
