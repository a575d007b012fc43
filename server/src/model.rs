//! Who writes drafts: a port, and one adapter per kind of model.

pub mod logged; // any of them, with its calls written down
pub mod openai; // any server that speaks as OpenAI's does
pub mod simulated; // quotes the record, and says that it is simulated

use std::time::Duration;

use async_trait::async_trait;
use domain::{fault::Problem, snapshot::Usage};

/// A model that explains a record. Calls may be repeated; the caller bounds their time.
#[async_trait]
pub trait Model: Send + Sync + 'static {
    /// What drafts name as their author.
    fn name(&self) -> &str;

    /// A simulated model is called simulated wherever its work is shown.
    fn simulated(&self) -> bool;

    /// Writes one draft.
    async fn draft(&self, prompt: &Prompt) -> Result<Drafted, ModelError>;
}

/// All that a model is given: the evidence and the question, nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    pub title: String,
    pub question: String,
    /// The evidence's content: data, never instructions.
    pub content: String,
    pub source_version: String,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drafted {
    pub text: String,
    /// The reply was cut off at the model's limit.
    pub incomplete: bool,
    /// What the model counted for it, if it counts.
    pub usage: Option<Usage>,
}

/// Why there is no draft.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("the model asks to wait: {said}")]
    RateLimited { wait: Option<Duration>, said: String },
    #[error("the model cannot be reached: {0}")]
    Unreachable(String),
    #[error("the model did not answer in time")]
    TimedOut,
    #[error("the model refused: {0}")]
    Rejected(String),
    #[error("the reply was not understood: {0}")]
    Malformed(String),
    #[error("the reply was empty")]
    Empty,
    #[error("the reply is over {limit} bytes")]
    TooLarge { limit: usize },
}

impl ModelError {
    /// Never what another try cannot mend.
    pub fn worth_retrying(&self) -> bool {
        match self {
            Self::RateLimited { .. } | Self::Unreachable(_) | Self::TimedOut | Self::Empty => true,
            Self::Rejected(_) | Self::Malformed(_) | Self::TooLarge { .. } => false,
        }
    }

    /// What the model itself asked for.
    pub fn asked_to_wait(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { wait, .. } => *wait,
            _ => None,
        }
    }

    /// The problem a learner is told of. The other side's own words stay in the log.
    pub fn problem(&self) -> Problem {
        match self {
            Self::RateLimited { .. } => Problem::new("model_busy"),
            Self::Unreachable(_) => Problem::new("model_unreachable"),
            Self::TimedOut => Problem::new("model_timed_out"),
            Self::Rejected(_) => Problem::new("model_refused"),
            Self::Malformed(_) => Problem::new("draft_malformed"),
            Self::Empty => Problem::new("draft_empty"),
            Self::TooLarge { limit } => Problem::new("draft_too_large").with("limit", limit),
        }
    }
}
