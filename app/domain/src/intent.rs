//! A wish made on a device, and the answer to it.

use serde::{Deserialize, Serialize};

use crate::{
    fault::{Code, Fault},
    id::{OpId, RecordId, SourceVersion, TaskId, UserId},
    operation::OpReceipt,
    snapshot::Snapshot,
    task::SCHEMA,
    text::{DraftText, Hash, Question},
};

/// One command of one learner to one task, under the operation ID that it keeps for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intent {
    pub op_id: OpId,
    pub task_id: TaskId,
    /// Who was signed in on the device when the wish was made; scripts may leave it out.
    #[serde(default)]
    pub as_user: Option<UserId>,
    pub wish: Wish,
}

/// What a learner may ask of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", try_from = "Written")]
pub enum Wish {
    Start { record_id: String, question: String, even_if_similar: bool },
    Edit { base_version: u32, text: String },
    Accept { draft_version: u32, draft_hash: Hash, seen_source_version: SourceVersion },
    Redraft { base_version: u32 },
    Reopen,
    Retry,
    Cancel,
    Settle { verdict: Verdict, note: String },
}

/// A wish as it is written: read field by field, since what serde makes of a tag among the fields
/// reads everything twice and is many times as large to download.
#[derive(Deserialize)]
struct Written {
    command: Verb,
    record_id: Option<String>,
    question: Option<String>,
    even_if_similar: Option<bool>,
    base_version: Option<u32>,
    text: Option<String>,
    draft_version: Option<u32>,
    draft_hash: Option<Hash>,
    seen_source_version: Option<SourceVersion>,
    verdict: Option<Verdict>,
    note: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Verb {
    Start,
    Edit,
    Accept,
    Redraft,
    Reopen,
    Retry,
    Cancel,
    Settle,
}

impl TryFrom<Written> for Wish {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let command = written.command;
        let wish = || {
            Some(match command {
                Verb::Start => Self::Start {
                    record_id: written.record_id?,
                    question: written.question?,
                    even_if_similar: written.even_if_similar.unwrap_or_default(),
                },
                Verb::Edit => Self::Edit { base_version: written.base_version?, text: written.text? },
                Verb::Accept => Self::Accept {
                    draft_version: written.draft_version?,
                    draft_hash: written.draft_hash?,
                    seen_source_version: written.seen_source_version?,
                },
                Verb::Redraft => Self::Redraft { base_version: written.base_version? },
                Verb::Reopen => Self::Reopen,
                Verb::Retry => Self::Retry,
                Verb::Cancel => Self::Cancel,
                Verb::Settle => Self::Settle { verdict: written.verdict?, note: written.note.unwrap_or_default() },
            })
        };
        wish().ok_or("a field of the wish is missing")
    }
}

/// What a person found out about an uncertain outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    LookAgain,
    WasSaved,
    NotSavedSaveNow,
    NotSavedStop,
}

impl Wish {
    /// The verb, as it is stored and as a refusal names it.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Edit { .. } => "edit",
            Self::Accept { .. } => "accept",
            Self::Redraft { .. } => "redraft",
            Self::Reopen => "reopen",
            Self::Retry => "retry",
            Self::Cancel => "cancel",
            Self::Settle { .. } => "settle",
        }
    }

    /// Refuses what can never be right, whatever the task's state.
    pub fn check(&self) -> Result<(), Fault> {
        match self {
            Self::Start { record_id, question, .. } => {
                RecordId::parse(record_id)?;
                Question::parse(question)?;
            }
            Self::Edit { text, .. } => {
                DraftText::parse(text)?;
            }
            Self::Accept { draft_hash, seen_source_version, .. } => {
                seen_source_version.check()?;
                if draft_hash.as_str().len() != 64 || !draft_hash.as_str().bytes().all(|b| b.is_ascii_hexdigit()) {
                    return Err(Fault::new(Code::Malformed).with("field", "draft_hash"));
                }
            }
            Self::Settle { note, .. } if !note.is_empty() => {
                if note.len() > Question::LIMIT {
                    return Err(Fault::too_long("note", Question::LIMIT));
                }
                if note.contains('\0') {
                    return Err(Fault::bad_characters("note"));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Intent {
    /// What the wish was, as one hash: all fields with defaults filled in, `as_user` and `op_id`
    /// aside. The same operation ID with another fingerprint is `key_reused`.
    pub fn fingerprint(&self) -> Hash {
        let canonical = serde_json::json!([SCHEMA, self.task_id, self.wish]);
        Hash::of(&canonical.to_string())
    }
}

/// A command was done: the recorded answer, and the task as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    pub op: OpReceipt,
    pub task: Snapshot,
}
