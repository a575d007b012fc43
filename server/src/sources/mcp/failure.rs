//! What the protocol's failures mean for a look-up.

use std::time::Duration;

use rmcp::{
    ServiceError,
    model::{ErrorCode, ErrorData},
    service::ClientInitializeError,
    transport::{DynamicTransportError, streamable_http_client::StreamableHttpError},
};

use super::{MESSAGE_LIMIT, lines};
use crate::{
    secret::Hush,
    sources::{SourceError, one_line},
};

/// Of a call.
pub fn of_call(error: &ServiceError, hush: &Hush) -> SourceError {
    match error {
        ServiceError::McpError(error) => of_error(error, hush),
        ServiceError::TransportSend(error) => of_transport(error, hush),
        ServiceError::Timeout { .. } => SourceError::TimedOut,
        ServiceError::UnexpectedResponse => {
            SourceError::Malformed("the answer is none to the call of a tool".to_owned())
        }
        other => SourceError::ConnectionLost(said(other, hush)),
    }
}

/// Of a handshake.
pub fn of_start(error: &ClientInitializeError, hush: &Hush) -> SourceError {
    match error {
        ClientInitializeError::TransportError { error, .. } => of_transport(error, hush),
        ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::Cancelled => {
            SourceError::CannotStart("the connection ended before the handshake did".to_owned())
        }
        other => SourceError::HandshakeRefused(said(other, hush)),
    }
}

fn of_error(error: &ErrorData, hush: &Hush) -> SourceError {
    let words = one_line(&hush.hide(&error.message));
    match error.code {
        ErrorCode::INVALID_PARAMS => SourceError::ArgumentsRefused(words),
        ErrorCode::METHOD_NOT_FOUND => SourceError::ToolUnknown(words),
        ErrorCode(lines::TOO_LARGE) => SourceError::TooLarge { limit: MESSAGE_LIMIT },
        _ => SourceError::ToolFailed(words),
    }
}

fn of_transport(error: &DynamicTransportError, hush: &Hush) -> SourceError {
    let words = said(error, hush);
    match error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        Some(StreamableHttpError::HttpStatus(status)) if status.status == 429 => {
            SourceError::Busy(status.retry_after.as_deref().and_then(asked_to_wait).unwrap_or_default())
        }
        Some(StreamableHttpError::HttpStatus(_)) => SourceError::Unreachable(words),
        Some(StreamableHttpError::Client(error)) if error.is_connect() => SourceError::Unreachable(words),
        Some(StreamableHttpError::ResponseBodyTooLarge { max_size }) => SourceError::TooLarge { limit: *max_size },
        Some(StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_)) => {
            SourceError::Refused(words)
        }
        // The library keeps the status of these in words alone; what follows is the body.
        Some(StreamableHttpError::UnexpectedServerResponse(said)) if said.starts_with("HTTP 4") => {
            SourceError::Refused(said.split(':').next().unwrap_or_default().to_owned())
        }
        Some(
            StreamableHttpError::Deserialize(_)
            | StreamableHttpError::UnexpectedContentType(_)
            | StreamableHttpError::UnexpectedServerResponse(_),
        ) => SourceError::Malformed(words),
        _ => SourceError::ConnectionLost(words),
    }
}

/// Seconds; a date is not worth a clock here.
fn asked_to_wait(raw: &str) -> Option<Duration> {
    raw.trim().parse().ok().map(Duration::from_secs)
}

/// An error and what it came from, in a line.
fn said(error: &dyn std::error::Error, hush: &Hush) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        let said = source.to_string();
        if !words.contains(&said) {
            words = format!("{words}: {said}");
        }
        cause = source.source();
    }
    one_line(&hush.hide(&words))
}
