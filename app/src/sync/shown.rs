//! What screens may read. Only the keeper writes it.

use std::collections::BTreeSet;

use domain::{
    freshness::{Freshness, Link},
    id::{OpId, TaskId},
    outbox::Entry,
    snapshot::Snapshot,
    time::Timestamp,
};

use super::session::Session;
use crate::{
    ports::device::{Keeping, Program, SlotError},
    signal::RwSignal,
};

/// Handles, cheap to copy.
#[derive(Clone, Copy)]
pub struct Shown {
    pub session: RwSignal<Session>,
    /// The session of who was here ended since this page was opened, and not by their wish.
    pub ended: RwSignal<bool>,
    /// Who was here left since this page was opened: the server has said so, and every trace is gone.
    pub left: RwSignal<bool>,
    /// Raised whenever a visible page should look again at what may have moved meanwhile.
    pub rounds: RwSignal<u64>,
    pub link: RwSignal<Link>,
    /// The task that the learner last started or opened.
    pub current: RwSignal<Option<TaskId>>,
    /// The server has listed the learner's tasks, and none is to be gone on with.
    pub none_open: RwSignal<bool>,
    /// The task on the screen.
    pub watched: RwSignal<Option<TaskId>>,
    /// The last known picture of it.
    pub task: RwSignal<Option<Snapshot>>,
    /// How far that picture may be trusted.
    pub freshness: RwSignal<Freshness>,
    /// The server says that there is no such task for this user.
    pub gone: RwSignal<bool>,
    /// What waits on this device, oldest first.
    pub outbox: RwSignal<Vec<Entry>>,
    /// Which of it only this tab holds, for want of room on the device.
    pub held: RwSignal<BTreeSet<OpId>>,
    /// Whether a text that was typed over a draft of the task on the screen was not sent.
    pub unsent: RwSignal<bool>,
    /// Raised whenever texts that lie on the device may be others than before.
    pub texts: RwSignal<u64>,
    /// A task whose start was confirmed since this page was opened.
    pub started: RwSignal<Option<TaskId>>,
    /// The server's time, estimated.
    pub server_now: RwSignal<Option<Timestamp>>,
    /// Where things are kept on this device.
    pub keeping: RwSignal<Keeping>,
    /// Why the last thing that should have been kept was not.
    pub not_kept: RwSignal<Option<SlotError>>,
    /// How the program's own files stand on this device.
    pub program: RwSignal<Program>,
    /// A newer build was asked for, but something that was written is in this tab alone.
    pub cannot_renew: RwSignal<bool>,
}

impl Shown {
    pub(super) fn new(keeping: Keeping) -> Self {
        Self {
            session: RwSignal::new(Session::Unknown(None)),
            ended: RwSignal::new(false),
            left: RwSignal::new(false),
            rounds: RwSignal::new(0),
            link: RwSignal::new(Link::Unknown),
            current: RwSignal::new(None),
            none_open: RwSignal::new(false),
            watched: RwSignal::new(None),
            task: RwSignal::new(None),
            freshness: RwSignal::new(Freshness::OPENED),
            gone: RwSignal::new(false),
            outbox: RwSignal::new(Vec::new()),
            held: RwSignal::new(BTreeSet::new()),
            unsent: RwSignal::new(false),
            texts: RwSignal::new(0),
            started: RwSignal::new(None),
            server_now: RwSignal::new(None),
            keeping: RwSignal::new(keeping),
            not_kept: RwSignal::new(None),
            program: RwSignal::new(Program::default()),
            cannot_renew: RwSignal::new(false),
        }
    }
}
