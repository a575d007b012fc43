//! What is drilled: rows of a place, an action and a phase, each with all that it expects.

use std::{fmt, time::Duration};

mod boundary; // what makes sense where, and what it costs
mod expect; // from a row to the facts that it expects
mod library; // a library that is away when it is needed
mod pairs; // two servers at once
mod strikes; // each boundary, each action, each phase

use super::verdict::Expected;
use crate::faults::{Action, Boundary};

pub use self::strikes::{LeftOut, left_out};

/// A count that is never reached by itself: such a fault acts once the drill has armed it.
pub const ARMED: u64 = 1000;

/// One row of a drill.
#[derive(Clone, Debug)]
pub struct Row {
    /// The boundary, or what happens instead.
    pub place: String,
    pub action: String,
    pub phase: Phase,
    pub faults: Vec<Fault>,
    pub arm: Arm,
    /// Whether another task crashes and recovers first.
    pub warm_up: bool,
    pub servers: usize,
    pub setting: Setting,
    pub journey: Journey,
    /// The command that the learner sends twice at once.
    pub twice: Option<&'static str>,
    pub blow: Option<Blow>,
    pub expected: Expected,
    /// One of the few rows of a short drill.
    pub short: bool,
}

/// When the blow falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// On a healthy system.
    Before,
    /// On the process that is just recovering this task from an earlier crash.
    During,
    /// On a task after the system has recovered once.
    After,
    /// With two servers at once on one database: nothing is restarted.
    Two,
    /// With the library in a database of its own.
    Library,
}

/// One part of a plan of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub boundary: Boundary,
    pub action: Action,
    pub nth: u64,
}

/// When the faults that wait to be armed are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    Never,
    /// Just before the task is started.
    AtStart,
    /// When a process has died, before it is started again.
    AtFirstDeath,
}

/// How the servers of a row are told to work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    pub model_delay: Duration,
    /// The record is looked at again before every save.
    pub always_look_again: bool,
    /// One task at once.
    pub one_at_a_time: bool,
    pub library_apart: bool,
}

/// What the learner does after the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Journey {
    /// Edits, accepts, and waits for the save.
    Save,
    CancelAtReview,
    CancelWhileDrafting,
    CancelWhileSaving,
    /// Accepts and cancels in the same instant, at two servers.
    AcceptAgainstCancel,
    /// The library is away when the save is due; a person settles it when it is back.
    Settle {
        saved_before: bool,
        verdict: &'static str,
    },
}

/// What is done to the process that holds the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blow {
    Kill(Moment),
    /// SIGSTOP, and SIGCONT once another has finished.
    Stop(Moment),
    Term(Moment),
}

/// When it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    Drafting,
    At(Boundary),
}

impl Blow {
    pub fn moment(self) -> Moment {
        match self {
            Self::Kill(moment) | Self::Stop(moment) | Self::Term(moment) => moment,
        }
    }
}

impl Row {
    /// What reports and `--only` call it.
    pub fn name(&self) -> String {
        format!("{} {} {}", self.place, self.action, self.phase)
    }

    /// The plan as `MOORING_FAULTS` takes it.
    pub fn faults(&self) -> String {
        self.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }

    pub fn freezes(&self) -> bool {
        self.faults.iter().any(|fault| fault.action == Action::Freeze)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}@{}", self.boundary.as_str(), self.action, self.nth)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Before => "before recovery",
            Self::During => "during recovery",
            Self::After => "after recovery",
            Self::Two => "two servers",
            Self::Library => "library apart",
        })
    }
}

/// All rows, in the order of the report, for servers with this lease.
pub fn rows(lease: Duration) -> Vec<Row> {
    [strikes::rows(lease), pairs::rows(lease), library::rows()].concat()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::faults::Plan;

    const LEASE: Duration = Duration::from_secs(1);

    #[test]
    fn every_row_has_a_name_of_its_own_and_a_plan_that_is_understood() {
        let rows = rows(LEASE);
        let names: BTreeSet<String> = rows.iter().map(Row::name).collect();
        assert_eq!(names.len(), rows.len());
        for row in rows {
            let plan: Plan = row.faults().parse().unwrap();
            for fault in &row.faults {
                assert_eq!(plan.action(fault.boundary, fault.nth), Some(fault.action), "{}", row.name());
            }
        }
    }

    #[test]
    fn every_boundary_is_struck_in_every_phase_and_once_in_a_short_drill() {
        let rows = rows(LEASE);
        for boundary in Boundary::ALL {
            let struck = |phase| rows.iter().any(|row| row.place == boundary.as_str() && row.phase == phase);
            assert!([Phase::Before, Phase::During, Phase::After, Phase::Two].into_iter().all(struck), "{boundary:?}");
            let short = rows.iter().filter(|row| row.short && row.place == boundary.as_str()).count();
            assert_eq!(short, 1, "{boundary:?}");
        }
    }

    #[test]
    fn every_combination_is_either_a_row_or_left_out_with_a_reason() {
        let rows = rows(LEASE);
        for boundary in Boundary::ALL {
            for action in ["abort", "error", "delay", "repeat", "freeze"] {
                let row = rows.iter().any(|row| row.place == boundary.as_str() && row.action.starts_with(action));
                let out = left_out().iter().any(|out| out.boundary == boundary.as_str() && out.action == action);
                assert!(row != out, "{boundary:?} {action}");
            }
        }
    }
}
