//! Server functions: found by their path, run with the contexts that they ask for.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Instant,
};

use app::ports::backend::{Accounts, Backend};
use axum::{
    Extension,
    extract::{ConnectInfo, Request, State},
    response::{IntoResponse, Response},
};
use leptos::prelude::provide_context;
use tower_sessions::Session;

use super::{Shared, answer};

/// Runs the function at this path, which [`super::edge::admit`] has found.
pub async fn call(
    State(shared): State<Arc<Shared>>,
    Extension(session): Extension<Session>,
    request: Request,
) -> Response {
    let path = request.uri().path().to_owned();
    let visitor: Arc<dyn Accounts> = Arc::new(shared.desk.receive(session, caller(&request)));
    let backend = Arc::clone(&shared.backend);
    let contexts = move || {
        provide_context::<Arc<dyn Backend>>(Arc::clone(&backend));
        provide_context::<Arc<dyn Accounts>>(Arc::clone(&visitor));
    };
    let began = Instant::now();
    let response = leptos_axum::handle_server_fns_with_context(contexts, request).await.into_response();
    let response = answer::of_function(response).await;
    // Only known paths get here, so the label cannot be made to grow.
    metrics::histogram!("mooring_request_seconds", "function" => path.clone()).record(began.elapsed());
    metrics::counter!("mooring_requests_total", "function" => path, "status" => response.status().as_str().to_owned())
        .increment(1);
    response
}

/// The address at the other end of the connection.
fn caller(request: &Request) -> IpAddr {
    let known = request.extensions().get::<ConnectInfo<SocketAddr>>();
    known.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(address)| address.ip())
}
