//! The terms that new tasks start on. Running tasks keep those they were started on.

use domain::retry::Terms;

use super::values;

/// How often, how long, how far apart. The defaults are those of the domain.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Budgets of a task")]
pub struct TermArgs {
    /// Failed tries of one step before it is given up.
    #[arg(long, env = "MOORING_TRIES", value_name = "N", default_value_t = Terms::default().tries,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    tries: u32,

    /// Time from a step's first failure after which it is not tried again.
    #[arg(long, env = "MOORING_TRY_WITHIN", value_name = "TIME", default_value = "2m", value_parser = values::seconds)]
    try_within: u32,

    /// The first wait after a failure is at most this; each later one at most twice the one before.
    #[arg(long, env = "MOORING_BACKOFF", value_name = "TIME", default_value = "500ms", value_parser = values::millis)]
    backoff: u32,

    /// No wait after a failure is longer than this.
    #[arg(long, env = "MOORING_BACKOFF_CAP", value_name = "TIME", default_value = "30s", value_parser = values::seconds)]
    backoff_cap: u32,

    /// Calls to the model, over all drafts of a task.
    #[arg(long, env = "MOORING_MODEL_CALLS", value_name = "N", default_value_t = Terms::default().model_calls,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    model_calls: u32,

    /// Tokens that the model may count, over all drafts of a task.
    #[arg(long, env = "MOORING_MODEL_TOKENS", value_name = "N", default_value_t = Terms::default().model_tokens,
          value_parser = clap::value_parser!(u32).range(1..))]
    model_tokens: u32,

    /// How long a version may be accepted before the learner must look again.
    #[arg(long, env = "MOORING_PROPOSAL_TTL", value_name = "TIME", default_value = "30days", value_parser = values::seconds)]
    proposal_ttl: u32,

    /// Evidence older than this is looked at again before a save.
    #[arg(long, env = "MOORING_FRESHNESS", value_name = "TIME", default_value = "24h", value_parser = values::seconds)]
    freshness: u32,
}

impl TermArgs {
    /// The terms, as a task stores them.
    pub fn terms(&self) -> Terms {
        Terms {
            tries: self.tries,
            within_s: self.try_within,
            model_calls: self.model_calls,
            model_tokens: self.model_tokens,
            backoff_ms: self.backoff,
            backoff_cap_s: self.backoff_cap,
            proposal_s: self.proposal_ttl,
            fresh_s: self.freshness,
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if self.backoff_cap.saturating_mul(1000) < self.backoff {
            return Err("the longest wait (--backoff-cap) is shorter than the first one (--backoff)".to_owned());
        }
        if self.proposal_ttl == 0 {
            return Err("nothing could ever be accepted with --proposal-ttl 0s: use at least 1s".to_owned());
        }
        Ok(())
    }
}
