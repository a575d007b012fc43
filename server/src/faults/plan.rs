//! What was asked for: boundaries, actions, and the one reading of their syntax.

use std::{fmt, str::FromStr, time::Duration};

macro_rules! boundaries {
    ($($name:ident = $word:literal,)*) => {
        /// A named place where the lab can act.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Boundary { $($name,)* }

        impl Boundary {
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name that plans and reports use.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

boundaries! {
    StartBeforeCommit = "start.before_commit",
    StartAfterCommit = "start.after_commit",
    ClaimAfterCommit = "claim.after_commit",
    LookupBeforeCall = "lookup.before_call",
    LookupAfterCall = "lookup.after_call",
    EvidenceAfterCommit = "evidence.after_commit",
    DraftBeforeCall = "draft.before_call",
    DraftAfterCall = "draft.after_call",
    DraftAfterCommit = "draft.after_commit",
    EditBeforeCommit = "edit.before_commit",
    EditAfterCommit = "edit.after_commit",
    AcceptBeforeCommit = "accept.before_commit",
    AcceptAfterCommit = "accept.after_commit",
    RecheckAfterCall = "recheck.after_call",
    SaveBeforeEffect = "save.before_effect",
    SaveAfterEffect = "save.after_effect",
    SaveBeforeFind = "save.before_find",
    SavedAfterCommit = "saved.after_commit",
    CancelBeforeCommit = "cancel.before_commit",
    CancelAfterCommit = "cancel.after_commit",
    Heartbeat = "heartbeat",
    Sweep = "sweep",
    ReplyLost = "reply.lost",
}

/// What happens at a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The process dies at once, without unwinding.
    Abort,
    Error,
    Delay(Duration),
    Repeat,
    Freeze,
}

impl fmt::Display for Action {
    /// As a plan writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Abort => f.write_str("abort"),
            Self::Error => f.write_str("error"),
            Self::Delay(wait) => write!(f, "delay:{}", wait.as_millis()),
            Self::Repeat => f.write_str("repeat"),
            Self::Freeze => f.write_str("freeze"),
        }
    }
}

/// All that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan(Vec<(Boundary, Action, u64)>);

/// Why a plan was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("a fault reads `boundary=action[@nth]`, this does not: {0}")]
    Syntax(String),
    #[error("there is no boundary {name:?}; there are: {known}", name = .0, known = names())]
    UnknownBoundary(String),
    #[error("there is no action {0:?}; there are: abort, error, delay:<ms>, repeat, freeze")]
    UnknownAction(String),
    #[error("nth is a number from 1 on, this is not: {0}")]
    Nth(String),
}

impl Plan {
    /// Whether the plan has anything to say of a boundary.
    pub fn names(&self, boundary: Boundary) -> bool {
        self.0.iter().any(|(b, ..)| *b == boundary)
    }

    /// What happens the `nth` time that a boundary is reached.
    pub fn action(&self, boundary: Boundary, nth: u64) -> Option<Action> {
        self.0.iter().find(|(b, _, n)| *b == boundary && *n == nth).map(|(_, action, _)| *action)
    }
}

impl FromStr for Plan {
    type Err = PlanError;

    fn from_str(raw: &str) -> Result<Self, PlanError> {
        raw.split(',').map(str::trim).filter(|part| !part.is_empty()).map(fault).collect::<Result<_, _>>().map(Self)
    }
}

fn fault(part: &str) -> Result<(Boundary, Action, u64), PlanError> {
    let (name, rest) = part.split_once('=').ok_or_else(|| PlanError::Syntax(part.to_owned()))?;
    let boundary = Boundary::ALL.iter().find(|b| b.as_str() == name);
    let boundary = *boundary.ok_or_else(|| PlanError::UnknownBoundary(name.to_owned()))?;
    let (word, nth) = rest.split_once('@').unwrap_or((rest, "1"));
    let nth = nth.parse().ok().filter(|n| 0 < *n).ok_or_else(|| PlanError::Nth(nth.to_owned()))?;
    let action = match word.split_once(':') {
        None if word == "abort" => Action::Abort,
        None if word == "error" => Action::Error,
        None if word == "repeat" => Action::Repeat,
        None if word == "freeze" => Action::Freeze,
        Some(("delay", ms)) => {
            let ms = ms.parse().map_err(|_| PlanError::UnknownAction(word.to_owned()))?;
            Action::Delay(Duration::from_millis(ms))
        }
        _ => return Err(PlanError::UnknownAction(word.to_owned())),
    };
    Ok((boundary, action, nth))
}

fn names() -> String {
    Boundary::ALL.iter().map(|b| b.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, boundary: Boundary, nth: u64, then: Option<Action>) {
        assert_eq!(raw.parse::<Plan>().unwrap().action(boundary, nth), then);
    }

    #[test]
    fn a_plan_acts_at_its_boundary_and_its_time() {
        let two = "draft.before_call=abort, save.after_effect=delay:50@3";
        check(two, Boundary::DraftBeforeCall, 1, Some(Action::Abort));
        check(two, Boundary::DraftBeforeCall, 2, None);
        check(two, Boundary::SaveAfterEffect, 1, None);
        check(two, Boundary::SaveAfterEffect, 3, Some(Action::Delay(Duration::from_millis(50))));
        check("", Boundary::Sweep, 1, None);
    }

    #[test]
    fn a_bad_plan_is_refused_with_a_sentence() {
        for raw in ["draft", "nowhere=abort", "sweep=explode", "sweep=delay:soon", "sweep=abort@0", "sweep=abort@x"] {
            assert!(raw.parse::<Plan>().is_err(), "{raw}");
        }
        assert!("nowhere=abort".parse::<Plan>().unwrap_err().to_string().contains("lookup.before_call"));
    }
}
