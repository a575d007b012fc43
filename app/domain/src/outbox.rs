//! Wishes made on this device that the server has not answered.
//!
//! Invariants: an entry keeps its operation ID until it is answered; entries of one task go out in
//! the order in which they were made; equal wishes do not wait twice.

use serde::{Deserialize, Serialize};

use crate::{
    fault::Fault,
    id::{OpId, TaskId, UserId},
    intent::{Intent, Wish},
    operation::OpReceipt,
    task::SCHEMA,
    text::Hash,
};

/// One wish that waits, as it is stored on the device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub schema: u32,
    /// Its place in the order of wishes on this device.
    pub place: u64,
    pub intent: Intent,
    /// The wish that this one builds on, until that one is answered.
    #[serde(default)]
    pub after: Option<OpId>,
    /// The text that the learner had before them, so that nothing is lost with a refusal.
    #[serde(default)]
    pub shown: Option<String>,
    /// Refused wishes that this one decides anew. They stay, with their texts, until it is answered
    /// yes: it may be refused as well.
    #[serde(default)]
    pub replaces: Vec<OpId>,
    pub sending: Sending,
}

/// How far a wish has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", try_from = "Written")]
pub enum Sending {
    /// Written on this device, not sent yet.
    Queued,
    /// On its way, sent by a tab that is still waiting for the answer.
    Sent,
    /// It may have arrived. Sending it again is safe.
    Unconfirmed,
    /// The session ended before it was answered.
    NeedsSignIn,
    /// The server answered no.
    Refused { fault: Fault },
    /// It builds on a wish that was refused.
    EarlierRefused,
}

/// As it is written; why not by serde's own way: see [`Wish`].
#[derive(Deserialize)]
struct Written {
    is: Name,
    fault: Option<Fault>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Name {
    Queued,
    Sent,
    Unconfirmed,
    NeedsSignIn,
    Refused,
    EarlierRefused,
}

impl TryFrom<Written> for Sending {
    type Error = &'static str;

    fn try_from(Written { is, fault }: Written) -> Result<Self, Self::Error> {
        Ok(match is {
            Name::Queued => Self::Queued,
            Name::Sent => Self::Sent,
            Name::Unconfirmed => Self::Unconfirmed,
            Name::NeedsSignIn => Self::NeedsSignIn,
            Name::Refused => Self::Refused { fault: fault.ok_or("a refusal without its reason")? },
            Name::EarlierRefused => Self::EarlierRefused,
        })
    }
}

impl Sending {
    /// Still to be answered; the others wait for the learner.
    pub fn is_waiting(&self) -> bool {
        !matches!(self, Self::Refused { .. } | Self::EarlierRefused)
    }

    /// The word in a class name.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sent => "sending",
            Self::Unconfirmed => "unconfirmed",
            Self::NeedsSignIn => "signin",
            Self::Refused { .. } | Self::EarlierRefused => "refused",
        }
    }
}

/// All wishes of one learner on this device, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outbox {
    entries: Vec<Entry>,
}

