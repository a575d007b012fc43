//! What the learner asks for.

use domain::{
    fault::{Code, Fault},
    id::{OpId, TaskId},
    intent::{Intent, Wish},
    outbox::{Entry, Outbox},
    record::RecordList,
    snapshot::Snapshot,
};

use super::Keeper;

impl Keeper {
    /// Takes a wish, writes it to the device and sends it. Without a task it is a start and gets a
    /// new one. The same wish, while it waits, is not taken twice. `shown` is the text that the
    /// learner had before them. A wish that can never be right is refused here, in the same words.
    pub fn wish(&self, task: Option<TaskId>, wish: Wish, shown: Option<String>) -> Result<OpId, Fault> {
        self.take(task, wish, shown, Outbox::enqueue)
    }

    /// Takes a wish that decides anew on what was refused for its task. What it replaces goes when
    /// the server has answered yes, and not before: no text is let go for a decision that may be
    /// refused too.
    pub fn decide(&self, task: TaskId, wish: Wish, shown: Option<String>) -> Result<OpId, Fault> {
        self.take(Some(task), wish, shown, Outbox::enqueue_instead)
    }

    fn take(
        &self,
        task: Option<TaskId>,
        wish: Wish,
        shown: Option<String>,
        enqueue: fn(&mut Outbox, Intent, Option<String>) -> Entry,
    ) -> Result<OpId, Fault> {
        wish.check()?;
        let user = self.user().ok_or_else(|| Fault::new(Code::SignedOut))?;
        // Another tab may have asked for the same a moment ago, or for what this builds on.
        self.reload_outbox();
        if let Some(op) = self.inner.borrow().outbox.same_wish(task, &wish) {
            return Ok(op);
        }
        let intent = Intent {
            op_id: self.device.new_op(),
            task_id: task.unwrap_or_else(|| self.device.new_task()),
            as_user: Some(user),
            wish,
        };
        let op = intent.op_id;
        let entry = enqueue(&mut self.inner.borrow_mut().outbox, intent, shown);
        self.keep_new_entry(user, &entry);
        self.show_outbox();
        self.send_now();
        Ok(op)
    }

    /// Sends what waits, or asks first who is here if that is not known yet.
    pub fn send_now(&self) {
        if self.shown.session.get_untracked().is_confirmed() {
            self.flush();
        } else {
            self.check();
        }
    }

    /// Gives up a wish that waits or was refused, and no other: those that build on it stay as
    /// refused ones, with their texts. One that was sent may have been done already:
    /// the next picture of the task will tell.
    pub fn discard(&self, op: OpId) {
        let Some(user) = self.user() else { return };
        let followers = self.inner.borrow_mut().outbox.discard(op);
        for follower in &followers {
            self.keep_entry(user, follower);
        }
        self.drop_entry(user, op);
        self.show_outbox();
    }

    /// The last known picture of the current task.
    pub fn known_current(&self) -> Option<Snapshot> {
        let user = self.user()?;
        self.cache().snapshot(user, self.cache().current(user)?)
    }

    /// What a change is about, as far as this device knows: the title of its record.
    pub fn known_title(&self, intent: &Intent) -> Option<String> {
        let Wish::Start { record_id, .. } = &intent.wish else {
            return Some(self.cache().snapshot(self.user()?, intent.task_id)?.title);
        };
        let records = self.known_records()?.records;
        records.into_iter().find(|record| record.record_id.as_str() == record_id).map(|record| record.title)
    }

    /// The last known pictures of tasks, the newest task first.
    pub fn known_tasks(&self) -> Vec<Snapshot> {
        self.user().map(|user| self.cache().snapshots(user)).unwrap_or_default()
    }

    /// The records that were last on offer.
    pub fn known_records(&self) -> Option<RecordList> {
        self.user().and_then(|user| self.cache().records(user))
    }

    pub fn keep_records(&self, list: &RecordList) {
        if let Some(user) = self.user() {
            self.warn_if_not_kept(self.cache().keep_records(user, list));
        }
    }
}
