//! Alive, ready, and in numbers.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use axum::{
    Json, Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use metrics_exporter_prometheus::PrometheusHandle;
use serde::Serialize;

pub mod disk; // whether the data folder outlives a restart
mod gauges; // what is as it is now, set at each scrape

/// How the rest of the process is doing.
#[async_trait]
pub trait Health: Send + Sync + 'static {
    /// Asked for each `/readyz` and each `/metrics`, so it must be cheap: one small query at most, none where it can be known.
    async fn report(&self) -> Report;
}

/// One part of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Ok,
    /// Not meant to run here: no worker, or no listener behind a pooler.
    Off,
    Down,
}

/// All parts, and what an operator should know beside them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    pub database: Part,
    pub migrations: Part,
    pub listener: Part,
    pub worker: Part,
    pub work: Work,
    pub warnings: Vec<String>,
}

/// How the work stands, over all processes on this database; none where it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Work {
    /// How long the oldest due task has waited for a worker.
    pub oldest_due_s: Option<f64>,
    /// Tasks whose worker fell silent and that nobody took yet.
    pub without_live_lease: Option<u64>,
    pub needs_checking: Option<u64>,
}

impl Report {
    /// Ready when nothing that should run is down.
    pub fn is_ready(&self) -> bool {
        [self.database, self.migrations, self.listener, self.worker].iter().all(|part| *part != Part::Down)
    }

    /// When nobody could be asked.
    fn unknown() -> Self {
        let down = Part::Down;
        let warnings = vec!["the database did not answer in time".to_owned()];
        Self { database: down, migrations: down, listener: down, worker: down, work: Work::default(), warnings }
    }
}

/// Whoever asks wants an answer, not to wait for one.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Serialize)]
struct Readiness {
    ready: bool,
    #[serde(flatten)]
    report: Report,
}

/// `/healthz`, `/readyz` and `/metrics`.
pub fn routes(health: Arc<dyn Health>, metrics: Option<PrometheusHandle>) -> Router {
    Router::new()
        .route("/healthz", get(|| async { Json(serde_json::json!({ "alive": true })) }))
        .route("/readyz", get(ready).with_state(Arc::clone(&health)))
        .route("/metrics", get(metrics_now).with_state((health, metrics)))
}

async fn ask(health: &dyn Health) -> Report {
    tokio::time::timeout(PATIENCE, health.report()).await.unwrap_or_else(|_| Report::unknown())
}

async fn ready(State(health): State<Arc<dyn Health>>) -> Response {
    let report = ask(&*health).await;
    let ready = report.is_ready();
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, [(header::CACHE_CONTROL, "no-store")], Json(Readiness { ready, report })).into_response()
}

async fn metrics_now(State((health, metrics)): State<(Arc<dyn Health>, Option<PrometheusHandle>)>) -> Response {
    let text = match metrics {
        Some(metrics) => {
            gauges::show(&ask(&*health).await);
            metrics.render()
        }
        None => String::new(),
    };
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
