//! The fixture records behind a read-only MCP server, for Mooring itself and for any other MCP client.
//!
//! Invariants: nothing here writes; nothing but the protocol goes to standard output.

mod answer; // what the tools take and give, with its schema
mod handler; // which tools there are, and what each does

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::Router;
use rmcp::{
    ServiceExt as _,
    service::QuitReason,
    transport::{
        stdio,
        streamable_http_server::{
            StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
        },
    },
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::handler::Records;
use crate::{connections, sources::fixture::FixtureSource};

/// Why the server did not start, or ended badly.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    #[error("nothing can listen on {addr}: {source}")]
    Listen { addr: SocketAddr, source: io::Error },
    #[error("no MCP client was met: {0}")]
    Handshake(String),
    #[error("the records server ended: {0}")]
    Serve(String),
}

/// Where the server is found, after its address.
pub const PATH: &str = "/mcp";

/// How long requests under way may take once the server is asked to stop: each is answered from memory or a file.
const DRAIN: Duration = Duration::from_secs(2);

/// Speaks with one client over standard input and output, until the client hangs up.
pub async fn over_stdio(source: FixtureSource) -> Result<(), RecordsError> {
    let served = Records::new(source).serve(stdio()).await;
    let served = served.map_err(|error| RecordsError::Handshake(error.to_string()))?;
    match served.waiting().await {
        Ok(QuitReason::Closed | QuitReason::Cancelled) => Ok(()),
        Ok(other) => Err(RecordsError::Serve(format!("{other:?}"))),
        Err(error) => Err(RecordsError::Serve(error.to_string())),
    }
}

/// Speaks with any number of clients over streamable HTTP, until `stop`.
pub async fn over_http(source: FixtureSource, addr: SocketAddr, stop: CancellationToken) -> Result<(), RecordsError> {
    let failed = |source| RecordsError::Listen { addr, source };
    let listener = TcpListener::bind(addr).await.map_err(failed)?;
    let addr = listener.local_addr().map_err(failed)?;
    println!("The records are at http://{addr}{PATH}");
    let router = router(source, stop.clone());
    // Open event streams end by the token.
    let served = connections::serve(listener, router, stop, DRAIN).await;
    served.map_err(|error| RecordsError::Serve(error.to_string()))
}

/// The server as a part of any router. Only loopback names are taken as `Host`, and no page's `Origin`: the
/// records are for programs.
pub fn router(source: FixtureSource, stop: CancellationToken) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(stop)
        .enforce_origin_validation()
        // Nothing here is kept between two calls, so that no number of clients fills the memory.
        .with_legacy_session_mode(false);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(Records::new(source.clone())), sessions, config);
    Router::new().route_service(PATH, service)
}
