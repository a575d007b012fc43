//! What may come in to a server function: a JSON object of bounded size and of a schema that we know,
//! for a function that there is.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    extract::Request,
    http::{Method, header},
    middleware::Next,
    response::Response,
};
use domain::{
    fault::{Code, Fault},
    task::SCHEMA,
};
use futures::StreamExt;
use leptos::server_fn::axum::get_server_fn_service;

use super::answer;

/// Bytes of a request. Texts have far lower limits of their own.
const LIMIT: usize = 1024 * 1024;
/// Bytes that are read and thrown away, so that whoever sends too much can still read why not.
const PATIENCE: usize = 16 * LIMIT;
/// A phone with one bar may be slow; a connection that says nothing is not kept for ever.
const READ_WITHIN: Duration = Duration::from_mins(1);

/// Lets a request through with its body read and looked at.
pub async fn admit(request: Request, next: Next) -> Response {
    // Functions register themselves when the binary is linked.
    if get_server_fn_service(request.uri().path(), Method::POST).is_none() {
        return answer::nothing_here().await;
    }
    let (mut head, body) = request.into_parts();
    let body = match tokio::time::timeout(READ_WITHIN, read(body)).await {
        Ok(Ok(body)) => body,
        Ok(Err(fault)) => return answer::fault(fault),
        Err(_) => return answer::fault(Fault::new(Code::Unavailable)),
    };
    if let Err(fault) = look_at(&body) {
        return answer::fault(fault);
    }
    // A server function takes a request that accepts HTML for a plain form and redirects it.
    head.headers.remove(header::ACCEPT);
    head.headers.remove(header::REFERER);
    next.run(Request::from_parts(head, Body::from(body))).await
}

async fn read(body: Body) -> Result<Bytes, Fault> {
    let mut kept = Vec::new();
    let mut read = 0;
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Fault::new(Code::Malformed))?;
        read += chunk.len();
        if read <= LIMIT {
            kept.extend_from_slice(&chunk);
        } else if read > PATIENCE {
            break;
        }
    }
    if read > LIMIT { Err(Fault::too_long("body", LIMIT)) } else { Ok(kept.into()) }
}

fn look_at(body: &[u8]) -> Result<(), Fault> {
    let malformed = || Fault::new(Code::Malformed);
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(body).map_err(|_| malformed())?;
    match object.get("schema") {
        None => Ok(()),
        Some(schema) if schema.as_u64() == Some(SCHEMA.into()) => Ok(()),
        Some(schema) => Err(malformed().with("schema", short(schema)).with("known", SCHEMA)),
    }
}

fn short(schema: &serde_json::Value) -> String {
    schema.to_string().chars().take(20).collect()
}
