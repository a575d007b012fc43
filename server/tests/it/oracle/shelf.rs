//! The oracle's library: one decision an operation, one entry a task.

use std::collections::BTreeMap;

use domain::{
    id::{EntryId, OpId, TaskId},
    snapshot::LibraryEntry,
};
use server::library::{Found, Saved};

/// What was saved and what never will be.
#[derive(Debug, Default)]
pub struct Shelf {
    /// True: saved.
    pub decisions: BTreeMap<(TaskId, OpId), bool>,
    pub entries: BTreeMap<TaskId, LibraryEntry>,
    /// The names that the real library chose for its entries: the one thing that cannot be foretold.
    pub names: BTreeMap<TaskId, EntryId>,
}

impl Shelf {
    /// Saves, unless the operation was withdrawn or there is another entry.
    pub fn save(&mut self, mut wanted: LibraryEntry) -> Saved {
        let key = (wanted.task_id, wanted.op_id);
        if !self.decisions.contains_key(&key) && !self.entries.contains_key(&wanted.task_id) {
            if let Some(name) = self.names.get(&wanted.task_id) {
                wanted.entry_id = *name;
            }
            self.decisions.insert(key, true);
            self.entries.insert(wanted.task_id, wanted.clone());
            return Saved::Entry(wanted);
        }
        match self.entries.get(&wanted.task_id) {
            Some(entry) if entry.op_id == wanted.op_id => Saved::Entry(entry.clone()),
            Some(entry) => Saved::OtherEntry(entry.clone()),
            None => Saved::Withdrawn,
        }
    }

    pub fn find(&self, task: TaskId, op: OpId) -> Found {
        match self.entries.get(&task) {
            Some(entry) if entry.op_id == op => Found::Entry(entry.clone()),
            _ if self.decisions.get(&(task, op)) == Some(&false) => Found::Withdrawn,
            _ => Found::Nothing,
        }
    }

    /// The operation will never save, unless it has.
    pub fn withdraw(&mut self, task: TaskId, op: OpId) -> Found {
        self.decisions.entry((task, op)).or_insert(false);
        self.find(task, op)
    }
}
