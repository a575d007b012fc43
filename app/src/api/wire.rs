//! The real server, asked through the generated calls.
//!
//! Invariant: a call ends in a typed answer of ours or in [`ApiError::nobody_answered`]. An answer
//! in a form that this build does not know is no answer: what waits is kept for a build that does.

use domain::{
    course::Timeline,
    id::{EntryId, Seq, TaskId},
    intent::{Done, Intent, Wish},
    record::RecordList,
    snapshot::{Draft, LibraryEntry, Snapshot, Who},
    task::SCHEMA,
};

use super::{
    account, command,
    error::ApiError,
    reading,
    reply::{DoneReply, Versioned},
};
use crate::ports::server::{Reply, Server};

/// Asks the server that this page came from.
pub struct Wire;

const OURS: Option<u32> = Some(SCHEMA);

/// Passes a reply on if its form is known.
fn known<T: Versioned>(reply: Result<T, ApiError>) -> Result<T, ApiError> {
    match reply {
        Ok(reply) if reply.schema() == SCHEMA => Ok(reply),
        Err(error) if error.schema == SCHEMA => Err(error),
        _ => Err(ApiError::newer_server()),
    }
}

impl Server for Wire {
    fn sign_up(&self, name: String, passphrase: String) -> Reply<Who> {
        Box::pin(async { known(account::sign_up(OURS, name, passphrase).await).map(Who::from) })
    }

    fn sign_in(&self, name: String, passphrase: String) -> Reply<Who> {
        Box::pin(async { known(account::sign_in(OURS, name, passphrase).await).map(Who::from) })
    }

    fn sign_out(&self) -> Reply<Who> {
        Box::pin(async { known(account::sign_out(OURS).await).map(Who::from) })
    }

    fn who(&self) -> Reply<Who> {
        Box::pin(async { known(account::who_am_i(OURS).await).map(Who::from) })
    }

    fn records(&self) -> Reply<RecordList> {
        Box::pin(async { known(reading::records(OURS).await).map(RecordList::from) })
    }

    fn tasks(&self) -> Reply<Vec<Snapshot>> {
        Box::pin(async { known(reading::tasks(OURS).await).map(|r| r.tasks) })
    }

    fn task(&self, task: TaskId) -> Reply<Snapshot> {
        Box::pin(async move { known(reading::task(OURS, task).await) })
    }

    fn draft(&self, task: TaskId, version: u32) -> Reply<Draft> {
        Box::pin(async move { known(reading::draft(OURS, task, version).await).map(|r| r.draft) })
    }

    fn events(&self, task: TaskId, after_seq: Seq) -> Reply<Timeline> {
        Box::pin(async move { known(reading::events(OURS, task, after_seq).await).map(|r| r.timeline) })
    }

    fn library(&self) -> Reply<Vec<LibraryEntry>> {
        Box::pin(async { known(reading::library(OURS).await).map(|r| r.entries) })
    }

    fn entry(&self, entry: EntryId) -> Reply<LibraryEntry> {
        Box::pin(async move { known(reading::entry(OURS, entry).await).map(|r| r.entry) })
    }

    fn command(&self, intent: Intent) -> Reply<Done> {
        Box::pin(async { known(send(intent).await).map(Done::from) })
    }
}

async fn send(Intent { op_id, task_id, as_user, wish }: Intent) -> Result<DoneReply, ApiError> {
    match wish {
        Wish::Start { record_id, question, even_if_similar } => {
            command::start(OURS, op_id, task_id, as_user, record_id, question, even_if_similar).await
        }
        Wish::Edit { base_version, text } => command::edit(OURS, op_id, task_id, as_user, base_version, text).await,
        Wish::Accept { draft_version, draft_hash, seen_source_version } => {
            command::accept(OURS, op_id, task_id, as_user, draft_version, draft_hash, seen_source_version).await
        }
        Wish::Redraft { base_version } => command::redraft(OURS, op_id, task_id, as_user, base_version).await,
        Wish::Reopen => command::reopen(OURS, op_id, task_id, as_user).await,
        Wish::Retry => command::retry(OURS, op_id, task_id, as_user).await,
        Wish::Cancel => command::cancel(OURS, op_id, task_id, as_user).await,
        Wish::Settle { verdict, note } => command::settle(OURS, op_id, task_id, as_user, verdict, note).await,
    }
}
