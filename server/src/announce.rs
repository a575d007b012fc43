//! Word that a task has changed, to whoever listens: the worker of this process, open streams, and
//! other processes. A lost word costs time, never truth.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
};

use domain::id::{Seq, TaskId};
use tokio::sync::Notify;

use crate::live::Live;

/// Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Announcer {
    live: Live,
    work: Arc<Work>,
    outward: Arc<Outward>,
}

/// What the worker is told.
#[derive(Debug, Default)]
struct Work {
    /// Tasks that are due, as far as this process knows; or a word that there may be any number.
    due: AtomicUsize,
    word: Notify,
}

/// More than a worker ever takes at once: look until there is nothing.
const ANY: usize = 1 << 20;

/// What other processes are still to be told. Coalesced: of one task only the newest.
#[derive(Debug, Default)]
struct Outward {
    somebody_listens: AtomicBool,
    untold: Mutex<HashMap<TaskId, Seq>>,
    some: Notify,
}

impl Announcer {
    pub fn new(live: Live) -> Self {
        Self { live, ..Self::default() }
    }

    /// This process has changed a task, and whoever looks at it wants to know at once.
    pub fn changed(&self, task: TaskId, seq: Seq) {
        self.live.publish(task, seq);
        self.tell(task, seq);
    }

    /// This process works on a task and goes on: whoever looks at it may see it a little later,
    /// with what comes next.
    pub fn working(&self, task: TaskId, seq: Seq) {
        self.live.publish_soon(task, seq);
        self.tell(task, seq);
    }

    fn tell(&self, task: TaskId, seq: Seq) {
        if self.outward.somebody_listens.load(Relaxed) {
            self.outward.untold.lock().unwrap_or_else(PoisonError::into_inner).insert(task, seq);
            self.outward.some.notify_one();
        }
    }

    /// Another process has changed a task; there may be work.
    pub fn heard(&self, task: TaskId, seq: Seq) {
        self.live.publish(task, seq);
        self.maybe_due();
    }

    /// Words may have been lost: everybody looks.
    pub fn anything(&self) {
        self.live.publish_all();
        self.maybe_due();
    }

    /// One more task is due.
    pub fn due(&self) {
        self.work.due.fetch_add(1, Relaxed);
        self.work.word.notify_one();
    }

    /// Any number of tasks may be due.
    pub fn maybe_due(&self) {
        self.work.due.store(ANY, Relaxed);
        self.work.word.notify_one();
    }

    /// Waits for word of work, and gives how many tasks it is about at most. One word is kept for a
    /// worker that was busy.
    pub async fn wait_for_work(&self) -> usize {
        self.work.word.notified().await;
        self.work.due.swap(0, Relaxed)
    }

    /// Whether another process is there to be told.
    pub fn somebody_listens(&self, yes: bool) {
        self.outward.somebody_listens.store(yes, Relaxed);
    }

    /// Waits until there is something to tell, and takes all of it.
    pub async fn untold(&self) -> Vec<(TaskId, Seq)> {
        loop {
            self.outward.some.notified().await;
            let untold = std::mem::take(&mut *self.outward.untold.lock().unwrap_or_else(PoisonError::into_inner));
            if !untold.is_empty() {
                return untold.into_iter().collect();
            }
        }
    }
}
