//! Expected against observed: facts with names, and what they had to be.
//!
//! Invariant: a row passes only if every expected fact was observed and fits, and nothing was observed that
//! nobody expected. A witness that says nothing is a difference.

use std::{collections::BTreeMap, fmt};

use serde::Serialize;

/// What a fact has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Want {
    Is(String),
    Between(u64, u64),
    OneOf(Vec<String>),
}

impl Want {
    pub fn is(value: &(impl ToString + ?Sized)) -> Self {
        Self::Is(value.to_string())
    }

    pub fn one_of(values: &[&str]) -> Self {
        Self::OneOf(values.iter().map(ToString::to_string).collect())
    }

    fn meets(&self, seen: &str) -> bool {
        match self {
            Self::Is(wanted) => wanted == seen,
            Self::Between(least, most) => seen.parse::<u64>().is_ok_and(|seen| (*least..=*most).contains(&seen)),
            Self::OneOf(wanted) => wanted.iter().any(|wanted| wanted == seen),
        }
    }
}

impl fmt::Display for Want {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(wanted) => f.write_str(wanted),
            Self::Between(least, most) if least == most => write!(f, "{least}"),
            Self::Between(least, most) => write!(f, "{least} to {most}"),
            Self::OneOf(wanted) => f.write_str(&wanted.join(" or ")),
        }
    }
}

/// All that a row expects, in the order in which a person reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected(Vec<(&'static str, Want)>);

impl Expected {
    #[must_use]
    pub fn and(mut self, fact: &'static str, want: Want) -> Self {
        self.0.push((fact, want));
        self
    }

    /// The same with one fact expected otherwise.
    #[must_use]
    pub fn instead(mut self, fact: &'static str, want: Want) -> Self {
        if let Some((_, old)) = self.0.iter_mut().find(|(name, _)| *name == fact) {
            *old = want;
        }
        self
    }

    pub fn facts(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.0.iter().map(|(fact, want)| (*fact, want.to_string()))
    }
}

/// All that the witnesses of a row said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Observed(BTreeMap<&'static str, String>);

impl Observed {
    pub fn saw(&mut self, fact: &'static str, value: &(impl ToString + ?Sized)) {
        self.0.insert(fact, value.to_string());
    }

    pub fn facts(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }

    pub fn get(&self, fact: &str) -> Option<&str> {
        self.0.get(fact).map(String::as_str)
    }
}

/// The fact that nobody ever expects: what kept a row from its end.
pub const TROUBLE: &str = "trouble";

/// The differences, each as a sentence; none where the row passed. Where trouble kept a row from its end, that is
/// the difference, and not all that could then not be observed.
pub fn differences(expected: &Expected, observed: &Observed) -> Vec<String> {
    let cut_short = observed.get(TROUBLE).is_some();
    let wanted = expected.0.iter().filter_map(|(fact, want)| match observed.get(fact) {
        Some(seen) if want.meets(seen) => None,
        Some(seen) => Some(format!("{fact}: expected {want}, observed {seen}")),
        None if cut_short => None,
        None => Some(format!("{fact}: expected {want}, nothing was observed")),
    });
    let unasked = observed.0.iter().filter(|(fact, _)| !expected.0.iter().any(|(wanted, _)| wanted == *fact));
    wanted.chain(unasked.map(|(fact, seen)| format!("{fact}: nothing was expected, observed {seen}"))).collect()
}

/// What a machine that stands still for a while can change by itself: leases run out, so that reads are made
/// again, and what had to happen in time comes too late. What was saved, under which operation and how often, is
/// not among them: no machine is an excuse for that.
const PACE: [&str; 8] =
    ["source calls", "model calls", "claims", "late results", "faults acted", "deaths", "on the way", TROUBLE];

/// Whether all that differs may come of a machine that stood still.
pub fn only_pace_differs(expected: &Expected, observed: &Observed) -> bool {
    let fits = |fact: &str, want: &Want| observed.get(fact).is_none_or(|seen| want.meets(seen));
    expected.0.iter().all(|(fact, want)| PACE.contains(fact) || fits(fact, want))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected() -> Expected {
        Expected::default()
            .and("end", Want::is("saved"))
            .and("model calls", Want::Between(1, 2))
            .and("reply", Want::one_of(&["cancelled", "too_late"]))
    }

    #[track_caller]
    fn check(seen: &[(&'static str, &str)], then: &[&str]) {
        let mut observed = Observed::default();
        for (fact, value) in seen {
            observed.saw(fact, *value);
        }
        assert_eq!(differences(&expected(), &observed), then);
    }

    #[test]
    fn what_fits_has_no_differences() {
        check(&[("end", "saved"), ("model calls", "1"), ("reply", "too_late")], &[]);
        check(&[("end", "saved"), ("model calls", "2"), ("reply", "cancelled")], &[]);
    }

    #[test]
    fn every_fact_can_differ() {
        check(
            &[("end", "cancelled"), ("model calls", "3"), ("reply", "lost")],
            &[
                "end: expected saved, observed cancelled",
                "model calls: expected 1 to 2, observed 3",
                "reply: expected cancelled or too_late, observed lost",
            ],
        );
    }

    #[test]
    fn a_machine_that_stood_still_excuses_calls_and_no_end() {
        let mut observed = Observed::default();
        observed.saw("model calls", "3");
        observed.saw("trouble", "nobody answered");
        assert!(only_pace_differs(&expected(), &observed));
        observed.saw("end", "saved twice");
        assert!(!only_pace_differs(&expected(), &observed));
    }

    #[test]
    fn silence_and_surprises_are_differences() {
        check(
            &[("end", "saved"), ("model calls", "many"), ("entries", "2")],
            &[
                "model calls: expected 1 to 2, observed many",
                "reply: expected cancelled or too_late, nothing was observed",
                "entries: nothing was expected, observed 2",
            ],
        );
    }
}
