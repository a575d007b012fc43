//! A task as it changes: server-sent events.
//!
//! Invariant: nothing is pushed that was not just read. A hint or a beat makes the stream read the
//! task again, for its owner and through the same port as any request, so that a lost hint costs
//! one beat and never the truth.

use std::{convert::Infallible, sync::Arc, time::Duration};

use app::{api::error::ApiError, ports::backend::Accounts};
use axum::{
    Extension,
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response, Sse, sse::Event},
};
use domain::{
    fault::{Code, Fault},
    id::{Seq, TaskId},
};
use futures::stream;
use serde::Deserialize;
use tower_sessions::Session;

pub mod feed; // what is sent next
pub mod seats; // how many may look at once

use self::feed::Feed;
use super::{
    Shared,
    answer::{self, Ours},
};

/// Every five seconds: a client that waits ten may miss one.
const BEAT: Duration = Duration::from_secs(5);

/// Where to go on from.
#[derive(Deserialize)]
pub struct After {
    after_seq: Option<String>,
}

/// `GET /api/v1/tasks/{task_id}/stream`
pub async fn open(
    State(shared): State<Arc<Shared>>,
    Extension(session): Extension<Session>,
    Path(task_id): Path<String>,
    Query(after): Query<After>,
    headers: HeaderMap,
) -> Response {
    match begin(&shared, session, &task_id, &after, &headers).await {
        Ok(feed) => events(feed),
        Err(error) => answer::refusal(&error),
    }
}

async fn begin(
    shared: &Arc<Shared>,
    session: Session,
    task_id: &str,
    after: &After,
    headers: &HeaderMap,
) -> Result<Feed, ApiError> {
    let after = go_on_from(after, headers)?;
    // What is no ID names no task.
    let task: TaskId = task_id.parse().map_err(|_| ApiError::from(Code::NotFound))?;
    let nowhere = std::net::Ipv4Addr::UNSPECIFIED.into();
    let who = shared.desk.receive(session.clone(), nowhere).who().await?;
    let (Some(who), Some(token)) = (who, session.id()) else { return Err(Code::SignedOut.into()) };
    // Watching comes before reading: a change between the two is a hint, not a gap.
    let watching = shared.live.subscribe(task);
    let first = shared.backend.task(who.user_id, task).await?;
    let seat = shared.seats.take(who.user_id);
    Ok(Feed::new(Arc::clone(shared), token, who.user_id, watching, seat, after, &first))
}

/// `Last-Event-ID` wins: a browser that reconnects by itself keeps the address it was first given.
fn go_on_from(after: &After, headers: &HeaderMap) -> Result<Seq, Fault> {
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    match (last, after.after_seq.as_deref()) {
        (Some(seq), _) => Ok(seq),
        (None, None | Some("")) => Ok(0),
        (None, Some(raw)) => raw.parse().map_err(|_| Fault::new(Code::Malformed).with("field", "after_seq")),
    }
}

fn events(feed: Feed) -> Response {
    let events = stream::unfold(feed, |mut feed| async move {
        let event: Event = feed.next().await?;
        Some((Ok::<_, Infallible>(event), feed))
    });
    let mut response = Sse::new(events).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A proxy that gathers what is small would keep the learner waiting.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.extensions_mut().insert(Ours);
    response
}
