//! What every kind of task has, whatever it does.

use serde::{Deserialize, Serialize};

/// The version of everything that is stored or crosses the wire.
pub const SCHEMA: u32 = 1;

/// Which state machine a task runs. Adding one means adding a sibling of `explanation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Explanation,
}

impl Kind {
    /// The word that is stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Explanation => "explanation",
        }
    }
}

/// What a state means to the engine and to a list of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Pending,
    Running,
    AwaitingHuman,
    Failed,
    Succeeded,
    Cancelled,
}

impl Phase {
    /// The word that is stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::AwaitingHuman => "awaiting_human",
            Self::Failed => "failed",
            Self::Succeeded => "succeeded",
            Self::Cancelled => "cancelled",
        }
    }

    /// Finished tasks never move again, whatever arrives late.
    pub fn is_finished(self) -> bool {
        matches!(self, Self::Succeeded | Self::Cancelled)
    }
}
