//! From a row to the facts that it expects. Numbers are ranges only where the rules permit one call more or
//! where a race is open; everything else is exact.

use super::{Action, Fault, Journey, Setting, boundary};
use crate::drill::verdict::{Expected, Want};

/// What a blow may add, from least to most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    pub source: (u64, u64),
    pub model: (u64, u64),
    pub claims: (u64, u64),
    /// Results that came after the lease was lost, and were discarded.
    pub late: (u64, u64),
}

impl Cost {
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let add = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
        Self {
            source: add(self.source, other.source),
            model: add(self.model, other.model),
            claims: add(self.claims, other.claims),
            late: add(self.late, other.late),
        }
    }

    /// The cost of all faults that strike the task itself.
    pub fn of(faults: &[Fault]) -> Self {
        faults.iter().fold(Self::default(), |sum, fault| sum.plus(boundary::cost(fault.boundary, fault.action)))
    }
}

/// The facts. `on_task` costs beside the journey's own; `deaths` and `faults` are counted over the whole row.
pub fn expected(journey: Journey, setting: Setting, on_task: Cost, faults: &[Fault], killed: u64) -> Expected {
    let aborts = faults.iter().filter(|fault| fault.action == Action::Abort).count() as u64;
    let look_again = setting.always_look_again;
    let cost = base(journey, look_again).plus(on_task);
    let between = |(least, most)| Want::Between(least, most);
    ending(journey, look_again)
        .and("source calls", between(cost.source))
        .and("model calls", between(cost.model))
        .and("claims", between(cost.claims))
        .and("late results", between(cost.late))
        .and("answers", Want::is("the same"))
        .and("faults acted", Want::is(&faults.len()))
        .and("deaths", Want::is(&(aborts + killed)))
}

/// What the journey takes when nothing fails: one claim to the draft, one for the save.
fn base(journey: Journey, look_again: bool) -> Cost {
    let looks = if look_again { 2 } else { 1 };
    let calls = Cost { source: (looks, looks), model: (1, 1), claims: (2, 2), late: (0, 0) };
    match journey {
        Journey::Save => calls,
        Journey::CancelAtReview => Cost { claims: (1, 1), ..calls },
        Journey::CancelWhileDrafting => Cost { claims: (1, 1), late: (0, 1), ..calls },
        Journey::CancelWhileSaving => Cost { late: (0, 1), ..calls },
        Journey::AcceptAgainstCancel => Cost { claims: (1, 2), late: (0, 1), ..calls },
        // Each try of the save is a claim; how many there are depends on when the library goes.
        Journey::Settle { .. } => Cost { claims: (3, 12), ..calls },
    }
}

fn ending(journey: Journey, look_again: bool) -> Expected {
    let saved = "saved, 1 entry, as accepted";
    let none = "cancelled, 0 entries";
    let effects = if look_again { "look_up 1, draft 1, recheck 1, save 1" } else { "look_up 1, draft 1, save 1" };
    let withdrawn = "look_up 1, draft 1, save 1, withdraw 1";
    match journey {
        Journey::Save => facts("start done, edit done, accept done", saved, effects)
            .and("events", Want::is("started 1, edited 1, accepted 1, save_confirmed 1")),
        Journey::CancelAtReview => facts("start done, edit done, cancel done", none, "look_up 1, draft 1")
            .and("events", Want::is("started 1, edited 1, cancelled 1")),
        Journey::CancelWhileDrafting => Expected::default()
            .and("end", Want::is(none))
            .and("commands", Want::is("start done, cancel done"))
            .and("effects", Want::is("look_up 1, draft 1"))
            // A read that was under way: nobody waits for it, and it changed nothing.
            .and("open operations", Want::is("draft"))
            .and("events", Want::is("started 1, cancelled 1")),
        Journey::CancelWhileSaving => either(
            &["start done, edit done, accept done, cancel done", "start done, edit done, accept done, cancel failed"],
            &[none, saved],
            &[withdrawn, effects],
            &["started 1, edited 1, accepted 1, cancelled 1", "started 1, edited 1, accepted 1, save_confirmed 1"],
        ),
        Journey::AcceptAgainstCancel => either(
            &[
                "start done, edit done, accept done, cancel done",
                "start done, edit done, accept failed, cancel done",
                "start done, edit done, accept done, cancel failed",
            ],
            &[none, saved],
            &["look_up 1, draft 1", withdrawn, effects],
            &[
                "started 1, edited 1, cancelled 1",
                "started 1, edited 1, accepted 1, cancelled 1",
                "started 1, edited 1, accepted 1, save_confirmed 1",
            ],
        ),
        Journey::Settle { verdict: "not_saved_stop", saved_before: false } => {
            facts("start done, edit done, accept done, settle done", none, withdrawn)
                .and("reply and end", Want::is("agree"))
                .and("events", Want::is("started 1, edited 1, accepted 1, settled 1, cancelled 1"))
                .and("on the way", Want::is("needs_checking"))
        }
        Journey::Settle { verdict: "not_saved_stop", saved_before: true } => {
            facts("start done, edit done, accept done, settle failed", saved, withdrawn)
                .and("reply and end", Want::is("agree"))
                .and("events", Want::is("started 1, edited 1, accepted 1, save_confirmed 1"))
                .and("on the way", Want::is("needs_checking"))
        }
        Journey::Settle { .. } => facts("start done, edit done, accept done, settle done", saved, effects)
            .and("events", Want::is("started 1, edited 1, accepted 1, settled 1, save_confirmed 1"))
            .and("on the way", Want::is("needs_checking")),
    }
}

fn facts(commands: &str, end: &str, effects: &str) -> Expected {
    Expected::default()
        .and("end", Want::is(end))
        .and("commands", Want::is(commands))
        .and("effects", Want::is(effects))
        .and("open operations", Want::is("none"))
}

/// A race has an open end, and the reply says which: the witness compares them.
fn either(commands: &[&str], ends: &[&str], effects: &[&str], events: &[&str]) -> Expected {
    Expected::default()
        .and("end", Want::one_of(ends))
        .and("reply and end", Want::is("agree"))
        .and("commands", Want::one_of(commands))
        .and("effects", Want::one_of(effects))
        .and("open operations", Want::is("none"))
        .and("events", Want::one_of(events))
}
