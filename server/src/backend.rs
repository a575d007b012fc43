//! What server functions ask for: reads, and commands carried out through the rules and the ledger.

mod command; // a learner's intent, from wish to answer
mod withdrawal; // withdrawing a save on a learner's word

use std::{sync::Arc, time::Duration};

use app::{api::error::ApiError, ports::backend::Backend};
use async_trait::async_trait;
use domain::{
    course::Timeline,
    explanation::StateName,
    fault::Code,
    id::{EntryId, Seq, TaskId, UserId},
    intent::{Done, Intent},
    record::RecordList,
    retry::Terms,
    snapshot::{Draft, LibraryEntry, Snapshot},
    time::Timestamp,
};
use tracing::Instrument as _;

use crate::{
    announce::Announcer,
    faults::{Faults, Injected},
    library::{Library, LibraryError},
    store::{ProcessId, Store, StoreError},
    telemetry::numbers::label,
    withdraw::WithdrawError,
};

/// Tasks, records and the library, out of the store. Cheap to clone.
#[derive(Clone)]
pub struct StoreBackend {
    pub store: Store,
    pub library: Arc<dyn Library>,
    pub announcer: Announcer,
    pub faults: Faults,
    pub process: ProcessId,
    /// The terms that a new task is started on.
    pub terms: Terms,
    pub lease: Duration,
}

/// Tasks that a list shows.
const MOST_TASKS: u32 = 500;

/// What kept a request from being answered, before it becomes words for people.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error(transparent)]
    Withdraw(#[from] WithdrawError),
    #[error(transparent)]
    Planned(#[from] Injected),
    #[error("the task moved again and again")]
    Contended,
}

impl From<Trouble> for ApiError {
    /// The cause is logged here, once, and never shipped.
    fn from(trouble: Trouble) -> Self {
        tracing::warn!(error = &trouble as &dyn std::error::Error, "a request could not be answered");
        Self::from(Code::Unavailable).retry_after(1000)
    }
}

fn is_unreadable(seen: &Snapshot) -> bool {
    seen.problem.as_ref().is_some_and(|p| p.code == "unreadable")
}

fn not_found() -> ApiError {
    Code::NotFound.into()
}

impl StoreBackend {
    async fn snapshot(&self, owner: UserId, task: TaskId) -> Result<Snapshot, ApiError> {
        let seen = self.store.snapshot(owner, task).await.map_err(Trouble::from)?.ok_or_else(not_found)?;
        if seen.phase.is_finished() || seen.state == StateName::NeedsChecking || !is_unreadable(&seen) {
            return Ok(seen);
        }
        // Whoever finds a corrupt payload puts it into a person's hands, also where no work is due.
        let _ = self.store.head(task).await;
        self.store.snapshot(owner, task).await.map_err(Trouble::from)?.ok_or_else(not_found)
    }
}

impl StoreBackend {
    /// The entries, each with what was asked. Where the store does not answer they are whole without it.
    async fn with_questions(&self, owner: UserId, mut entries: Vec<LibraryEntry>) -> Vec<LibraryEntry> {
        let tasks: Vec<TaskId> = entries.iter().map(|entry| entry.task_id).collect();
        match self.store.questions(owner, &tasks).await {
            Ok(mut questions) => {
                for entry in &mut entries {
                    entry.question = questions.remove(&entry.task_id);
                }
            }
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "the library is shown without its questions");
            }
        }
        entries
    }
}

#[async_trait]
impl Backend for StoreBackend {
    async fn records(&self) -> Result<RecordList, ApiError> {
        Ok(self.store.records().await.map_err(Trouble::from)?)
    }

    async fn tasks(&self, owner: UserId) -> Result<Vec<Snapshot>, ApiError> {
        Ok(self.store.snapshots(owner, MOST_TASKS).await.map_err(Trouble::from)?)
    }

    async fn task(&self, owner: UserId, task: TaskId) -> Result<Snapshot, ApiError> {
        self.snapshot(owner, task).await
    }

    async fn draft(&self, owner: UserId, task: TaskId, version: u32) -> Result<Draft, ApiError> {
        self.store.draft(owner, task, version).await.map_err(Trouble::from)?.ok_or_else(not_found)
    }

    async fn events(&self, owner: UserId, task: TaskId, after_seq: Seq) -> Result<Timeline, ApiError> {
        if !self.store.owns(owner, task).await.map_err(Trouble::from)? {
            return Err(not_found());
        }
        Ok(self.store.timeline(task, after_seq).await.map_err(Trouble::from)?)
    }

    async fn command(&self, owner: UserId, intent: Intent) -> Result<Done, ApiError> {
        // Whatever is logged on the way says whose it is.
        let span = tracing::info_span!(
            "command", task.id = %intent.task_id, operation.id = %intent.op_id, verb = intent.wish.verb()
        );
        let done = self.carry_out(owner, &intent).instrument(span).await;
        let code = done.as_ref().map_or_else(|e| label(e.code), |_| "done".to_owned());
        metrics::counter!("mooring_commands_total", "verb" => intent.wish.verb(), "code" => code).increment(1);
        done
    }

    async fn library(&self, owner: UserId) -> Result<Vec<LibraryEntry>, ApiError> {
        Ok(self.with_questions(owner, self.library.list(owner).await.map_err(Trouble::from)?).await)
    }

    async fn entry(&self, owner: UserId, entry: EntryId) -> Result<LibraryEntry, ApiError> {
        let entry = self.library.read(owner, entry).await.map_err(Trouble::from)?.ok_or_else(not_found)?;
        self.with_questions(owner, vec![entry]).await.pop().ok_or_else(not_found)
    }

    async fn now(&self) -> Option<Timestamp> {
        let now = self.store.now().await;
        now.inspect_err(|error| tracing::warn!(error = error as &dyn std::error::Error, "the time could not be read"))
            .ok()
    }
}
