//! What exactly a learner says yes to: one version, its hash, and the source version it rests on.

use serde::{Deserialize, Serialize};

use crate::{
    id::{OpId, SourceVersion, UserId},
    text::Hash,
    time::Timestamp,
};

/// Stored when a version becomes current; good for one acceptance until it expires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    pub action: Action,
    /// Where the accepted text goes: the requester's library.
    pub target: Target,
    pub draft_version: u32,
    pub draft_hash: Hash,
    pub source_version: SourceVersion,
    pub requester: UserId,
    pub expires_at: Timestamp,
}

/// What acceptance does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    SaveToLibrary,
}

/// Where it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    Library,
}

/// A proposal that was accepted: what the save must carry out, and under which operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    pub proposal: Proposal,
    pub accepted_at: Timestamp,
    /// The operation of the save. Only an acceptance makes one.
    pub save_op: OpId,
}
