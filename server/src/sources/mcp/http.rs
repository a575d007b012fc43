//! The way to an address: the library's own HTTP client, but for three things. An event that is too large or cannot be
//! read ends the library's stream, which looks like a lost connection: here an error takes its place under the ID of the
//! request. An error that answers no request in particular is matched to none by the library, and whoever asked would wait
//! in vain: here it answers the request that brought it. And a server that asks and asks, and takes no answer, is not
//! listened to any more.

use std::{collections::HashMap, sync::Arc};

use futures::{Stream, StreamExt as _, stream::BoxStream};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::{
    model::{ClientJsonRpcMessage, ErrorCode, ErrorData, JsonRpcError, RequestId, ServerJsonRpcMessage},
    transport::streamable_http_client::{
        SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
    },
};
use serde_json::Value;
use sse_stream::Sse;

use super::{
    lines::{REFUSED_WHOLE, TOO_LARGE, UNREADABLE},
    unheard::Unheard,
};

type Headers = HashMap<HeaderName, HeaderValue>;
type Failed = StreamableHttpError<reqwest::Error>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

/// How the library words it; it keeps the type to itself.
const OVERSIZED: &str = "exceeded the maximum size";

/// A stream is not opened again sooner, in milliseconds.
const SOONEST: u64 = 1_000;

/// A client of one session.
#[derive(Clone, Debug)]
pub struct Http {
    client: reqwest::Client,
    unheard: Arc<Unheard>,
}

impl Http {
    /// With the count of what the server asks of us.
    pub fn new(client: reqwest::Client) -> (Self, Arc<Unheard>) {
        let unheard = Arc::default();
        (Self { client, unheard: Arc::clone(&unheard) }, unheard)
    }

    fn is_bearable(&self) -> Result<(), Failed> {
        if self.unheard.is_too_much() { Err(Failed::Sse(too_much())) } else { Ok(()) }
    }

    /// Events as they are passed on: `id` is the request that they answer, where it is one.
    fn listened_to(&self, events: Events, id: Option<RequestId>) -> Events {
        let unheard = Arc::clone(&self.unheard);
        let told = events.map(move |event| match event {
            Err(error) => match (&id, what_is_wrong(&error)) {
                (Some(id), Some(code)) => Ok(refusal(id, code)),
                _ => Err(error),
            },
            Ok(event) => match (&id, kind(&event)) {
                (_, Kind::Question) if !unheard.ask(event.data.as_ref().map_or(0, String::len)) => Err(too_much()),
                (Some(id), Kind::Unreadable) => Ok(refusal(id, UNREADABLE)),
                (Some(id), Kind::ErrorForNobody) => Ok(refusal(id, REFUSED_WHOLE)),
                _ => Ok(unhurried(event)),
            },
        });
        until_too_much(told).boxed()
    }
}

/// Nothing more is read after that.
fn until_too_much(
    events: impl Stream<Item = Result<Sse, SseError>> + Send,
) -> impl Stream<Item = Result<Sse, SseError>> + Send {
    events.scan(false, |is_over, event| {
        let was_over = std::mem::replace(is_over, event.is_err());
        std::future::ready((!was_over).then_some(event))
    })
}

fn too_much() -> SseError {
    SseError::Body("the server asks much and takes no answer".into())
}

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
        self.is_bearable()?;
        let is_answer = matches!(message, ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_));
        let answer = self.client.post_message_with_response_limits(uri, message, session, token, headers, limits).await;
        if is_answer {
            self.unheard.hear(1);
        }
        Ok(match (answer?, id) {
            (StreamableHttpPostResponse::Sse(events, session), id) => {
                StreamableHttpPostResponse::Sse(self.listened_to(events, id), session)
            }
            (StreamableHttpPostResponse::Json(ServerJsonRpcMessage::Error(error), session), Some(id))
                if error.id.as_ref() != Some(&id) =>
            {
                let error = ErrorData::new(ErrorCode(REFUSED_WHOLE), error.error.message, None);
                let told = ServerJsonRpcMessage::Error(JsonRpcError::new(Some(id), error));
                StreamableHttpPostResponse::Json(told, session)
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
        self.client.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<Events, Failed> {
        self.is_bearable()?;
        let events = self.client.get_stream(uri, session, last_event, token, headers).await?;
        Ok(self.listened_to(events, None))
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
        self.is_bearable()?;
        let events =
            self.client.get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, limit).await?;
        Ok(self.listened_to(events, None))
    }
}

/// A server may say how soon a stream that it ends is opened again, and none makes us run.
fn unhurried(event: Sse) -> Sse {
    Sse { retry: event.retry.map(|wait| wait.max(SOONEST)), ..event }
}

/// What is wrong with an event that came, where it is not the connection.
fn what_is_wrong(error: &SseError) -> Option<i32> {
    match error {
        _ if is_oversized(error) => Some(TOO_LARGE),
        SseError::Body(_) => None,
        _ => Some(UNREADABLE),
    }
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

enum Kind {
    /// The server asks us something.
    Question,
    /// It is meant as a message, and is none: the library would end the stream at it.
    Unreadable,
    /// An error that names no request.
    ErrorForNobody,
    Other,
}

fn kind(event: &Sse) -> Kind {
    // Events of other names are no messages, whatever is in them.
    if event.event.as_deref().is_some_and(|name| !matches!(name, "" | "message")) {
        return Kind::Other;
    }
    let Some(data) = event.data.as_deref().filter(|data| !data.trim().is_empty()) else { return Kind::Other };
    match serde_json::from_str::<ServerJsonRpcMessage>(data) {
        Ok(ServerJsonRpcMessage::Request(_)) => Kind::Question,
        Ok(ServerJsonRpcMessage::Error(error)) if error.id.is_none() => Kind::ErrorForNobody,
        Ok(_) => Kind::Other,
        Err(_) if serde_json::from_str(data).is_ok_and(|message: Value| message.get("id").is_none()) => Kind::Other,
        Err(_) => Kind::Unreadable,
    }
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
            assert_eq!(unhurried(event).retry, kept);
        }
    }
}
