//! What an operator can see: lines of a log, and numbers to scrape.
//!
//! A log line's message reads alone, and ids are its fields. Drafts, evidence, questions, prompts,
//! passphrases and tokens are in neither.

pub mod numbers; // every number, by name

use std::{io::IsTerminal, time::Duration};

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tokio_util::sync::CancellationToken;
use tracing::Level;
use tracing_subscriber::{
    EnvFilter,
    filter::{ParseError, filter_fn},
    fmt,
    prelude::*,
};

use crate::config::LogFormat;

/// What is logged unless something else is asked for. A cookie that outlived its session is no
/// news, however suspicious the session library finds it.
const USUAL: &str = "info,sqlx=warn,tower_sessions=error,tower_sessions_core=error";

/// Whatever is asked for, also of a part of them: these write down what they send and get, and that is evidence, prompts
/// and credentials. What fails is logged where it is handled.
const SILENT: &str = "rmcp";
const QUIET: [&str; 6] = ["h2", "hyper", "hyper_util", "reqwest", "rustls", "sse_stream"];

/// Why telemetry did not start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    #[error(
        "the log filter (--log, MOORING_LOG, RUST_LOG) is not understood: write a level, or such as info,server=debug"
    )]
    Filter(#[from] ParseError),
    #[error("the log was started twice")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
    #[error("the metrics cannot be recorded")]
    Metrics(#[from] BuildError),
}

/// Starts the log, on standard error. `filter` wins over `RUST_LOG`.
pub fn log(filter: Option<&str>, format: LogFormat) -> Result<(), TelemetryError> {
    let asked = filter.map(str::to_owned).or_else(|| std::env::var("RUST_LOG").ok()).filter(|f| !f.trim().is_empty());
    let filter = EnvFilter::builder().parse(asked.as_deref().unwrap_or(USUAL))?;
    let lines = fmt::layer().with_writer(std::io::stderr);
    // Not as further directives: the narrowest one wins, and that may be one that was asked for.
    let discreet = filter_fn(|line| is_discreet(line.target(), *line.level()));
    let registry = tracing_subscriber::registry().with(filter).with(discreet);
    match format {
        LogFormat::Json => registry.with(lines.json().flatten_event(true)).try_init()?,
        LogFormat::Text => registry.with(lines.with_ansi(std::io::stderr().is_terminal())).try_init()?,
    }
    Ok(())
}

fn is_discreet(target: &str, level: Level) -> bool {
    match target.split("::").next().unwrap_or_default() {
        SILENT => false,
        library if QUIET.contains(&library) => level <= Level::INFO,
        _ => true,
    }
}

/// Starts to record numbers; the handle writes them as Prometheus text.
pub fn metrics() -> Result<PrometheusHandle, TelemetryError> {
    let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &seconds)?
        .install_recorder()?;
    numbers::describe();
    Ok(handle)
}

/// Keeps the recorder's memory bounded until `stop`.
pub async fn upkeep(handle: PrometheusHandle, stop: CancellationToken) {
    while stop.run_until_cancelled(tokio::time::sleep(Duration::from_secs(5))).await.is_some() {
        handle.run_upkeep();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_writes_down_what_it_sends_is_not_heard() {
        for (target, level, is_heard) in [
            ("rmcp", Level::ERROR, false),
            ("rmcp::service", Level::TRACE, false),
            ("hyper_util::client::legacy", Level::DEBUG, false),
            ("hyper_util::client::legacy", Level::WARN, true),
            ("rmcp_of_ours", Level::INFO, true),
            ("server::sources::mcp", Level::TRACE, true),
        ] {
            assert_eq!(is_discreet(target, level), is_heard, "{target} at {level}");
        }
    }
}
