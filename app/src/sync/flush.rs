//! Sends what waits: strictly in order within a task, independently between tasks.
//!
//! Invariant: what is sent is what the device's storage says now. Tabs take turns, one send each, and
//! read again what waits when their turn comes: another one may have had the answer meanwhile.

use domain::{
    fault::Code,
    id::{OpId, TaskId, UserId},
    intent::{Done, Wish},
    outbox::{Entry, Outbox, Sending},
};

use super::{Keeper, session::Session};
use crate::{
    api::error::ApiError,
    cache::{Place, Unsent},
    connectivity::DEADLINE_MS,
};

/// Longer than a send may take. Who has waited for so long takes the turn: whoever has it is frozen or
/// hangs, or there are many tabs and no network, where it does not matter who asks.
const PATIENCE_MS: u64 = DEADLINE_MS + 2_000;

impl Keeper {
    /// Sends everything that waits and is not on its way. Two tabs may still send the same, where they
    /// cannot take turns or one was frozen: the server's ledger makes the second one harmless.
    pub fn flush(&self) {
        let Session::SignedIn(who) = self.shown.session.get_untracked() else { return };
        let tasks = {
            let mut inner = self.inner.borrow_mut();
            let mut tasks = inner.outbox.tasks_waiting();
            tasks.retain(|task| inner.sending.insert(*task));
            tasks
        };
        for task in tasks {
            let user = who.user_id;
            self.spawn(async move |keeper| keeper.send_all(user, task).await);
        }
    }

    async fn send_all(&self, user: UserId, task: TaskId) {
        let epoch = self.inner.borrow().epoch;
        loop {
            let turn = self.device.turn(format!("mooring.{user}.{task}"), PATIENCE_MS).await;
            if self.inner.borrow().epoch != epoch {
                return;
            }
            self.reload_outbox();
            let next = self.inner.borrow().outbox.next_for(task).cloned();
            let Some(entry) = next.filter(|e| Outbox::belongs_to(e, user)) else { break };
            self.mark(entry.intent.op_id, Sending::Sent);
            let answer = self.within(self.server.command(entry.intent.clone())).await;
            if self.inner.borrow().epoch != epoch {
                // Another user came; the entry lies in its owner's outbox as not confirmed.
                return;
            }
            if turn.is_lost() {
                // This tab stood still, and another one went on: nothing is known of this try, and what
                // is stored is truer than what is remembered here.
                self.mark(entry.intent.op_id, Sending::Unconfirmed);
                self.reload_outbox();
                if answer.is_err_and(|error| error.is_passing()) {
                    // The next try has its pause, as ever.
                    self.lost();
                    break;
                }
            } else if !self.take_answer(user, &entry, answer) {
                break;
            }
        }
        self.inner.borrow_mut().sending.remove(&task);
    }

    /// Whether the next one may go out.
    fn take_answer(&self, user: UserId, entry: &Entry, answer: Result<Done, ApiError>) -> bool {
        let op = entry.intent.op_id;
        match answer {
            // The answer to another question: something on the way mixes them up.
            Ok(done) if done.op.op_id != op || done.task.task_id != entry.intent.task_id => {
                self.mark(op, Sending::Unconfirmed);
                self.lost();
                false
            }
            Ok(done) => {
                self.confirmed(user, entry, done);
                true
            }
            Err(error) if error.is_passing() => {
                self.mark(op, Sending::Unconfirmed);
                self.lost();
                false
            }
            Err(error) if error.code == Code::SignedOut => {
                self.reached();
                self.signed_out();
                false
            }
            Err(error) if error.code == Code::OtherUser => {
                // Somebody else is signed in here by now: it waits for its owner.
                self.mark(op, Sending::NeedsSignIn);
                self.reached();
                self.enter(Session::Unknown(None));
                self.check();
                false
            }
            Err(error) => {
                self.refused(user, op, &error);
                true
            }
        }
    }

    fn confirmed(&self, user: UserId, entry: &Entry, Done { op, task }: Done) {
        let task_id = task.task_id;
        let started = matches!(entry.intent.wish, Wish::Start { .. });
        // What was typed since says something else, and stays.
        match &entry.intent.wish {
            Wish::Start { record_id, question, .. } => {
                self.make_current(task_id);
                self.drop_texts_that_say(user, Place::Start, &Unsent::question(record_id, question));
            }
            // Where there was no room for the edit, its text stayed kept as typed.
            Wish::Edit { base_version, text } => {
                self.drop_texts_that_say(user, Place::Draft(task_id), &Unsent::over(*base_version, text));
            }
            _ => {}
        }
        // Before the entry itself: a tab that dies in between sends it again, and no decision that
        // was made comes up a second time.
        for refused in &entry.replaces {
            self.discard(*refused);
        }
        // The new picture first: a screen must not fall back to the old one in between.
        self.apply(task);
        self.reached();
        let followers = self.inner.borrow_mut().outbox.answered(entry.intent.op_id, &op);
        for follower in &followers {
            self.keep_entry(user, follower);
        }
        self.drop_entry(user, entry.intent.op_id);
        self.show_outbox();
        if started {
            self.shown.started.set(Some(task_id));
        }
        if self.shown.watched.get_untracked() == Some(task_id) {
            self.follow();
        }
    }

    fn refused(&self, user: UserId, op: OpId, error: &ApiError) {
        if let Some(current) = &error.current {
            self.apply((**current).clone());
        }
        self.reached();
        let changed = self.inner.borrow_mut().outbox.refused(op, error.fault());
        for entry in &changed {
            self.keep_entry(user, entry);
        }
        self.show_outbox();
    }

    pub(super) fn mark(&self, op: OpId, sending: Sending) {
        let (before, marked) = {
            let outbox = &mut self.inner.borrow_mut().outbox;
            (outbox.get(op).map(|e| e.sending.clone()), outbox.mark(op, sending))
        };
        if let (Some(before), Some(entry), Some(user)) = (before, marked, self.user()) {
            self.keep_marked(user, &entry, &before);
        }
        self.show_outbox();
    }

    pub(super) fn mark_all(&self, task: TaskId, sending: &Sending) {
        let ops: Vec<OpId> = self.inner.borrow().outbox.waiting_for(task).map(|e| e.intent.op_id).collect();
        for op in ops {
            self.mark(op, sending.clone());
        }
    }
}
