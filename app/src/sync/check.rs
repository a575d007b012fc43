//! Asks who is here and how the task on the screen stands.

use domain::{fault::Code, id::TaskId};
use leptos::prelude::{GetUntracked, Set, Update};

use super::{Keeper, session::Session};

impl Keeper {
    /// Asks the server, beside everything else. While an asking goes on, another one is noted and
    /// follows: two at a time would only race.
    pub fn check(&self) {
        self.show_asking();
        {
            let mut inner = self.inner.borrow_mut();
            inner.plan += 1;
            if inner.checking {
                inner.check_again = true;
                return;
            }
            inner.checking = true;
        }
        self.spawn(async move |keeper| {
            loop {
                keeper.inner.borrow_mut().check_again = false;
                let answered = keeper.check_once().await;
                // Without an answer another try is planned already, after a pause.
                if !answered || !keeper.inner.borrow().check_again {
                    break;
                }
            }
            keeper.inner.borrow_mut().checking = false;
        });
    }

    /// Another try after a pause; hidden tabs with nothing to send wait until they are seen.
    pub(super) fn plan_check(&self) {
        let waiting = !self.inner.borrow().outbox.tasks_waiting().is_empty();
        if !waiting && !self.device.is_visible() {
            return;
        }
        let (plan, pause) = {
            let mut inner = self.inner.borrow_mut();
            inner.plan += 1;
            (inner.plan, inner.connectivity.pause_ms(self.device.random()))
        };
        self.check_after(plan, pause);
    }

    /// Asks after a pause, unless something else was planned meanwhile.
    pub(super) fn check_after(&self, plan: u64, pause_ms: u64) {
        let pause = self.device.sleep(pause_ms);
        self.spawn(async move |keeper| {
            pause.await;
            if keeper.inner.borrow().plan == plan {
                keeper.check();
            }
        });
    }

    /// Whether the server answered all that was asked.
    async fn check_once(&self) -> bool {
        self.inner.borrow_mut().connectivity.asked();
        self.show_link();
        self.show_asking();
        if let Session::Leaving(who) = self.shown.session.get_untracked() {
            self.leave(&who).await;
            return true;
        }
        let asked_who = !self.shown.session.get_untracked().is_confirmed();
        if asked_who && !self.ask_who().await {
            return false;
        }
        self.flush();
        match self.shown.watched.get_untracked() {
            Some(task) => self.ask_task(task, asked_who).await,
            None => true,
        }
    }

    fn show_asking(&self) {
        if self.shown.watched.get_untracked().is_some() {
            self.shown.freshness.update(|f| *f = f.asked());
        }
    }

    /// Whether somebody is signed in, as far as the server answered.
    async fn ask_who(&self) -> bool {
        let epoch = self.inner.borrow().epoch;
        let answer = self.within(self.server.who()).await;
        if self.inner.borrow().epoch != epoch {
            return false;
        }
        self.noted(&answer);
        let Ok(who) = answer else { return false };
        self.signed_in(who);
        true
    }

    async fn ask_task(&self, task: TaskId, sure_who: bool) -> bool {
        let epoch = self.inner.borrow().epoch;
        let answer = self.within(self.server.task(task)).await;
        if self.inner.borrow().epoch != epoch {
            return true;
        }
        self.noted(&answer);
        let answered = answer.as_ref().map_or_else(|error| !error.is_passing(), |_| true);
        match answer {
            Ok(seen) => {
                self.apply(seen);
                self.follow();
            }
            // "Not there" and "not yours" are one answer; first make sure who is asking.
            Err(error) if error.code == Code::NotFound && !sure_who => {
                if self.ask_who().await && self.inner.borrow().epoch == epoch {
                    self.task_is_gone(task);
                }
            }
            Err(error) if error.code == Code::NotFound => self.task_is_gone(task),
            Err(_) => {}
        }
        answered
    }

    fn task_is_gone(&self, task: TaskId) {
        // A start that was not sent yet: the server cannot know the task.
        if self.inner.borrow().outbox.next_for(task).is_some() {
            return;
        }
        if let Some(user) = self.user() {
            self.cache().drop_task(user, task);
        }
        if self.shown.current.get_untracked() == Some(task) {
            self.shown.current.set(None);
        }
        if self.shown.watched.get_untracked() == Some(task) {
            self.shown.task.set(None);
            self.shown.gone.set(true);
        }
    }

    /// Offers the newest task that is not finished, where the device remembers none.
    pub fn find_current(&self) {
        self.fetch(
            |server| server.tasks(),
            |keeper, answer| {
                let open = answer.ok().and_then(|tasks| tasks.into_iter().find(|t| !t.phase.is_finished()));
                if let (Some(task), None) = (open, keeper.shown.current.get_untracked()) {
                    keeper.make_current(task.task_id);
                }
            },
        );
    }

    /// Remembers the task that the learner is at.
    pub fn make_current(&self, task: TaskId) {
        if let Some(user) = self.user() {
            self.warn_if_not_kept(self.cache().keep_current(user, task));
            self.shown.current.set(Some(task));
        }
    }
}
