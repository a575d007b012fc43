//! The way to an address: the library's own HTTP client, but for an event that is too large or cannot be read. The library
//! ends its stream then, which looks like a lost connection; here an error takes the event's place under the same ID, so
//! that whoever waits for it learns what it was.

use std::{collections::HashMap, sync::Arc};

use futures::{StreamExt as _, stream::BoxStream};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::{
    model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage},
    transport::streamable_http_client::{
        SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
    },
};
use serde_json::Value;
use sse_stream::Sse;

use super::lines::{TOO_LARGE, UNREADABLE};

type Headers = HashMap<HeaderName, HeaderValue>;
type Failed = StreamableHttpError<reqwest::Error>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

/// How the library words it; it keeps the type to itself.
const OVERSIZED: &str = "exceeded the maximum size";

/// A stream is not opened again sooner, in milliseconds.
const SOONEST: u64 = 1_000;

/// A client that tells of what is too large.
#[derive(Clone, Debug)]
pub struct Http(pub reqwest::Client);

impl StreamableHttpClient for Http {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session, token, headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let id = match &message {
            ClientJsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        let answer = self.0.post_message_with_response_limits(uri, message, session, token, headers, limits).await?;
        Ok(match (answer, id) {
            (StreamableHttpPostResponse::Sse(events, session), Some(id)) => {
                let told = events.map(move |event| match event {
                    Err(error) if is_oversized(&error) => Ok(refusal(&id, TOO_LARGE)),
                    Ok(event) if is_unreadable(&event) => Ok(refusal(&id, UNREADABLE)),
                    other => unhurried(other),
                });
                StreamableHttpPostResponse::Sse(told.boxed(), session)
            }
            (other, _) => other,
        })
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<(), Failed> {
        self.0.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<Events, Failed> {
        Ok(self.0.get_stream(uri, session, last_event, token, headers).await?.map(unhurried).boxed())
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
        limit: usize,
    ) -> Result<Events, Failed> {
        let events = self.0.get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, limit).await?;
        Ok(events.map(unhurried).boxed())
    }
}

/// A server may say how soon a stream that it ends is opened again, and none makes us run.
fn unhurried(event: Result<Sse, SseError>) -> Result<Sse, SseError> {
    event.map(|event| Sse { retry: event.retry.map(|wait| wait.max(SOONEST)), ..event })
}

fn is_oversized(error: &SseError) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if error.to_string().contains(OVERSIZED) {
            return true;
        }
        cause = error.source();
    }
    false
}

/// It is meant as an answer, and the library would end the stream at it.
fn is_unreadable(event: &Sse) -> bool {
    let Some(data) = event.data.as_deref().filter(|data| !data.trim().is_empty()) else { return false };
    let is_note = |message: Value| message.get("id").is_none();
    serde_json::from_str::<ServerJsonRpcMessage>(data).is_err() && !serde_json::from_str(data).is_ok_and(is_note)
}

fn refusal(id: &RequestId, code: i32) -> Sse {
    let error = serde_json::json!({ "code": code, "message": "" });
    Sse::default().data(serde_json::json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_server_makes_us_run() {
        for (said, kept) in [(Some(0), Some(SOONEST)), (Some(5_000), Some(5_000)), (None, None)] {
            let event = Sse { retry: said, ..Sse::default() };
            assert_eq!(unhurried(Ok(event)).unwrap().retry, kept);
        }
    }
}
