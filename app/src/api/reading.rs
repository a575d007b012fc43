//! Reading: records, tasks, drafts, timelines, the library. Only the owner's.

use domain::{
    id::{EntryId, Seq, TaskId},
    snapshot::Snapshot,
};
use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
use super::actor::{actor, backend, known};
use super::{
    error::ApiError,
    reply::{DraftReply, EntryReply, EventsReply, LibraryReply, RecordsReply, TasksReply},
};
#[cfg(feature = "ssr")]
use domain::task::SCHEMA;

/// The records on offer.
#[server(name = ListRecords, prefix = "/api/v1", endpoint = "records/list", input = Json, output = Json)]
pub async fn records(schema: Option<u32>) -> Result<RecordsReply, ApiError> {
    known(schema)?;
    actor(None).await?;
    Ok(backend()?.records().await?.into())
}

/// All tasks, newest first, without drafts and evidence.
#[server(name = ListTasks, prefix = "/api/v1", endpoint = "tasks/list", input = Json, output = Json)]
pub async fn tasks(schema: Option<u32>) -> Result<TasksReply, ApiError> {
    known(schema)?;
    let actor = actor(None).await?;
    Ok(TasksReply { schema: SCHEMA, tasks: backend()?.tasks(actor).await? })
}

/// One task as it is now.
#[server(name = ReadTask, prefix = "/api/v1", endpoint = "tasks/read", input = Json, output = Json)]
pub async fn task(schema: Option<u32>, task_id: TaskId) -> Result<Snapshot, ApiError> {
    known(schema)?;
    let actor = actor(None).await?;
    backend()?.task(actor, task_id).await
}

/// One version of a draft, with its text.
#[server(name = ReadDraft, prefix = "/api/v1", endpoint = "tasks/draft", input = Json, output = Json)]
pub async fn draft(schema: Option<u32>, task_id: TaskId, version: u32) -> Result<DraftReply, ApiError> {
    known(schema)?;
    let actor = actor(None).await?;
    Ok(DraftReply { schema: SCHEMA, draft: backend()?.draft(actor, task_id, version).await? })
}

/// The log of a task after an event, and how each of its steps went.
#[server(name = ReadEvents, prefix = "/api/v1", endpoint = "tasks/events", input = Json, output = Json)]
pub async fn events(
    schema: Option<u32>,
    task_id: TaskId,
    #[server(default)] after_seq: Seq,
) -> Result<EventsReply, ApiError> {
    known(schema)?;
    let actor = actor(None).await?;
    Ok(EventsReply { schema: SCHEMA, timeline: backend()?.events(actor, task_id, after_seq).await? })
}

/// The library, newest first.
#[server(name = ListLibrary, prefix = "/api/v1", endpoint = "library/list", input = Json, output = Json)]
pub async fn library(schema: Option<u32>) -> Result<LibraryReply, ApiError> {
    known(schema)?;
    let actor = actor(None).await?;
    let backend = backend()?;
    let (entries, server_time) = (backend.library(actor).await?, backend.now().await);
    Ok(LibraryReply { schema: SCHEMA, entries, server_time })
}

/// One entry of the library.
#[server(name = ReadEntry, prefix = "/api/v1", endpoint = "library/read", input = Json, output = Json)]
pub async fn entry(schema: Option<u32>, entry_id: EntryId) -> Result<EntryReply, ApiError> {
    known(schema)?;
    let actor = actor(None).await?;
    let backend = backend()?;
    let (entry, server_time) = (backend.entry(actor, entry_id).await?, backend.now().await);
    Ok(EntryReply { schema: SCHEMA, entry, server_time })
}
