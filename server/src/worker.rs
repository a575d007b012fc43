//! Who acts: takes due tasks by a lease, carries out their steps through the ledger, and finds by
//! polling whatever no word came of.
//!
//! Invariants: nothing is written without the fence; an effect is recorded before it is tried and
//! looked up before it is repeated; no transaction is held across a call.

mod attempt; // one claim, from taken to handed back
pub mod explanation; // the steps of an explanation

use std::{
    sync::{
        Arc,
        atomic::{
            AtomicBool, AtomicU64,
            Ordering::{Relaxed, SeqCst},
        },
    },
    time::Duration,
};

use async_trait::async_trait;
use domain::task::Kind;
use tokio::{
    sync::{Mutex, Notify, Semaphore},
    task::JoinSet,
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use crate::{
    announce::Announcer,
    faults::{Boundary, Faults},
    store::{Claimed, Known, ProcessId, Store, StoreError, Taken},
};

pub use attempt::{Attempt, Interrupted};

/// No word came: a look for whatever is due.
const POLL: usize = usize::MAX;

/// As many as there are, after a word that did not bring its task.
const AGAIN: usize = POLL - 1;

/// How soon a task is looked for again that its word did not bring; doubled with each look, up to [`LATEST_AGAIN`].
const SOONEST_AGAIN: Duration = Duration::from_millis(10);
const LATEST_AGAIN: Duration = Duration::from_millis(320);

/// What one kind of task does outside. The worker claims, beats and hands back, whatever kind it is;
/// adding one means adding a room beside [`explanation`].
#[async_trait]
pub trait Steps: Send + Sync + 'static {
    fn kind(&self) -> Kind;

    /// The steps that it knows, by the words that the store keeps.
    fn steps(&self) -> Vec<&'static str>;

    /// The states that it knows, by the words that the store keeps.
    fn states(&self) -> Vec<&'static str>;

    /// Carries a task that was taken as far as it goes now.
    async fn carry(&self, attempt: &Attempt<'_>, taken: Taken) -> Result<(), Interrupted>;
}

/// What a worker works with. Everything outside is behind a port.
pub struct Worker {
    pub store: Store,
    pub kinds: Vec<Arc<dyn Steps>>,
    pub announcer: Announcer,
    pub faults: Faults,
    pub process: ProcessId,
    pub settings: Settings,
    /// A random number in `0.0..1.0`: how far apart tries are spread.
    pub jitter: fn() -> f64,
    pub notes: Notes,
}

/// What a worker keeps of its own going.
#[derive(Debug, Default)]
pub struct Notes {
    /// Looks for work so far.
    looks: AtomicU64,
    /// A task may be due that found no slot.
    hungry: AtomicBool,
    /// A task may be due that its word did not bring.
    left: Notify,
    /// Whose turn it is among reads that have one try left after deaths.
    last_try: Mutex<()>,
}

/// When to look once more for what was left: one look at a time, however many words were in vain.
#[derive(Debug, Default)]
struct Again {
    at: Option<Instant>,
    wait: Duration,
    last: Option<Instant>,
}

impl Again {
    /// Where the last look was not long ago, much is due or something is locked: the next one comes later.
    fn begin(&mut self, now: Instant) {
        let soon_after = self.last.is_some_and(|last| now < last + LATEST_AGAIN * 2);
        self.wait = if soon_after { (self.wait * 2).min(LATEST_AGAIN) } else { SOONEST_AGAIN };
        self.at = Some(now + self.wait);
    }

    fn looked(&mut self, now: Instant) {
        (self.at, self.last) = (None, Some(now));
    }
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
        let mut due = POLL;
        let mut poll_at = Instant::now() + self.settings.poll;
        let mut again = Again::default();
        while !stop.is_cancelled() {
            if 0 < due
                && let Err(error) = self.sweep(&slots, &mut running, &stop, due).await
            {
                tracing::warn!(error = &error as &dyn std::error::Error, "the worker could not look for work");
                stop.run_until_cancelled(tokio::time::sleep(self.settings.poll)).await;
            }
            while let Some(Some(ended)) = futures::FutureExt::now_or_never(running.join_next()) {
                if ended.is_err() {
                    tracing::error!("an attempt broke off in the middle; its lease runs out");
                }
            }
            due = tokio::select! {
                () = stop.cancelled() => 0,
                due = self.announcer.wait_for_work() => due,
                () = self.notes.left.notified(), if again.at.is_none() => {
                    again.begin(Instant::now());
                    0
                }
                () = tokio::time::sleep_until(again.at.unwrap_or(poll_at)), if again.at.is_some() => {
                    again.looked(Instant::now());
                    AGAIN
                }
                // Words that never cease do not put it off: they say nothing of a try whose time has come.
                () = tokio::time::sleep_until(poll_at) => {
                    poll_at = Instant::now() + self.settings.poll;
                    POLL
                }
            };
        }
        let all_back = async { while running.join_next().await.is_some() {} };
        if tokio::time::timeout(self.settings.grace, all_back).await.is_err() {
            tracing::warn!("steps were still running at the end of the grace; their leases will run out");
        }
    }

    /// Takes one due task, if there is one, and carries it as far as it goes now. False: nothing is
    /// due.
    pub async fn turn(&self, stop: &CancellationToken) -> Result<bool, StoreError> {
        let Some(taken) = self.claim().await? else { return Ok(false) };
        self.attempt(taken, stop.clone()).await;
        Ok(true)
    }

    /// Takes due tasks until there are none, as many as word came of, or no slot is free.
    async fn sweep(
        self: &Arc<Self>,
        slots: &Arc<Semaphore>,
        running: &mut JoinSet<()>,
        stop: &CancellationToken,
        due: usize,
    ) -> Result<(), StoreError> {
        self.notes.looks.fetch_add(1, Relaxed);
        // As many as word came of are claimed side by side; more than that one after another, until there is none.
        let side_by_side = due <= self.settings.concurrency as usize;
        for _ in 0..if side_by_side { due } else { usize::MAX } {
            if stop.is_cancelled() {
                return Ok(());
            }
            let Ok(slot) = Arc::clone(slots).try_acquire_owned() else {
                self.notes.hungry.store(true, SeqCst);
                // Whoever freed a slot just before that has not seen it.
                if 0 < slots.available_permits() {
                    self.announcer.maybe_due();
                }
                return Ok(());
            };
            if self.faults.at(Boundary::Sweep).await.is_err() {
                return Ok(());
            }
            let (worker, stop) = (Arc::clone(self), stop.clone());
            let claimed = if side_by_side {
                None
            } else {
                let claimed = self.claim().await?;
                if claimed.is_none() {
                    // What a poll passes over, the next one finds: an idle process asks no more than that.
                    if due != POLL {
                        self.note_what_is_left(None).await;
                    }
                    return Ok(());
                }
                claimed
            };
            running.spawn(async move {
                worker.claim_and_attempt(claimed, stop).await;
                drop(slot);
                // There may be a task that found no slot.
                if worker.notes.hungry.swap(false, SeqCst) {
                    worker.announcer.maybe_due();
                }
            });
        }
        Ok(())
    }

    async fn claim_and_attempt(&self, claimed: Option<Claimed>, stop: CancellationToken) {
        let claimed = match claimed {
            Some(claimed) => Some(claimed),
            None if stop.is_cancelled() => None,
            None => match self.claim().await {
                Ok(claimed) => {
                    self.note_what_is_left(claimed.as_ref()).await;
                    claimed
                }
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "a due task could not be claimed; the next poll finds it"
                    );
                    None
                }
            },
        };
        if let Some(claimed) = claimed {
            self.attempt(claimed, stop).await;
        }
    }

    async fn claim(&self) -> Result<Option<Claimed>, StoreError> {
        self.store.claim(&self.process, self.settings.lease, &self.known()).await
    }

    /// Has it looked for again what is due after a claim and may be what word came of: the claim may have taken an
    /// older task instead, or passed over a row that somebody had locked (one that read an older state holds for an
    /// instant rows that it does not take).
    async fn note_what_is_left(&self, claimed: Option<&Claimed>) {
        let left = match claimed {
            Some(claimed) => Ok(claimed.more),
            None => self.store.is_any_due(&self.known()).await,
        };
        match left {
            Ok(false) => {}
            Ok(true) => self.notes.left.notify_one(),
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "whether a task is due is not known; the next poll finds it"
            ),
        }
    }

    /// How often it has looked for work: health sees whether the worker is alive.
    pub fn looks(&self) -> u64 {
        self.notes.looks.load(Relaxed)
    }

    /// What this process can take.
    pub fn known(&self) -> Known {
        let named = |kind: &Arc<dyn Steps>, words: Vec<&'static str>| {
            let name = kind.kind().as_str();
            words.into_iter().map(move |word| format!("{name}/{word}"))
        };
        Known {
            steps: self.kinds.iter().flat_map(|kind| named(kind, kind.steps())).collect(),
            states: self.kinds.iter().flat_map(|kind| named(kind, kind.states())).collect(),
        }
    }
}
