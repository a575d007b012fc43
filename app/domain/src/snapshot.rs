//! What the server says is true: the one picture of a task that crosses the wire.

use serde::{Deserialize, Serialize};

use crate::{
    approval::Action,
    explanation::StateName,
    fault::Problem,
    id::{EntryId, OpId, RecordId, Seq, SourceVersion, TaskId, UserId},
    lease::Active,
    record::Evidence,
    task::{Kind, Phase},
    text::Hash,
    time::Timestamp,
};

/// A task as the server knows it at `server_time`. In a list, `evidence` and `drafts` are empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    pub schema: u32,
    pub task_id: TaskId,
    pub kind: Kind,
    pub record_id: RecordId,
    pub title: String,
    pub question: String,
    pub seq: Seq,
    pub state: StateName,
    pub phase: Phase,
    pub active: Option<Active>,
    pub next_try_at: Option<Timestamp>,
    pub problem: Option<Problem>,
    pub notice: Option<Problem>,
    /// Newest last.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// Oldest first; only the current one and the one before carry their text.
    #[serde(default)]
    pub drafts: Vec<Draft>,
    /// The current draft's version, also where `drafts` is left out.
    #[serde(default)]
    pub draft_version: Option<u32>,
    pub proposal: Option<OpenProposal>,
    pub outcome: Option<Outcome>,
    /// The step that is to be done, held by a worker or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under_way: Option<UnderWay>,
    /// When the learner accepted the version that is being saved or was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_at: Option<Timestamp>,
    /// When the source was last seen to show the newest evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub server_time: Timestamp,
}

impl Snapshot {
    /// Whether a save is what is uncertain: then, and only then, the problem of a task that needs
    /// checking names the version.
    pub fn may_have_saved(&self) -> bool {
        self.state == StateName::NeedsChecking
            && self.problem.as_ref().is_some_and(|problem| problem.params.contains_key("version"))
    }

    /// The newest draft, where drafts are there.
    pub fn current_draft(&self) -> Option<&Draft> {
        self.drafts.last()
    }

    /// The newest evidence, where evidence is there.
    pub fn newest_evidence(&self) -> Option<&Evidence> {
        self.evidence.last()
    }

    /// When a later look at the source saw the newest evidence once more, as it was.
    pub fn seen_again_at(&self) -> Option<Timestamp> {
        let first = self.newest_evidence()?.observed_at;
        self.looked_at.filter(|again| first < *again)
    }
}

/// How a step has gone so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnderWay {
    pub since: Timestamp,
    /// How often it has failed since then.
    pub tries: u32,
}

/// Who wrote a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    Model,
    Learner,
}

impl Author {
    /// The word that is stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Learner => "learner",
        }
    }
}

/// What a model counted for one answer, in its own tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub read: u32,
    pub written: u32,
}

impl Usage {
    pub fn total(self) -> u64 {
        u64::from(self.read) + u64::from(self.written)
    }
}

/// One version of the explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    pub version: u32,
    pub author: Author,
    /// What wrote it: a model's name, or `learner`.
    pub produced_by: String,
    /// A simulated model wrote it; said wherever the draft is shown.
    pub simulated: bool,
    /// What the model counted for it, where it counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    pub hash: Hash,
    pub on_source_version: SourceVersion,
    pub created_at: Timestamp,
    pub text: Option<String>,
}

/// What may be accepted now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenProposal {
    pub draft_version: u32,
    pub draft_hash: Hash,
    pub source_version: SourceVersion,
    pub action: Action,
    pub expires_at: Timestamp,
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, try_from = "Written")]
pub enum Outcome {
    Saved {
        entry_id: EntryId,
        draft_version: u32,
        hash: Hash,
        saved_at: Timestamp,
    },
    Cancelled {
        cancelled_at: Timestamp,
        /// What had been done by then: kinds of steps.
        done: Vec<String>,
        /// What had been sent with its outcome unknown.
        unknown: Vec<String>,
    },
}

/// An outcome as it is written; why not by serde's own way: see [`crate::intent::Wish`].
#[derive(Deserialize)]
struct Written {
    entry_id: Option<EntryId>,
    draft_version: Option<u32>,
    hash: Option<Hash>,
    saved_at: Option<Timestamp>,
    cancelled_at: Option<Timestamp>,
    done: Option<Vec<String>>,
    unknown: Option<Vec<String>>,
}

impl TryFrom<Written> for Outcome {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        match written {
            Written {
                entry_id: Some(entry_id),
                draft_version: Some(draft_version),
                hash: Some(hash),
                saved_at: Some(saved_at),
                ..
            } => Ok(Self::Saved { entry_id, draft_version, hash, saved_at }),
            Written { cancelled_at: Some(cancelled_at), done: Some(done), unknown: Some(unknown), .. } => {
                Ok(Self::Cancelled { cancelled_at, done, unknown })
            }
            _ => Err("an outcome is either saved or cancelled"),
        }
    }
}

/// One line of a task's timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventLine {
    pub seq: Seq,
    pub kind: String,
    pub at: Timestamp,
    pub attempt: Option<u32>,
    pub op_id: Option<OpId>,
    /// One plain sentence in English; the screen's own words come from `kind` and `details`.
    pub summary: String,
    pub details: serde_json::Value,
}

/// A saved explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryEntry {
    pub entry_id: EntryId,
    pub task_id: TaskId,
    pub op_id: OpId,
    pub draft_version: u32,
    pub hash: Hash,
    pub title: String,
    /// What was asked: the task knows it, not the library, which may stand apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    pub text: String,
    pub saved_at: Timestamp,
}

/// Who is signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Who {
    pub user_id: UserId,
    pub name: String,
}

/// What a beat of the event stream says: alive, and where the task stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    pub server_time: Timestamp,
    pub seq: Seq,
    pub active: Option<Active>,
}
