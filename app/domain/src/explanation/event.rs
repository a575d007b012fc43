//! What happened to an explanation. Events are facts: written once, never changed.

use serde::{Deserialize, Serialize};

use super::{
    effect::Step,
    state::{DraftRef, EvidenceRef},
};
use crate::{
    approval::Proposal,
    fault::Problem,
    id::{EntryId, OpId, RecordId, Seq, SourceVersion, UserId},
    intent::Verdict,
    lease::Attempt,
    retry::Terms,
    snapshot::Usage,
    text::Hash,
    time::Timestamp,
};

/// An event with its place in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Logged {
    pub seq: Seq,
    pub at: Timestamp,
    pub event: Event,
}

/// What happened. The variant's name is the event's `kind`, its fields are its `details`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "details", rename_all = "snake_case")]
pub enum Event {
    Started {
        owner: UserId,
        record_id: RecordId,
        title: String,
        question: String,
        terms: Terms,
    },
    /// A process took the task. Written by the claim itself.
    Claimed {
        process: String,
        attempt: Attempt,
        step: String,
    },
    SourceFound {
        evidence: EvidenceRef,
        title: String,
    },
    SourceMissing {
        problem: Problem,
    },
    SourceFailed {
        problem: Problem,
    },
    /// A try failed and there will be another.
    TryFailed {
        step: Step,
        code: String,
        tries: u32,
        next_try_at: Timestamp,
        /// What the model counted for a reply that was no draft.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    DraftProduced {
        draft: DraftRef,
        incomplete: bool,
    },
    DraftFailed {
        problem: Problem,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    Edited {
        draft: DraftRef,
        base_version: u32,
    },
    RedraftAsked {
        base_version: u32,
    },
    Reopened {},
    Rechecked {
        outcome: Recheck,
        at: Timestamp,
        problem: Option<Problem>,
    },
    SourceChanged {
        evidence: EvidenceRef,
        title: String,
    },
    Proposed {
        proposal: Proposal,
    },
    ProposalWithdrawn {
        draft_version: u32,
        reason: String,
    },
    Accepted {
        draft_version: u32,
        hash: Hash,
        source_version: SourceVersion,
    },
    Retried {},
    SaveConfirmed {
        entry_id: EntryId,
        draft_version: u32,
        hash: Hash,
        saved_at: Timestamp,
        found: bool,
    },
    SaveWithdrawn {
        save_op: OpId,
        reason: String,
        notice: Option<Problem>,
    },
    OutcomeUnknown {
        problem: Problem,
    },
    Settled {
        verdict: Verdict,
        note: String,
    },
    /// A worker that had lost its lease came with a result. Changes nothing.
    LateResultDiscarded {
        step: String,
        attempt: Attempt,
    },
    Cancelled {
        done: Vec<String>,
        unknown: Vec<String>,
    },
}

/// How a later look at the source ended, when it brought no new evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recheck {
    Same,
    Gone,
    Unavailable,
}

impl Event {
    /// The kind, as it is stored and sent.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Started { .. } => "started",
            Self::Claimed { .. } => "claimed",
            Self::SourceFound { .. } => "source_found",
            Self::SourceMissing { .. } => "source_missing",
            Self::SourceFailed { .. } => "source_failed",
            Self::TryFailed { .. } => "try_failed",
            Self::DraftProduced { .. } => "draft_produced",
            Self::DraftFailed { .. } => "draft_failed",
            Self::Edited { .. } => "edited",
            Self::RedraftAsked { .. } => "redraft_asked",
            Self::Reopened {} => "reopened",
            Self::Rechecked { .. } => "rechecked",
            Self::SourceChanged { .. } => "source_changed",
            Self::Proposed { .. } => "proposed",
            Self::ProposalWithdrawn { .. } => "proposal_withdrawn",
            Self::Accepted { .. } => "accepted",
            Self::Retried {} => "retried",
            Self::SaveConfirmed { .. } => "save_confirmed",
            Self::SaveWithdrawn { .. } => "save_withdrawn",
            Self::OutcomeUnknown { .. } => "outcome_unknown",
            Self::Settled { .. } => "settled",
            Self::LateResultDiscarded { .. } => "late_result_discarded",
            Self::Cancelled { .. } => "cancelled",
        }
    }

    /// One plain English sentence, for people who read the log rather than the screen. It holds
    /// no learner's text.
    pub fn summary(&self) -> String {
        match self {
            Self::Started { record_id, .. } => format!("started, about {record_id}"),
            Self::Claimed { process, attempt, step } => format!("{process} took it for {step} (attempt {attempt})"),
            Self::SourceFound { evidence, .. } => format!("record found, version {}", evidence.source_version),
            Self::SourceMissing { problem } => format!("record missing: {}", problem.code),
            Self::SourceFailed { problem } => format!("source given up: {}", problem.code),
            Self::TryFailed { step, code, tries, next_try_at, .. } => {
                format!("{} failed ({code}), try {tries}; again at {next_try_at}", step.as_str())
            }
            Self::DraftProduced { draft, .. } => format!("draft {} written by {}", draft.version, draft.produced_by),
            Self::DraftFailed { problem, .. } => format!("draft given up: {}", problem.code),
            Self::Edited { draft, base_version } => format!("version {} made from {base_version}", draft.version),
            Self::RedraftAsked { base_version } => format!("a new draft asked for, after version {base_version}"),
            Self::Reopened {} => "looking at the record again".to_owned(),
            Self::Rechecked { outcome, .. } => format!("record looked at again: {outcome:?}").to_lowercase(),
            Self::SourceChanged { evidence, .. } => {
                format!("record has moved on to version {}", evidence.source_version)
            }
            Self::Proposed { proposal } => format!("version {} may be accepted", proposal.draft_version),
            Self::ProposalWithdrawn { draft_version, reason } => {
                format!("version {draft_version} may no longer be accepted: {reason}")
            }
            Self::Accepted { draft_version, .. } => format!("version {draft_version} accepted"),
            Self::Retried {} => "another try asked for".to_owned(),
            Self::SaveConfirmed { draft_version, found: true, .. } => format!("version {draft_version} found saved"),
            Self::SaveConfirmed { draft_version, .. } => format!("version {draft_version} saved"),
            Self::SaveWithdrawn { reason, .. } => format!("the save was withdrawn: {reason}"),
            Self::OutcomeUnknown { problem } => format!("the outcome is uncertain: {}", problem.code),
            Self::Settled { verdict, .. } => format!("a person settled it: {verdict:?}"),
            Self::LateResultDiscarded { step, attempt } => {
                format!("a late result of {step} (attempt {attempt}) was discarded")
            }
            Self::Cancelled { .. } => "cancelled".to_owned(),
        }
    }
}
