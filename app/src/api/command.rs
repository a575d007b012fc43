//! Commands: what a learner may ask of a task, each under an operation ID of the device.
//!
//! What can never be right and what the task's state forbids is judged behind the port.

use domain::{
    id::{OpId, SourceVersion, TaskId, UserId},
    intent::Verdict,
    text::Hash,
};
use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
use super::actor::{actor, backend, known};
use super::{error::ApiError, reply::DoneReply};
#[cfg(feature = "ssr")]
use domain::intent::{Intent, Wish};

/// Starts a task.
#[server(name = StartTask, prefix = "/api/v1", endpoint = "tasks/start", input = Json, output = Json)]
pub async fn start(
    schema: Option<u32>,
    op_id: OpId,
    task_id: TaskId,
    as_user: Option<UserId>,
    record_id: String,
    question: String,
    #[server(default)] even_if_similar: bool,
) -> Result<DoneReply, ApiError> {
    known(schema)?;
    carry_out(op_id, task_id, as_user, Wish::Start { record_id, question, even_if_similar }).await
}

/// Stores the learner's text as the next version.
#[server(name = EditTask, prefix = "/api/v1", endpoint = "tasks/edit", input = Json, output = Json)]
pub async fn edit(
    schema: Option<u32>,
    op_id: OpId,
    task_id: TaskId,
    as_user: Option<UserId>,
    base_version: u32,
    text: String,
) -> Result<DoneReply, ApiError> {
    known(schema)?;
    carry_out(op_id, task_id, as_user, Wish::Edit { base_version, text }).await
}

/// Accepts a named version.
#[server(name = AcceptTask, prefix = "/api/v1", endpoint = "tasks/accept", input = Json, output = Json)]
pub async fn accept(
    schema: Option<u32>,
    op_id: OpId,
    task_id: TaskId,
    as_user: Option<UserId>,
    draft_version: u32,
    draft_hash: Hash,
    seen_source_version: SourceVersion,
) -> Result<DoneReply, ApiError> {
    known(schema)?;
    carry_out(op_id, task_id, as_user, Wish::Accept { draft_version, draft_hash, seen_source_version }).await
}

/// Asks for a new draft in place of the named version.
#[server(name = RedraftTask, prefix = "/api/v1", endpoint = "tasks/redraft", input = Json, output = Json)]
pub async fn redraft(
    schema: Option<u32>,
    op_id: OpId,
    task_id: TaskId,
    as_user: Option<UserId>,
    base_version: u32,
) -> Result<DoneReply, ApiError> {
    known(schema)?;
    carry_out(op_id, task_id, as_user, Wish::Redraft { base_version }).await
}

/// Looks at the record again.
#[server(name = ReopenTask, prefix = "/api/v1", endpoint = "tasks/reopen", input = Json, output = Json)]
pub async fn reopen(
    schema: Option<u32>,
    op_id: OpId,
    task_id: TaskId,
    as_user: Option<UserId>,
) -> Result<DoneReply, ApiError> {
    known(schema)?;
    carry_out(op_id, task_id, as_user, Wish::Reopen).await
}

/// Tries a failed step again, with a fresh budget.
#[server(name = RetryTask, prefix = "/api/v1", endpoint = "tasks/retry", input = Json, output = Json)]
pub async fn retry(
    schema: Option<u32>,
    op_id: OpId,
    task_id: TaskId,
    as_user: Option<UserId>,
) -> Result<DoneReply, ApiError> {
    known(schema)?;
    carry_out(op_id, task_id, as_user, Wish::Retry).await
}

/// Cancels a task, if it has not ended.
#[server(name = CancelTask, prefix = "/api/v1", endpoint = "tasks/cancel", input = Json, output = Json)]
pub async fn cancel(
    schema: Option<u32>,
    op_id: OpId,
    task_id: TaskId,
    as_user: Option<UserId>,
) -> Result<DoneReply, ApiError> {
    known(schema)?;
    carry_out(op_id, task_id, as_user, Wish::Cancel).await
}

/// Settles an uncertain outcome.
#[server(name = SettleTask, prefix = "/api/v1", endpoint = "tasks/settle", input = Json, output = Json)]
pub async fn settle(
    schema: Option<u32>,
    op_id: OpId,
    task_id: TaskId,
    as_user: Option<UserId>,
    verdict: Verdict,
    #[server(default)] note: String,
) -> Result<DoneReply, ApiError> {
    known(schema)?;
    carry_out(op_id, task_id, as_user, Wish::Settle { verdict, note }).await
}

#[cfg(feature = "ssr")]
async fn carry_out(op_id: OpId, task_id: TaskId, as_user: Option<UserId>, wish: Wish) -> Result<DoneReply, ApiError> {
    let owner = actor(as_user).await?;
    Ok(backend()?.command(owner, Intent { op_id, task_id, as_user, wish }).await?.into())
}
