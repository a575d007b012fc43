//! Word that a task has changed, to whoever listens in this process: the worker, open streams,
//! and the one who tells other processes. A lost word costs time, never truth.

use std::sync::Arc;

use domain::id::{Seq, TaskId};
use tokio::sync::{Notify, broadcast};

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Announcer {
    changes: broadcast::Sender<(TaskId, Seq)>,
    due: Arc<Notify>,
}

impl Default for Announcer {
    fn default() -> Self {
        Self { changes: broadcast::channel(1024).0, due: Arc::default() }
    }
}

impl Announcer {
    /// This process has changed a task; there may be work now.
    pub fn changed(&self, task: TaskId, seq: Seq) {
        // An error means that nobody listens, which is fine.
        let _ = self.changes.send((task, seq));
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

    /// All changes from now on. A slow listener is told that it has missed some.
    pub fn changes(&self) -> broadcast::Receiver<(TaskId, Seq)> {
        self.changes.subscribe()
    }
}
