//! What a device remembers of the server: who was signed in, the current task, the last known
//! snapshots; and the texts that were typed and not sent.
//!
//! Invariants: never a token; a picture with a lower `seq` never replaces a newer one; a user's
//! things lie under that user's keys only.

use domain::{
    id::{TaskId, UserId},
    record::RecordList,
    snapshot::{Snapshot, Who},
};
use serde::{Deserialize, Serialize};

use crate::{
    ports::device::{SlotError, Slots},
    slots::{self, Key},
};

/// Snapshots kept besides: a phone has 5 MB for all, and evidence is up to 64 kB.
const KEPT: usize = 8;

/// A draft that was typed and not sent, and the version that it was typed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsent {
    pub text: String,
    pub base_version: u32,
}

/// A task that was not started yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnsentStart {
    pub record_id: String,
    pub question: String,
}

/// Reads and writes through the slots of a device.
#[derive(Clone, Copy)]
pub struct Cache<'a>(pub &'a dyn Slots);

impl Cache<'_> {
    /// Who was signed in when this device last heard of it.
    pub fn last_user(self) -> Option<Who> {
        slots::read(self.0, &Key::shared("who"))
    }

    pub fn keep_last_user(self, who: &Who) -> Result<(), SlotError> {
        slots::write(self.0, &Key::shared("who"), who)
    }

    /// Nobody is here any more; what is theirs stays under their own keys.
    pub fn drop_last_user(self) {
        slots::remove(self.0, &Key::shared("who"));
    }

    /// The user who asked to be signed out and whose sign-out was not confirmed yet.
    pub fn leaving(self) -> Option<UserId> {
        slots::read(self.0, &Key::shared("leaving"))
    }

    pub fn keep_leaving(self, user: UserId) -> Result<(), SlotError> {
        slots::write(self.0, &Key::shared("leaving"), &user)
    }

    pub fn drop_leaving(self) {
        slots::remove(self.0, &Key::shared("leaving"));
    }

    /// Removes every trace of a user.
    pub fn forget(self, user: UserId) {
        slots::forget(self.0, user);
        if self.last_user().is_some_and(|who| who.user_id == user) {
            self.drop_last_user();
        }
        self.drop_leaving();
    }

    /// The task that the learner last started or opened.
    pub fn current(self, user: UserId) -> Option<TaskId> {
        slots::read(self.0, &Key::of(user, "current"))
    }

    pub fn keep_current(self, user: UserId, task: TaskId) -> Result<(), SlotError> {
        slots::write(self.0, &Key::of(user, "current"), &task)
    }

    /// The last known picture of a task.
    pub fn snapshot(self, user: UserId, task: TaskId) -> Option<Snapshot> {
        slots::read(self.0, &snapshot_key(user, task))
    }

    /// Keeps a picture unless a newer one is kept already (another tab may have heard more).
    pub fn keep_snapshot(self, user: UserId, seen: &Snapshot) -> Result<(), SlotError> {
        if self.snapshot(user, seen.task_id).is_some_and(|kept| kept.seq > seen.seq) {
            return Ok(());
        }
        self.make_room(user, seen.task_id);
        slots::write(self.0, &snapshot_key(user, seen.task_id), seen)
    }

    pub fn drop_task(self, user: UserId, task: TaskId) {
        slots::remove(self.0, &snapshot_key(user, task));
        if self.current(user) == Some(task) {
            slots::remove(self.0, &Key::of(user, "current"));
        }
    }

    fn make_room(self, user: UserId, newest: TaskId) {
        let key = Key::of(user, "recent");
        let mut recent: Vec<TaskId> = slots::read(self.0, &key).unwrap_or_default();
        if recent.first() == Some(&newest) {
            return;
        }
        recent.retain(|task| *task != newest);
        recent.insert(0, newest);
        for task in recent.drain(KEPT.min(recent.len())..) {
            slots::remove(self.0, &snapshot_key(user, task));
        }
        // Without the list, snapshots are kept a little longer than needed; nothing is lost.
        let _ = slots::write(self.0, &key, &recent);
    }

    /// The text that was typed over a draft and not sent.
    pub fn text(self, user: UserId, task: TaskId) -> Option<Unsent> {
        slots::read(self.0, &text_key(user, task))
    }

    pub fn keep_text(self, user: UserId, task: TaskId, unsent: &Unsent) -> Result<(), SlotError> {
        slots::write(self.0, &text_key(user, task), unsent)
    }

    pub fn drop_text(self, user: UserId, task: TaskId) {
        slots::remove(self.0, &text_key(user, task));
    }

    /// What was typed into the form for a new task.
    pub fn start_text(self, user: UserId) -> Option<UnsentStart> {
        slots::read(self.0, &Key::of(user, "text.start"))
    }

    pub fn keep_start_text(self, user: UserId, unsent: &UnsentStart) -> Result<(), SlotError> {
        slots::write(self.0, &Key::of(user, "text.start"), unsent)
    }

    pub fn drop_start_text(self, user: UserId) {
        slots::remove(self.0, &Key::of(user, "text.start"));
    }

    /// How many texts were typed and not sent. A record that was chosen is not yet a text.
    pub fn unsent_texts(self, user: UserId) -> usize {
        let start = Key::of(user, "text.start");
        let drafts = slots::keys(self.0, user, "text.").into_iter().filter(|key| *key != start).count();
        let asked = self.start_text(user).is_some_and(|start| !start.question.trim().is_empty());
        drafts + usize::from(asked)
    }

    /// The records that were last on offer, so that a task can be started without a network.
    pub fn records(self, user: UserId) -> Option<RecordList> {
        slots::read(self.0, &Key::of(user, "records"))
    }

    pub fn keep_records(self, user: UserId, list: &RecordList) -> Result<(), SlotError> {
        slots::write(self.0, &Key::of(user, "records"), list)
    }
}

fn snapshot_key(user: UserId, task: TaskId) -> Key {
    Key::of(user, format_args!("snapshot.{task}"))
}

fn text_key(user: UserId, task: TaskId) -> Key {
    Key::of(user, format_args!("text.{task}"))
}
