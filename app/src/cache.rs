//! What a device remembers of the server: who was signed in, the current task, the last known
//! snapshots; and the texts that were typed and not sent.
//!
//! Invariants: never a token; a picture with a lower `seq` never replaces a newer one; a user's
//! things lie under that user's keys only.

mod texts; // what was typed and not sent

use domain::{
    id::{TaskId, UserId},
    record::RecordList,
    snapshot::{Snapshot, Who},
};

pub use self::texts::{Found, Place, Unsent, text_key};
use crate::{
    ports::device::{SlotError, Slots},
    slots::{self, Key},
};

/// A picture that says nothing new is written again only when it is so much younger, for a phone that lies
/// idle should not write.
const SAME_FOR_S: u64 = 30;

/// Snapshots kept besides: a phone has 5 MB for all, and evidence is up to 64 kB.
const KEPT: usize = 8;

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

    /// The user who asked to be signed out and whose sign-out was not confirmed yet. A mark that cannot be
    /// read is still one: of the last user, for there is no other whose things could be shown.
    pub fn leaving(self) -> Option<UserId> {
        let key = Key::shared("leaving");
        let marked = slots::is_there(self.0, &key);
        let leaving = slots::read(self.0, &key);
        if leaving.is_some() || !marked {
            return leaving;
        }
        let last = self.last_user()?.user_id;
        let _ = self.keep_leaving(last);
        Some(last)
    }

    pub fn keep_leaving(self, user: UserId) -> Result<(), SlotError> {
        slots::write(self.0, &Key::shared("leaving"), &user)
    }

    pub fn drop_leaving(self) {
        slots::remove(self.0, &Key::shared("leaving"));
    }

    /// Takes up again what another build had moved aside and this one can read.
    pub fn restore(self, user: UserId) {
        slots::restore::<TaskId>(self.0, user, "current");
        for (picture, _) in slots::restore::<Snapshot>(self.0, user, "snapshot.") {
            // There is one already, and the server has them all.
            slots::remove(self.0, &picture);
        }
        self.restore_texts(user);
    }

    /// Removes every trace of a user.
    pub fn forget(self, user: UserId) {
        slots::forget(self.0, user);
        if self.last_user().is_some_and(|who| who.user_id == user) {
            self.drop_last_user();
        }
        self.drop_leaving();
    }

    /// Whether nothing of a user is here.
    pub fn is_without(self, user: UserId) -> bool {
        self.0.keys(&Key::all_of(user)).is_ok_and(|keys| keys.is_empty())
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
        if self.snapshot(user, seen.task_id).is_some_and(|kept| tells_as_much(&kept, seen)) {
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

    /// The last known pictures of those tasks that one is kept of, the newest task first.
    pub fn snapshots(self, user: UserId) -> Vec<Snapshot> {
        let recent: Vec<TaskId> = slots::read(self.0, &Key::of(user, "recent")).unwrap_or_default();
        let begun = |task: &Snapshot| (task.created_at, task.task_id);
        let mut known: Vec<Snapshot> = Vec::new();
        for task in recent.into_iter().filter_map(|task| self.snapshot(user, task)) {
            let at = known.partition_point(|newer| begun(&task) <= begun(newer));
            known.insert(at, task);
        }
        known
    }

    /// The records that were last on offer, so that a task can be started without a network.
    pub fn records(self, user: UserId) -> Option<RecordList> {
        slots::read(self.0, &Key::of(user, "records"))
    }

    pub fn keep_records(self, user: UserId, list: &RecordList) -> Result<(), SlotError> {
        slots::write(self.0, &Key::of(user, "records"), list)
    }
}

/// Whether a kept picture is newer than `seen`, or the same and hardly older.
fn tells_as_much(kept: &Snapshot, seen: &Snapshot) -> bool {
    let age = seen.server_time.since(kept.server_time).as_secs();
    kept.seq > seen.seq || kept.seq == seen.seq && kept.active == seen.active && age < SAME_FOR_S
}

fn snapshot_key(user: UserId, task: TaskId) -> Key {
    Key::of(user, format_args!("snapshot.{task}"))
}
