//! What the protocol's failures mean for a look-up.

use std::{
    sync::{PoisonError, RwLock},
    time::Duration,
};

use rmcp::{
    ServiceError,
    model::{ErrorCode, ErrorData},
    service::ClientInitializeError,
    transport::{DynamicTransportError, streamable_http_client::StreamableHttpError},
};
use tokio::time::Instant;

use super::{MESSAGE_LIMIT, lines};
use crate::{
    outgoing,
    secret::Hush,
    sources::{SourceError, one_line},
};

/// Of a call.
pub fn of_call(error: &ServiceError, hush: &Hush) -> SourceError {
    match error {
        ServiceError::McpError(error) => of_error(error, hush),
        ServiceError::TransportSend(error) => of_transport(error, hush),
        ServiceError::Timeout { .. } => SourceError::TimedOut,
        ServiceError::UnexpectedResponse => SourceError::Malformed("the answer is none to what was asked".to_owned()),
        other => SourceError::ConnectionLost(said(other, hush)),
    }
}

/// The server does not know the session any more, and did nothing. Some say so by a bad request, of which the library
/// keeps the words alone.
pub fn is_expired(error: &ServiceError) -> bool {
    let ServiceError::TransportSend(error) = error else { return false };
    match streamable(error) {
        Some(Streamable::SessionExpired) => true,
        Some(Streamable::UnexpectedServerResponse(said)) => said.starts_with("HTTP 400"),
        _ => false,
    }
}

/// Of a handshake.
pub fn of_start(error: &ClientInitializeError, hush: &Hush) -> SourceError {
    match error {
        ClientInitializeError::TransportError { error, .. } => of_transport(error, hush),
        ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::Cancelled => {
            SourceError::CannotStart("the connection ended before the handshake did".to_owned())
        }
        // The library's words for these hold the whole message.
        ClientInitializeError::ExpectedInitResponse(_) | ClientInitializeError::ExpectedInitResult(_) => {
            SourceError::HandshakeRefused("the answer is none to a handshake".to_owned())
        }
        ClientInitializeError::JsonRpcError(error) if error.code == ErrorCode(lines::REFUSED_WHOLE) => {
            of_error(error, hush)
        }
        other => SourceError::HandshakeRefused(said(other, hush)),
    }
}

/// Whether an error in place of an answer may mean that the server has forgotten the session: common servers say so by a
/// status and an error, and of these the library keeps the error alone.
pub fn may_be_expired(refused: &ErrorData) -> bool {
    matches!(refused.code, ErrorCode(lines::REFUSED_WHOLE | -32_000 | -32_001))
}

/// How long a server is believed that said the same in a session just begun: it means its tool, and no session.
const BELIEVED: Duration = Duration::from_mins(1);

/// What a server has lately meant by an error that may be of the session.
#[derive(Debug, Default)]
pub struct Meant(RwLock<Option<Instant>>);

impl Meant {
    pub fn its_tool(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + BELIEVED);
    }

    pub fn is_its_tool(&self, now: Instant) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).is_some_and(|until| now < until)
    }
}

/// What the server says instead of an answer.
pub fn of_error(error: &ErrorData, hush: &Hush) -> SourceError {
    let words = one_line(&hush.hide(&error.message));
    match error.code {
        ErrorCode::INVALID_PARAMS => SourceError::ArgumentsRefused(words),
        ErrorCode::METHOD_NOT_FOUND => SourceError::ToolUnknown(words),
        ErrorCode(lines::UNREADABLE) => unreadable(),
        ErrorCode(lines::REFUSED_WHOLE) => SourceError::Unreachable(words),
        ErrorCode(lines::TOO_LARGE) => SourceError::TooLarge { limit: MESSAGE_LIMIT },
        _ => SourceError::ToolFailed(words),
    }
}

type Streamable = StreamableHttpError<reqwest::Error>;

fn streamable(error: &DynamicTransportError) -> Option<&Streamable> {
    error.error.downcast_ref()
}

fn of_transport(error: &DynamicTransportError, hush: &Hush) -> SourceError {
    match streamable(error) {
        Some(error) => of_http(error, hush),
        None => SourceError::ConnectionLost(said(error, hush)),
    }
}

fn of_http(error: &Streamable, hush: &Hush) -> SourceError {
    match error {
        Streamable::HttpStatus(status) => {
            let wait = status.retry_after.as_deref().and_then(outgoing::seconds);
            match (status.status, wait) {
                (429, wait) => SourceError::Busy(wait.unwrap_or_default()),
                (503, Some(wait)) => SourceError::Busy(wait),
                (status, _) => SourceError::Unreachable(format!("HTTP {status}")),
            }
        }
        Streamable::Client(error) if error.is_connect() => SourceError::Unreachable(said(error, hush)),
        Streamable::ResponseBodyTooLarge { max_size } => SourceError::TooLarge { limit: *max_size },
        Streamable::AuthRequired(_) | Streamable::InsufficientScope(_) => SourceError::Refused(said(error, hush)),
        // The library keeps the status of these in words alone; what follows is the body, and that may be a record.
        Streamable::UnexpectedServerResponse(said) if said.starts_with("HTTP 4") => {
            let status = said.split(':').next().unwrap_or_default().to_owned();
            match status.get(5..8) {
                Some("408" | "409" | "425") => SourceError::Unreachable(status),
                _ => SourceError::Refused(status),
            }
        }
        Streamable::Deserialize(_) | Streamable::UnexpectedServerResponse(_) => unreadable(),
        Streamable::UnexpectedContentType(_) => {
            SourceError::Malformed("the answer is neither JSON nor a stream of events".to_owned())
        }
        other => SourceError::ConnectionLost(said(other, hush)),
    }
}

fn unreadable() -> SourceError {
    SourceError::Malformed("the answer is no message of the protocol".to_owned())
}

/// An error and what it came from, in a line.
fn said(error: &dyn std::error::Error, hush: &Hush) -> String {
    one_line(&hush.hide(&outgoing::chain(error)))
}
