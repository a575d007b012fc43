//! The one shape of every answer under `/api/`: our own JSON, with the status that its code has.
//!
//! Invariant: nothing leaves `/api/` that a client could take for somebody else's page: no HTML, no
//! redirect, no empty body. What is not ours by the time it gets here is answered for.

use std::panic::AssertUnwindSafe;

use app::api::error::ApiError;
use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::fault::{Code, Fault};
use futures::FutureExt;
use serde::Deserialize;

/// Marks an answer that was made here (or is an event stream, which has a shape of its own).
#[derive(Clone, Copy)]
pub struct Ours;

/// What the edge needs to know of an error.
#[derive(Deserialize)]
struct Head {
    code: Code,
    retry_after_ms: Option<u64>,
}

/// The outermost layer of `/api/`: even a panic has an answer.
pub async fn always_ours(request: Request, next: Next) -> Response {
    let Ok(response) = AssertUnwindSafe(next.run(request)).catch_unwind().await else {
        metrics::counter!("mooring_panics_total").increment(1);
        tracing::error!("a request made the server panic; it was answered with unavailable");
        return refusal(&Code::Unavailable.into());
    };
    if response.extensions().get::<Ours>().is_some() {
        return response;
    }
    match response.status() {
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => refusal(&Code::NotFound.into()),
        // An address or a query that could not be read.
        status if status.is_client_error() => refusal(&Code::Malformed.into()),
        status => {
            tracing::error!(%status, "an answer that is not ours was replaced by unavailable");
            refusal(&Code::Unavailable.into())
        }
    }
}

/// The same for an unknown path and for a known one with another method.
pub async fn nothing_here() -> Response {
    refusal(&Code::NotFound.into())
}

/// A refusal: the status follows from the code.
pub fn refusal(error: &ApiError) -> Response {
    let body = serde_json::to_vec(error).unwrap_or_default();
    let mut response = json(status(error.code), body.into());
    wait(&mut response, error.retry_after_ms);
    response
}

/// A fault found before anybody was asked.
pub fn fault(fault: Fault) -> Response {
    refusal(&fault.into())
}

/// Gives what a server function answered the status that its code has, and leaves nothing else of it.
pub async fn of_function(response: Response) -> Response {
    let succeeded = response.status() == StatusCode::OK;
    let Ok(body) = axum::body::to_bytes(response.into_body(), usize::MAX).await else {
        return refusal(&Code::Unavailable.into());
    };
    if succeeded {
        return json(StatusCode::OK, body);
    }
    match serde_json::from_slice::<Head>(&body) {
        Ok(head) => {
            let mut response = json(status(head.code), body);
            wait(&mut response, head.retry_after_ms);
            response
        }
        Err(_) => refusal(&Code::Unavailable.into()),
    }
}

fn status(code: Code) -> StatusCode {
    StatusCode::from_u16(code.status()).unwrap_or(StatusCode::SERVICE_UNAVAILABLE)
}

fn wait(response: &mut Response, retry_after_ms: Option<u64>) {
    if let Some(ms) = retry_after_ms {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(ms.div_ceil(1000)));
    }
}

fn json(status: StatusCode, body: Bytes) -> Response {
    let mut response = (status, Body::from(body)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.extensions_mut().insert(Ours);
    response
}
