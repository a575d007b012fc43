//! What is asked of an explanation: by its learner, and by the worker with what it found out.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{effect::Step, state::EvidenceRef};
use crate::{
    fault::Problem,
    id::{EntryId, SourceVersion},
    intent::Verdict,
    snapshot::Usage,
    text::Hash,
    time::Timestamp,
};

/// One thing that is asked, or that came back from outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    // the learner's
    Edit {
        base_version: u32,
        hash: Hash,
    },
    Accept {
        draft_version: u32,
        draft_hash: Hash,
        seen_source_version: SourceVersion,
    },
    Redraft {
        base_version: u32,
    },
    Reopen,
    Retry,
    /// `in_flight`: a worker holds the task by a live lease, so its call may have been sent.
    Cancel {
        in_flight: bool,
    },
    /// `found`: what the library has under the save's operation; it is asked before.
    Settle {
        verdict: Verdict,
        note: String,
        found: Option<SavedAs>,
    },

    // the worker's
    Looked(Looked),
    Drafted {
        hash: Hash,
        produced_by: String,
        simulated: bool,
        incomplete: bool,
        usage: Option<Usage>,
    },
    /// `jitter` is a random number in `0.0..1.0`.
    StepFailed {
        step: Step,
        problem: Problem,
        worth_retrying: bool,
        asked: Option<Duration>,
        jitter: f64,
        /// What the model counted for a reply that was no draft.
        usage: Option<Usage>,
    },
    /// The last holder died in this step. Counts as a try, but not against the time: how long
    /// nobody was there says nothing of the step.
    HolderLost {
        step: Step,
    },
    /// Asked once more just before the save.
    BeforeSave {
        requester_valid: bool,
        stored_hash: Option<Hash>,
    },
    SaveConfirmed {
        saved: SavedAs,
        found: bool,
    },
    SaveUncertain {
        problem: Problem,
    },
    /// The library has answered a withdrawal.
    Withdrawn {
        reason: Reason,
        outcome: Withdrawal,
    },
}

/// The code of a try whose holder died.
pub const HOLDER_LOST: &str = "process_lost";

/// How a look at the source ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Looked {
    Found { evidence: EvidenceRef, title: String },
    Missing(Problem),
}

/// An entry of the library, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedAs {
    pub entry_id: EntryId,
    pub draft_version: u32,
    pub hash: Hash,
    pub saved_at: Timestamp,
}

/// What the library said to a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Withdrawal {
    /// The operation will never save.
    Done,
    /// The save came first.
    TooLate(SavedAs),
}

/// Why a save is withdrawn, with all that is needed to go on afterwards. Stored in the ledger
/// before the library is asked, so that whoever recovers can finish it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Reason {
    Cancel,
    Stop {
        note: String,
    },
    /// The proposal expired or its requester is no longer valid.
    NotValid {
        notice: Problem,
    },
    Moved {
        evidence: EvidenceRef,
        title: String,
        content: String,
    },
    Gone {
        problem: Problem,
    },
}

impl Reason {
    /// The word that the log keeps.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::Stop { .. } => "stop",
            Self::NotValid { .. } => "not_valid",
            Self::Moved { .. } => "source_moved",
            Self::Gone { .. } => "source_gone",
        }
    }
}
