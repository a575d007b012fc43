//! What is true of an explanation. A state carries exactly the data that is true in it.

use serde::{Deserialize, Serialize};

use crate::{
    approval::{Acceptance, Proposal},
    fault::Problem,
    id::{EntryId, RecordId, Seq, SourceVersion, TaskId, UserId},
    record::Observation,
    retry::{Terms, Used},
    snapshot::{Author, Usage},
    task::Phase,
    text::Hash,
    time::Timestamp,
};

/// An explanation, as its log of events adds up. Lease, attempt and due time are the engine's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    pub id: TaskId,
    pub owner: UserId,
    pub seq: Seq,
    pub record_id: RecordId,
    pub title: String,
    pub question: String,
    pub terms: Terms,
    pub known: Known,
    pub state: State,
}

/// What has been gathered so far, whatever the state: references, never texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// Newest last.
    pub evidence: Vec<EvidenceRef>,
    /// Oldest first; versions count from 1 without a gap.
    pub drafts: Vec<DraftRef>,
    /// When the source was last seen to show the newest evidence.
    pub looked_at: Option<Timestamp>,
    /// Tries of the draft step since the start or the learner's last retry; a try whose holder died
    /// counts, since its call may have been sent.
    pub model_calls: u32,
    /// What the model counted for the drafts since then.
    #[serde(default)]
    pub model_tokens: u64,
    /// What the learner should know beside the state.
    pub notice: Option<Problem>,
}

/// Which evidence: its content is kept beside the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceRef {
    pub source: String,
    pub adapter: String,
    pub source_version: SourceVersion,
    pub content_hash: Hash,
    pub observed_at: Timestamp,
}

impl EvidenceRef {
    /// Names an observation that was made at `at`, by the database's clock.
    pub fn of(source: &str, adapter: &str, seen: &Observation, at: Timestamp) -> Self {
        Self {
            source: source.to_owned(),
            adapter: adapter.to_owned(),
            source_version: seen.source_version.clone(),
            content_hash: Hash::of(&seen.content),
            observed_at: at,
        }
    }

    /// The same record as before? Version and content both count: a source that forgets to raise
    /// its version must not slip a change past the learner.
    pub fn shows_the_same_as(&self, other: &Self) -> bool {
        self.content_hash == other.content_hash
            && (self.source_version == other.source_version || self.source_version == other.marked())
    }

    /// Under a version of its own, if `earlier` evidence showed something else under the same one:
    /// whoever names a version that was seen names what was read.
    #[must_use]
    pub fn told_apart(&self, earlier: &[Self]) -> Self {
        let clashes = |e: &Self| e.source_version == self.source_version && e.content_hash != self.content_hash;
        let source_version = if earlier.iter().any(clashes) { self.marked() } else { self.source_version.clone() };
        Self { source_version, ..self.clone() }
    }

    /// The source's version with the beginning of the content's hash.
    fn marked(&self) -> SourceVersion {
        self.source_version.marked(&self.content_hash)
    }
}

/// Which draft: its text is kept beside the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftRef {
    pub version: u32,
    pub author: Author,
    pub produced_by: String,
    pub simulated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    pub hash: Hash,
    pub on_source_version: SourceVersion,
    pub created_at: Timestamp,
}

/// Where an explanation stands. `opened_by` is the event that opened the step under way: the
/// operation ID of its effect follows from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum State {
    Created {
        opened_by: Seq,
        used: Used,
    },
    EvidenceSaved {
        opened_by: Seq,
        used: Used,
    },
    /// Without a proposal nothing can be accepted until the learner re-opens.
    AwaitingReview {
        proposal: Option<Proposal>,
    },
    Rechecking {
        opened_by: Seq,
        used: Used,
    },
    /// `used` counts the tries of the look at the source that may be due before the save, then those of the save.
    Accepted {
        acceptance: Acceptance,
        opened_by: Seq,
        used: Used,
    },
    Saved {
        entry_id: EntryId,
        draft_version: u32,
        hash: Hash,
        saved_at: Timestamp,
        /// When the learner accepted it. What was stored before this was kept has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        accepted_at: Option<Timestamp>,
    },
    SourceMissing {
        problem: Problem,
    },
    /// With an acceptance: the look before the save failed, and a retry goes on with it.
    SourceUnavailable {
        problem: Problem,
        acceptance: Option<Acceptance>,
    },
    DraftFailed {
        problem: Problem,
    },
    NeedsChecking {
        problem: Problem,
        before: Box<State>,
    },
    Cancelled {
        at: Timestamp,
        done: Vec<String>,
        unknown: Vec<String>,
    },
}

/// The states by name: what is stored, sent and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StateName {
    Created,
    EvidenceSaved,
    AwaitingReview,
    Rechecking,
    Accepted,
    Saved,
    SourceMissing,
    SourceUnavailable,
    DraftFailed,
    NeedsChecking,
    Cancelled,
}