impl Outbox {
    /// Takes what was stored. A tab that was sending is gone, so that nothing is known of its try.
    pub fn restored(stored: Vec<Entry>) -> Self {
        let place = |e: &Entry| (e.place, e.intent.op_id);
        let mut entries: Vec<Entry> = Vec::with_capacity(stored.len());
        for mut entry in stored {
            if entry.sending == Sending::Sent {
                entry.sending = Sending::Unconfirmed;
            }
            // Mostly at the end; sorting them afterwards is more for a phone to download.
            let at = entries.partition_point(|earlier| place(earlier) <= place(&entry));
            entries.insert(at, entry);
        }
        Self { entries }
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub fn get(&self, op: OpId) -> Option<&Entry> {
        self.entries.iter().find(|e| e.intent.op_id == op)
    }

    /// The entries of one task that are still to be answered.
    pub fn waiting_for(&self, task: TaskId) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |e| e.intent.task_id == task && e.sending.is_waiting())
    }

    /// Tasks that have something to send, in the order of their oldest wish.
    pub fn tasks_waiting(&self) -> Vec<TaskId> {
        let mut tasks = Vec::new();
        for entry in self.entries.iter().filter(|e| e.sending.is_waiting()) {
            if !tasks.contains(&entry.intent.task_id) {
                tasks.push(entry.intent.task_id);
            }
        }
        tasks
    }

    /// What goes out next for a task: its oldest wish that waits.
    pub fn next_for(&self, task: TaskId) -> Option<&Entry> {
        self.waiting_for(task).next()
    }

    /// The same wish, if it waits already: a second tap finds the first one's entry.
    pub fn same_wish(&self, task: Option<TaskId>, wish: &Wish) -> Option<OpId> {
        self.entries
            .iter()
            .find(|e| e.sending.is_waiting() && e.intent.wish == *wish && task.is_none_or(|t| t == e.intent.task_id))
            .map(|e| e.intent.op_id)
    }

    /// Puts a wish at the end and returns its entry, to be written before anything is sent. It
    /// builds on the newest edit of its task that waits, if there is one.
    pub fn enqueue(&mut self, intent: Intent, shown: Option<String>) -> Entry {
        let after = match intent.wish {
            Wish::Edit { .. } | Wish::Accept { .. } | Wish::Redraft { .. } => self.newest_edit(intent.task_id),
            _ => None,
        };
        let place = self.entries.last().map_or(1, |e| e.place + 1);
        let entry =
            Entry { schema: SCHEMA, place, intent, after, shown, replaces: Vec::new(), sending: Sending::Queued };
        self.entries.push(entry.clone());
        entry
    }

    /// Like [`Self::enqueue`], for a wish that decides anew on everything of its task that was
    /// refused.
    pub fn enqueue_instead(&mut self, intent: Intent, shown: Option<String>) -> Entry {
        let refused = |e: &&Entry| e.intent.task_id == intent.task_id && !e.sending.is_waiting();
        let replaces = self.entries.iter().filter(refused).map(|e| e.intent.op_id).collect();
        let mut entry = self.enqueue(intent, shown);
        entry.replaces = replaces;
        if let Some(last) = self.entries.last_mut() {
            last.replaces.clone_from(&entry.replaces);
        }
        entry
    }

    fn newest_edit(&self, task: TaskId) -> Option<OpId> {
        self.waiting_for(task).filter(|e| matches!(e.intent.wish, Wish::Edit { .. })).last().map(|e| e.intent.op_id)
    }

    /// Notes how far an entry has come and returns it, to be written.
    pub fn mark(&mut self, op: OpId, sending: Sending) -> Option<Entry> {
        let entry = self.entries.iter_mut().find(|e| e.intent.op_id == op)?;
        entry.sending = sending;
        Some(entry.clone())
    }

    /// The server has it: the entry goes, and those that build on it learn the version it became.
    /// They are returned, to be written *before* the entry is removed from the device.
    pub fn answered(&mut self, op: OpId, receipt: &OpReceipt) -> Vec<Entry> {
        let hash = self.get(op).and_then(|e| match &e.intent.wish {
            Wish::Edit { text, .. } => Some(Hash::of(text)),
            _ => None,
        });
        let mut changed = Vec::new();
        for entry in self.entries.iter_mut().filter(|e| e.after == Some(op)) {
            if let Some(version) = receipt.draft_version {
                build_on(&mut entry.intent.wish, version, hash.as_ref());
            }
            entry.after = None;
            changed.push(entry.clone());
        }
        self.entries.retain(|e| e.intent.op_id != op);
        changed
    }

    /// The server said no: the entry stays with the reason, and all that build on it are refused
    /// too, unsent, with their texts. Returns what changed, to be written.
    pub fn refused(&mut self, op: OpId, fault: Fault) -> Vec<Entry> {
        let mut changed: Vec<Entry> = self.mark(op, Sending::Refused { fault }).into_iter().collect();
        changed.extend(self.refuse_followers(op));
        changed
    }

    /// Forgets the one entry that the learner does not want any more. Those that build on it have
    /// lost their ground: they are refused, unsent, with their texts. Returns them, to be written
    /// *before* the entry is removed from the device.
    pub fn discard(&mut self, op: OpId) -> Vec<Entry> {
        let changed = self.refuse_followers(op);
        self.entries.retain(|e| e.intent.op_id != op);
        changed
    }

    fn refuse_followers(&mut self, op: OpId) -> Vec<Entry> {
        let (mut refused, mut changed) = (vec![op], Vec::new());
        for entry in &mut self.entries {
            if entry.after.is_some_and(|after| refused.contains(&after)) {
                refused.push(entry.intent.op_id);
                if entry.sending.is_waiting() {
                    entry.sending = Sending::EarlierRefused;
                    changed.push(entry.clone());
                }
            }
        }
        changed
    }

    /// Whether one of `all` that is still to be answered decides anew on the refused `entry`.
    pub fn is_replaced(entry: &Entry, all: &[Entry]) -> bool {
        all.iter().any(|e| e.sending.is_waiting() && e.replaces.contains(&entry.intent.op_id))
    }

    /// Entries of another learner never go out under this one's session.
    pub fn belongs_to(entry: &Entry, user: UserId) -> bool {
        entry.intent.as_user == Some(user)
    }
}

/// Fills in what a wish could not know while the edit before it was unanswered. From then on it is
/// frozen: a repeated send carries the same fingerprint.
fn build_on(wish: &mut Wish, version: u32, hash: Option<&Hash>) {
    match wish {
        Wish::Edit { base_version, .. } | Wish::Redraft { base_version } => *base_version = version,
        Wish::Accept { draft_version, draft_hash, .. } => {
            *draft_version = version;
            if let Some(hash) = hash {
                *draft_hash = hash.clone();
            }
        }
        _ => {}
    }
}
