//! Every number that this process counts, by name. The README lists the same.
//!
//! Labels are words of our own (steps, codes, verbs, paths that exist), so that neither a learner's
//! text nor an endless row of values can get into them.

use std::time::Duration;

use domain::{
    explanation::{Event, Step, command::HOLDER_LOST, event::Recheck},
    fault::Code,
};
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, histogram};

/// How a number behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only ever grows, from the start of the process.
    Counter,
    /// As it is now.
    Gauge,
    /// How long things took.
    Histogram,
}

/// One number.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    pub name: &'static str,
    pub kind: Kind,
    pub labels: &'static str,
    pub meaning: &'static str,
}

const fn metric(name: &'static str, kind: Kind, labels: &'static str, meaning: &'static str) -> Metric {
    Metric { name, kind, labels, meaning }
}

/// All of them: first what an alarm is set on, then what explains it.
pub const METRICS: [Metric; 15] = [
    metric("mooring_database_up", Kind::Gauge, "", "1 while the database answers, 0 while it does not."),
    metric("mooring_listener_up", Kind::Gauge, "", "1 while hints of other processes are heard; without it, polling."),
    metric("mooring_worker_up", Kind::Gauge, "", "1 while the worker of this process looks for work."),
    metric("mooring_oldest_due_seconds", Kind::Gauge, "", "How long the oldest due task has waited for a worker."),
    metric("mooring_tasks_without_live_lease", Kind::Gauge, "", "Tasks whose worker fell silent and that nobody took."),
    metric("mooring_needs_checking", Kind::Gauge, "", "Tasks whose outcome a person must find out."),
    metric("mooring_retries_total", Kind::Counter, "step, code", "Failed tries that are followed by another."),
    metric(
        "mooring_step_seconds",
        Kind::Histogram,
        "step, outcome",
        "From the beginning of a step to its outcome, stored.",
    ),
    metric(
        "mooring_commands_total",
        Kind::Counter,
        "verb, code",
        "Commands of learners, by answer: done, or the code of the refusal.",
    ),
    metric("mooring_requests_total", Kind::Counter, "function, status", "Answered calls of server functions."),
    metric("mooring_request_seconds", Kind::Histogram, "function", "Time to answer a call of a server function."),
    metric("mooring_streams", Kind::Gauge, "", "Open event streams."),
    metric("mooring_sign_ins_refused_total", Kind::Counter, "code", "Refused sign-ins and sign-ups."),
    metric("mooring_foreign_origins_total", Kind::Counter, "", "Requests refused because another site sent them."),
    metric("mooring_panics_total", Kind::Counter, "", "Panics that a learner was told of as not available."),
];

pub(super) fn describe() {
    for Metric { name, kind, meaning, .. } in METRICS {
        match kind {
            Kind::Counter => describe_counter!(name, Unit::Count, meaning),
            Kind::Gauge => describe_gauge!(name, meaning),
            Kind::Histogram => describe_histogram!(name, Unit::Seconds, meaning),
        }
    }
}

/// A code as it crosses the wire, so that a number and an answer read alike.
pub fn label(code: Code) -> String {
    serde_json::to_value(code).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Counts what a step came to once it is stored.
pub fn step_came_to(step: Step, took: Duration, events: &[Event]) {
    for event in events {
        if let Event::TryFailed { step, code, .. } = event {
            counter!("mooring_retries_total", "step" => step.as_str(), "code" => code.clone()).increment(1);
        }
    }
    if let Some(outcome) = events.iter().find_map(outcome) {
        histogram!("mooring_step_seconds", "step" => step.as_str(), "outcome" => outcome).record(took);
    }
}

/// The same for a save that was taken back, which is written elsewhere.
pub fn withdrawal_took(took: Duration) {
    histogram!("mooring_step_seconds", "step" => Step::Withdraw.as_str(), "outcome" => "done").record(took);
}

/// In the words of the account of steps. A try that a dead process left says nothing of how long a
/// step takes.
fn outcome(event: &Event) -> Option<&'static str> {
    match event {
        Event::TryFailed { code, .. } if code == HOLDER_LOST => None,
        Event::SourceFailed { problem } | Event::DraftFailed { problem, .. } if problem.code == HOLDER_LOST => None,
        Event::TryFailed { .. } => Some("retrying"),
        Event::SourceMissing { .. }
        | Event::SourceFailed { .. }
        | Event::DraftFailed { .. }
        | Event::Rechecked { outcome: Recheck::Unavailable, .. } => Some("failed"),
        Event::SourceFound { .. }
        | Event::SourceChanged { .. }
        | Event::Rechecked { .. }
        | Event::DraftProduced { .. }
        | Event::SaveConfirmed { .. } => Some("done"),
        Event::OutcomeUnknown { .. } => Some("needs_person"),
        _ => None,
    }
}