impl StateName {
    /// In the order of the journey.
    pub const ALL: [Self; 11] = [
        Self::Created,
        Self::EvidenceSaved,
        Self::AwaitingReview,
        Self::Rechecking,
        Self::Accepted,
        Self::Saved,
        Self::SourceMissing,
        Self::SourceUnavailable,
        Self::DraftFailed,
        Self::NeedsChecking,
        Self::Cancelled,
    ];

    /// The word that is stored, sent, and put into `data-state`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::EvidenceSaved => "evidence_saved",
            Self::AwaitingReview => "awaiting_review",
            Self::Rechecking => "rechecking",
            Self::Accepted => "accepted",
            Self::Saved => "saved",
            Self::SourceMissing => "source_missing",
            Self::SourceUnavailable => "source_unavailable",
            Self::DraftFailed => "draft_failed",
            Self::NeedsChecking => "needs_checking",
            Self::Cancelled => "cancelled",
        }
    }

    /// Where a task may go from here: the arrows of the state diagram. `decide` and `evolve` hold
    /// the rules; a test compares the two.
    pub fn next(self) -> &'static [Self] {
        use StateName::{
            Accepted, AwaitingReview, Cancelled, Created, DraftFailed, EvidenceSaved, NeedsChecking, Rechecking, Saved,
            SourceMissing, SourceUnavailable,
        };
        match self {
            Created => &[EvidenceSaved, SourceMissing, SourceUnavailable, NeedsChecking, Cancelled],
            EvidenceSaved => &[AwaitingReview, DraftFailed, NeedsChecking, Cancelled],
            AwaitingReview => &[Accepted, EvidenceSaved, Rechecking, NeedsChecking, Cancelled],
            Rechecking => &[AwaitingReview, NeedsChecking, Cancelled],
            Accepted => &[Saved, AwaitingReview, SourceUnavailable, NeedsChecking, Cancelled],
            SourceMissing => &[Created, NeedsChecking, Cancelled],
            SourceUnavailable => &[Created, Accepted, Saved, NeedsChecking, Cancelled],
            DraftFailed => &[EvidenceSaved, NeedsChecking, Cancelled],
            NeedsChecking => &[Created, Accepted, Saved, Cancelled],
            Saved | Cancelled => &[],
        }
    }

    /// What the state means to the engine and to a list.
    pub fn phase(self) -> Phase {
        match self {
            Self::Created => Phase::Pending,
            Self::EvidenceSaved | Self::Rechecking | Self::Accepted => Phase::Running,
            Self::AwaitingReview | Self::NeedsChecking => Phase::AwaitingHuman,
            Self::Saved => Phase::Succeeded,
            Self::SourceMissing | Self::SourceUnavailable | Self::DraftFailed => Phase::Failed,
            Self::Cancelled => Phase::Cancelled,
        }
    }
}

impl State {
    /// Its name.
    pub fn name(&self) -> StateName {
        match self {
            Self::Created { .. } => StateName::Created,
            Self::EvidenceSaved { .. } => StateName::EvidenceSaved,
            Self::AwaitingReview { .. } => StateName::AwaitingReview,
            Self::Rechecking { .. } => StateName::Rechecking,
            Self::Accepted { .. } => StateName::Accepted,
            Self::Saved { .. } => StateName::Saved,
            Self::SourceMissing { .. } => StateName::SourceMissing,
            Self::SourceUnavailable { .. } => StateName::SourceUnavailable,
            Self::DraftFailed { .. } => StateName::DraftFailed,
            Self::NeedsChecking { .. } => StateName::NeedsChecking,
            Self::Cancelled { .. } => StateName::Cancelled,
        }
    }

    /// The problem that the state is about.
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            Self::SourceMissing { problem }
            | Self::SourceUnavailable { problem, .. }
            | Self::DraftFailed { problem }
            | Self::NeedsChecking { problem, .. } => Some(problem),
            _ => None,
        }
    }

    /// A save that was accepted and has neither been confirmed nor withdrawn. While there is one,
    /// no way out but `saved` is taken before the library has withdrawn it.
    pub fn pending_save(&self) -> Option<&Acceptance> {
        match self {
            Self::Accepted { acceptance, .. } => Some(acceptance),
            Self::SourceUnavailable { acceptance, .. } => acceptance.as_ref(),
            Self::NeedsChecking { before, .. } => before.pending_save(),
            _ => None,
        }
    }
}

impl Task {
    /// The version that is current: the newest.
    pub fn current(&self) -> Option<&DraftRef> {
        self.known.drafts.last()
    }

    /// The newest evidence.
    pub fn newest_evidence(&self) -> Option<&EvidenceRef> {
        self.known.evidence.last()
    }

    /// The number that the next draft gets.
    pub fn next_version(&self) -> u32 {
        self.current().map_or(1, |d| d.version + 1)
    }
}
