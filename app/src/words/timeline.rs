//! What happened: the steps in plain words, and one line for each event of a task's log.

pub mod steps; // how each step went

use domain::{
    course::{StepAccount, Timeline},
    snapshot::EventLine,
    time::Timestamp,
};
use serde_json::Value;

use super::{
    inside, problem,
    said::say,
    status,
    times::{self, Zone},
};

/// One line of what happened: a step, or what the learner did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    Step(StepAccount),
    Deed(EventLine),
}

/// The steps and the learner's deeds, in the order in which they began. A deed comes before the step that it
/// opened in the same instant. What a person settled is told with its step.
pub fn told(timeline: &Timeline) -> Vec<Told> {
    let deeds = ["started", "edited", "redraft_asked", "reopened", "accepted", "retried", "cancelled"];
    let deeds = timeline.events.iter().filter(|event| deeds.contains(&event.kind.as_str()));
    let mut told: Vec<(Timestamp, Told)> = deeds.map(|event| (event.at, Told::Deed(event.clone()))).collect();
    told.extend(timeline.steps.iter().map(|step| (step.opened_at, Told::Step(step.clone()))));
    // Stable: what began in the same instant stays as it stands.
    told.sort_by_key(|(at, _)| *at);
    told.into_iter().map(|(_, line)| line).collect()
}

/// How a line looks.
pub fn kind(event: &EventLine) -> &'static str {
    match event.kind.as_str() {
        "source_found" | "draft_produced" | "save_confirmed" => "good",
        "source_missing" | "source_failed" | "draft_failed" | "outcome_unknown" => "bad",
        "try_failed" | "source_changed" | "proposal_withdrawn" | "late_result_discarded" => "waiting",
        _ => "plain",
    }
}

/// What happened.
pub fn what(event: &EventLine) -> String {
    let version = number(event, &["version", "draft_version"]);
    let of_version = |words: &str| version.map_or_else(|| words.to_owned(), |n| say!("{} (version {})", words, n));
    match event.kind.as_str() {
        "started" => say!("You started the task").to_owned(),
        "claimed" => match text(event, "step") {
            Some(step) if event.attempt == Some(1) => say!("Mooring began with {}", status::step(step)),
            Some(step) => say!("Mooring went on with {}", status::step(step)),
            None => say!("Mooring took it up").to_owned(),
        },
        "source_found" => say!("Record found, evidence saved").to_owned(),
        "source_missing" => say!("Record not found").to_owned(),
        "source_failed" => say!("The source was given up").to_owned(),
        "draft_produced" => of_version(say!("Draft written")),
        "draft_failed" => say!("The draft was given up").to_owned(),
        "try_failed" => match text(event, "step") {
            Some(step) => say!("A try of {} failed", status::step(step)),
            None => say!("A try failed").to_owned(),
        },
        "edited" => of_version(say!("You edited the draft")),
        "redraft_asked" => say!("You asked for a new draft").to_owned(),
        "reopened" => say!("You asked to look again").to_owned(),
        "rechecked" => match text(event, "outcome") {
            Some("same") => say!("The record was looked at again: it is the same").to_owned(),
            Some("gone") => say!("The record was looked at again: it is gone").to_owned(),
            Some("unavailable") => say!("The record could not be looked at again").to_owned(),
            _ => say!("The record was looked at again").to_owned(),
        },
        "source_changed" => say!("The record had changed").to_owned(),
        "proposed" => of_version(say!("Ready for your decision")),
        "proposal_withdrawn" => of_version(say!("No longer offered for acceptance")),
        "accepted" => of_version(say!("You accepted")),
        "retried" => say!("You asked to try again").to_owned(),
        "save_confirmed" if event.details.get("found").and_then(Value::as_bool) == Some(true) => {
            of_version(say!("Found in your library, not saved again"))
        }
        "save_confirmed" => of_version(say!("Saved to your library")),
        "save_withdrawn" => say!("The save was withdrawn").to_owned(),
        "outcome_unknown" => say!("The outcome could not be found out").to_owned(),
        "settled" => say!("You settled the outcome").to_owned(),
        "late_result_discarded" => say!("A late result was not used").to_owned(),
        "cancelled" => say!("You cancelled the task").to_owned(),
        _ => event.summary.clone(),
    }
}

/// When, and what else is known: tries, and the reason of a failure.
pub fn when(event: &EventLine, now: Option<Timestamp>, zone: Zone) -> String {
    let mut parts = vec![times::at(event.at, now, zone)];
    if let Some(tries) = number(event, &["tries"]).filter(|n| *n > 0) {
        parts.push(say!("try {}", tries));
    }
    if let Some(code) = code(event) {
        parts.push(inside(&problem::problem(&domain::fault::Problem::new(code))));
    }
    if let Some(next) = text(event, "next_try_at").and_then(|raw| serde_json::from_value(raw.into()).ok()) {
        parts.push(say!("next try {}", times::at(next, now, zone)));
    }
    parts.join(say!(", "))
}

/// What else the log has, for those who follow it: place, instant, attempt, process, operation.
pub fn marks(event: &EventLine) -> String {
    let mut parts = vec![format!("#{}", event.seq), event.at.to_string()];
    parts.extend(event.attempt.map(|attempt| say!("attempt {}", attempt)));
    parts.extend(text(event, "process").map(|process| say!("process {}", process)));
    parts.extend(event.op_id.map(|op| say!("operation {}", op)));
    parts.join(" \u{b7} ")
}

fn code(event: &EventLine) -> Option<&str> {
    let nested = event.details.get("problem").and_then(|p| p.get("code")).and_then(Value::as_str);
    let failed = matches!(kind(event), "bad" | "waiting");
    nested.or_else(|| text(event, "code")).filter(|_| failed)
}

/// A number, in the event itself or in the draft or proposal that it is about.
fn number(event: &EventLine, names: &[&str]) -> Option<u64> {
    let parts = [Some(&event.details), event.details.get("draft"), event.details.get("proposal")];
    parts.into_iter().flatten().find_map(|part| names.iter().find_map(|name| part.get(*name)).and_then(Value::as_u64))
}

fn text<'a>(event: &'a EventLine, name: &str) -> Option<&'a str> {
    event.details.get(name).and_then(Value::as_str)
}
