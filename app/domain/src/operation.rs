//! A promise to touch the outside world at most once.

use serde::{Deserialize, Serialize};

use crate::{
    fault::Fault,
    id::{OpId, Seq},
};

/// Where an operation stands. `Sent` means that it may have happened: look before repeating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpState {
    Intended,
    Sent,
    Done,
    Failed,
    Unknown,
}

impl OpState {
    /// The word that the ledger stores.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Intended => "intended",
            Self::Sent => "sent",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }
}

/// The recorded answer to a learner's operation; equal commands get an equal one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpReceipt {
    pub op_id: OpId,
    /// The kind of the event that the command became: `started`, `edited`, `accepted`, …
    pub code: String,
    /// The version that was current after the command, if there was one.
    pub draft_version: Option<u32>,
    pub seq: Seq,
}

/// What a command came to, as the ledger keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Done(OpReceipt),
    Refused(Fault),
}
