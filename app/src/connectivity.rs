//! The way to the server, as the header tells it, and when to try again.
//!
//! Invariant: only answers count. What the browser believes about its network is never asked.

use domain::{freshness::Link, time::Timestamp};

/// The first wait after a failure is at most this long, each later one longer by a quarter, up to the
/// cap. Two thirds of a wait are random, so that many devices do not come back at once (C9). Most
/// networks come back within seconds, and often without a word: doubling would have slept through that.
const FIRST_MS: f64 = 700.0;
const GROWTH: f64 = 1.25;
const CAP_MS: f64 = 15_000.0;
/// How long an answer may take, at most.
pub const DEADLINE_MS: u64 = 8_000;
const FIRST_DEADLINE_MS: u64 = 5_000;
/// Calls that went out at the same moment fail so close to each other.
const TOGETHER_MS: u64 = 250;

/// What has been heard from the server, and for how long nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Connectivity {
    last_answer: Option<Timestamp>,
    answered: bool,
    failures: u32,
    /// How often the pause has grown.
    steps: u32,
    failed_ms: Option<u64>,
    asking: bool,
}

impl Connectivity {
    pub fn asked(&mut self) {
        self.asking = true;
    }

    /// Something of ours arrived. `at` is the server's time, where the answer said it.
    pub fn answered(&mut self, at: Option<Timestamp>) {
        self.last_answer = self.last_answer.max(at);
        self.answered = true;
        (self.failures, self.steps) = (0, 0);
        self.asking = false;
    }

    /// Nothing of ours arrived. Calls that end together are one failure.
    pub fn unanswered(&mut self, now_ms: u64) {
        self.asking = false;
        let before = self.failed_ms.replace(now_ms);
        if self.failures == 0 || before.is_none_or(|before| TOGETHER_MS <= now_ms.saturating_sub(before)) {
            self.failures += 1;
            self.steps += 1;
        }
    }

    /// The world may have changed: begin anew with the short pauses.
    pub fn hopeful(&mut self) {
        self.failures = self.failures.min(1);
        self.steps = 0;
    }

    /// How long to wait before the next try; `random` is in `0.0..1.0`.
    pub fn pause_ms(&self, random: f64) -> u64 {
        let grown = GROWTH.powi(i32::try_from(self.steps.saturating_sub(1)).unwrap_or(i32::MAX));
        let most = (FIRST_MS * grown).min(CAP_MS);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 233 and 15,000")]
        let pause = (most * (1.0 + 2.0 * random.clamp(0.0, 1.0)) / 3.0) as u64;
        pause
    }

    /// How long an answer, headers and body, may take. The first try after the world may have changed is
    /// given up a little sooner: it may have gone out just before the network was really there.
    pub fn deadline_ms(&self) -> u64 {
        if 0 < self.failures && self.steps <= 1 { FIRST_DEADLINE_MS } else { DEADLINE_MS }
    }

    /// What the header says.
    pub fn link(&self) -> Link {
        match (self.failures, self.answered, self.asking) {
            (0, true, _) => Link::Up,
            (0, false, true) => Link::Connecting,
            (0, false, false) => Link::Unknown,
            (1, true, _) => Link::Reconnecting,
            _ => Link::Lost { since: self.last_answer },
        }
    }
}
