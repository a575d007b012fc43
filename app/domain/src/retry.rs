//! How often, how long, how far apart: full-jitter exponential backoff within stored budgets.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// The terms a task was started on. Stored with it, so that a later build or another
/// configuration does not change the rules under a running task. Times in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Failed tries of one step before it is given up.
    pub tries: u32,
    /// Time from a step's first failure after which it is not tried again. Waiting for a worker
    /// does not count.
    pub within_s: u32,
    /// Calls to the model, over all drafts of the task.
    pub model_calls: u32,
    /// Tokens, as the model counts them, over all drafts of the task.
    #[serde(default = "usual_tokens")]
    pub model_tokens: u32,
    /// The first wait is at most this; each later one at most twice the one before.
    pub backoff_ms: u32,
    /// No wait is longer than this.
    pub backoff_cap_s: u32,
    /// How long a proposal may be accepted.
    pub proposal_s: u32,
    /// Evidence older than this is looked at again before a save.
    pub fresh_s: u32,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            tries: 4,
            within_s: 120,
            model_calls: 20,
            model_tokens: usual_tokens(),
            backoff_ms: 500,
            backoff_cap_s: 30,
            proposal_s: 30 * 24 * 3600,
            fresh_s: 24 * 3600,
        }
    }
}

/// Tasks that were started before there was this budget have the usual one.
fn usual_tokens() -> u32 {
    200_000
}

/// What one step has used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    pub tries: u32,
    /// The step's first failure; its opening while there was none.
    pub since: Timestamp,
    /// The step's opening, for whoever asks how long it takes. What was stored before this was known has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_at: Option<Timestamp>,
}

impl Used {
    /// One more failure at `now`. A holder that died says nothing of how long the step takes, so
    /// the time starts again with its successor.
    pub fn fail(&mut self, tries: u32, now: Timestamp, holder_lost: bool) {
        if self.tries == 0 || holder_lost {
            self.since = now;
        }
        self.tries = tries;
    }

    /// A fresh budget, from `now` on.
    pub fn nothing(now: Timestamp) -> Self {
        Self { tries: 0, since: now, opened_at: Some(now) }
    }
}

/// When to try again after one more failure; none when the budget is used up.
///
/// `jitter` is a random number in `0.0..1.0`; `asked` is what the other side asked for (`Retry-After`) and is waited for
/// in full if it fits. The jitter comes on top of it: who was told the same wait must not come back in the same instant.
pub fn next_try(terms: &Terms, used: Used, now: Timestamp, asked: Option<Duration>, jitter: f64) -> Option<Timestamp> {
    if used.tries + 1 >= terms.tries {
        return None;
    }
    let asked = asked.unwrap_or_default();
    let within = Duration::from_secs(terms.within_s.into());
    let since = if used.tries == 0 { now } else { used.since };
    // Compared as lengths: a wait may reach past the end of the calendar.
    let left = within.checked_sub(now.since(since)).filter(|left| asked <= *left)?;
    let cap = Duration::from_secs(terms.backoff_cap_s.into());
    let step = Duration::from_millis(terms.backoff_ms.into()).saturating_mul(1 << used.tries.min(16)).min(cap);
    let wait = asked + step.mul_f64(jitter.clamp(0.0, 1.0));
    // A wait that was asked for and fits is not given up for its jitter.
    if asked.is_zero() && left < wait { None } else { Some(now.plus(wait.min(left))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: &str = "2026-01-01T00:00:00Z";

    fn after(asked: Option<u64>, tries: u32, jitter: f64) -> Option<u128> {
        let now: Timestamp = serde_json::from_value(DAY.into()).unwrap();
        let terms = Terms { within_s: 60, backoff_ms: 4_000, ..Terms::default() };
        let since = if tries == 0 { now } else { serde_json::from_value("2025-12-31T23:59:50Z".into()).unwrap() };
        let at = next_try(&terms, Used { tries, since, opened_at: None }, now, asked.map(Duration::from_secs), jitter);
        at.map(|at| at.since(now).as_millis())
    }

    #[test]
    fn a_wait_that_was_asked_for_is_waited_for_in_full_and_a_little_longer() {
        assert_eq!(after(None, 0, 0.5), Some(2_000));
        assert_eq!(after(Some(30), 0, 0.0), Some(30_000));
        assert_eq!(after(Some(30), 0, 0.5), Some(32_000), "not all in the same instant");
        assert_eq!(after(Some(60), 0, 0.5), Some(60_000), "it fits, and its jitter does not");
        assert_eq!(after(Some(50), 1, 0.5), Some(50_000), "ten seconds are used up");
    }

    #[test]
    fn a_wait_past_the_budget_or_the_calendar_is_given_up() {
        assert_eq!(after(Some(61), 0, 0.0), None);
        assert_eq!(after(Some(51), 1, 0.0), None);
        assert_eq!(after(Some(1_000_000_000_000), 0, 0.0), None);
        assert_eq!(after(Some(u64::MAX), 0, 1.0), None);
        assert_eq!(after(None, 3, 0.0), None, "the fourth failure of four");
    }
}
