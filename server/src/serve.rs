//! The web: one router over the server functions, the event stream, the pages and the health.
//!
//! Everything under `/api/` answers in our own typed JSON, whatever happens; every page is the same
//! data-free shell; nothing here decides anything about a task.

use std::{io, sync::Arc, time::Duration};

use app::ports::backend::Backend;
use axum::{
    Router,
    middleware::{from_fn, from_fn_with_state},
    routing::{any, get, post},
};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tower_sessions::SessionStore;

mod answer; // the one shape of every answer under /api/
mod edge; // what may come in
mod functions; // server functions, with their contexts
mod headers; // what every answer says to the browser
pub mod health; // alive, ready, and in numbers
pub mod origin; // who may send a POST
pub mod pages; // one shell for every page
mod stream; // a task, as it changes

use self::{health::Health, origin::Origins, stream::seats::Seats};
use crate::{
    accounts::{Desk, cookie},
    connections,
    live::Live,
};

/// What the web is made of. The parts are handed over; it makes none itself.
pub struct Web {
    pub backend: Arc<dyn Backend>,
    pub desk: Arc<Desk>,
    pub sessions: Arc<dyn SessionStore>,
    pub live: Live,
    pub health: Arc<dyn Health>,
    /// Which addresses learners come by.
    pub origins: Origins,
    /// The HTML of every page.
    pub shell: String,
    /// The static files. It must bring no fallback of its own.
    pub assets: Router,
    pub metrics: Option<PrometheusHandle>,
    /// Ends the streams; the same that ends [`serve`].
    pub shutdown: CancellationToken,
}

/// What handlers share.
struct Shared {
    backend: Arc<dyn Backend>,
    desk: Arc<Desk>,
    sessions: Arc<dyn SessionStore>,
    live: Live,
    seats: Seats,
    shutdown: CancellationToken,
}

/// How long requests under way may take once the server is asked to stop.
const DRAIN: Duration = Duration::from_secs(10);

/// Puts the parts together.
pub fn router(web: Web) -> Router {
    let secure = web.origins.are_https();
    let origins = Arc::new(web.origins);
    let sessions = cookie::layer(Arc::clone(&web.sessions), secure);
    let shared = Arc::new(Shared {
        backend: web.backend,
        desk: web.desk,
        sessions: web.sessions,
        live: web.live,
        seats: Seats::default(),
        shutdown: web.shutdown,
    });

    let functions = Router::new()
        .route("/api/v1/{*function}", post(functions::call).route_layer(from_fn(edge::admit)))
        .route("/api/v1/tasks/{task_id}/stream", get(stream::open))
        .layer(sessions)
        .with_state(shared);

    let api = functions
        .route("/api", any(answer::nothing_here))
        .route("/api/", any(answer::nothing_here))
        .route("/api/{*rest}", any(answer::nothing_here))
        .layer(from_fn(answer::always_ours));

    api.merge(health::routes(web.health, web.metrics))
        .merge(pages::routes(web.shell))
        .merge(web.assets)
        .layer(from_fn_with_state(origins, origin::refuse_foreign))
        .layer(from_fn(headers::add))
}

/// Answers until `shutdown`, then ends what is under way within a deadline.
pub async fn serve(listener: TcpListener, router: Router, shutdown: CancellationToken) -> io::Result<()> {
    connections::serve(listener, router, shutdown, DRAIN).await
}

/// Returns when the process is asked to stop: Ctrl-C, or SIGTERM.
pub async fn asked_to_stop() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut term = signal(SignalKind::terminate())?;
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed,
        _ = term.recv() => Ok(()),
    }
}

#[cfg(test)]
mod tests;
