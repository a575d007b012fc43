//! Word that a task has changed, to whoever listens: the worker of this process, open streams, and
//! other processes. A lost word costs time, never truth.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use domain::id::{Seq, TaskId};
use tokio::sync::Notify;

use crate::live::Live;

/// Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Announcer {
    live: Live,
    due: Arc<Notify>,
    outward: Arc<Outward>,
}

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

    /// This process has changed a task; there may be work now.
    pub fn changed(&self, task: TaskId, seq: Seq) {
        self.heard(task, seq);
        if self.outward.somebody_listens.load(Relaxed) {
            self.outward.untold.lock().unwrap_or_else(PoisonError::into_inner).insert(task, seq);
            self.outward.some.notify_one();
        }
    }

    /// Another process has changed a task.
    pub fn heard(&self, task: TaskId, seq: Seq) {
        self.live.publish(task, seq);
        self.due.notify_one();
    }

    /// Words may have been lost: everybody looks.
    pub fn anything(&self) {
        self.live.publish_all();
        self.due.notify_one();
    }

    /// There may be work.
    pub fn due(&self) {
        self.due.notify_one();
    }

    /// Waits for word of work. One word is kept for a worker that was busy.
    pub async fn wait_for_work(&self) {
        self.due.notified().await;
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
