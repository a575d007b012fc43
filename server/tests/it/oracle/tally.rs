//! What the streams came to, so that one sees that they were not about nothing.

use std::{collections::BTreeMap, fmt};

use domain::explanation::{StateName, evolve, evolve::born};

use super::{play::Play, step::Step};

/// Every kind of event that there is.
pub const EVENTS: [&str; 23] = [
    "started",
    "claimed",
    "source_found",
    "source_missing",
    "source_failed",
    "try_failed",
    "draft_produced",
    "draft_failed",
    "edited",
    "redraft_asked",
    "reopened",
    "rechecked",
    "source_changed",
    "proposed",
    "proposal_withdrawn",
    "accepted",
    "retried",
    "save_confirmed",
    "save_withdrawn",
    "outcome_unknown",
    "settled",
    "late_result_discarded",
    "cancelled",
];

/// How often each kind of thing happened.
#[derive(Debug, Default)]
pub struct Tally {
    pub steps: usize,
    pub streams: usize,
    by_step: BTreeMap<String, u64>,
    by_state: BTreeMap<String, u64>,
    by_event: BTreeMap<String, u64>,
    by_refusal: BTreeMap<String, u64>,
}

impl Tally {
    /// A stream that went well.
    pub fn add(&mut self, steps: &[Step], play: &Play<'_>) {
        self.streams += 1;
        self.steps += steps.len();
        for step in steps {
            *self.by_step.entry(step.name()).or_default() += 1;
        }
        for (code, times) in &play.refused {
            *self.by_refusal.entry(code.clone()).or_default() += times;
        }
        for row in play.world.rows.values() {
            let mut task = born(row.task.id, &row.log[0].0).unwrap();
            let mut last: Option<StateName> = None;
            for (logged, _) in &row.log {
                *self.by_event.entry(logged.event.kind().to_owned()).or_default() += 1;
                task = evolve(task, logged);
                let name = task.state.name();
                if last.replace(name) != Some(name) {
                    *self.by_state.entry(name.as_str().to_owned()).or_default() += 1;
                }
            }
        }
    }

    /// What was never reached.
    pub fn missing(&self) -> Vec<String> {
        let states = StateName::ALL.map(StateName::as_str);
        let no_state = states.into_iter().filter(|name| !self.by_state.contains_key(*name));
        let no_event = EVENTS.into_iter().filter(|kind| !self.by_event.contains_key(*kind));
        no_state.map(|name| format!("state {name}")).chain(no_event.map(|kind| format!("event {kind}"))).collect()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, counts) in [
            ("steps", &self.by_step),
            ("states reached", &self.by_state),
            ("events", &self.by_event),
            ("refusals", &self.by_refusal),
        ] {
            writeln!(f, "{what}:")?;
            for (name, times) in counts {
                writeln!(f, "  {times:>7}  {name}")?;
            }
        }
        Ok(())
    }
}
