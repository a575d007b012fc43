//! Asks who is here and how the task on the screen stands.

use domain::{fault::Code, id::TaskId};

use super::{Keeper, session::Session};
use crate::api::error::ApiError;

/// How an asking ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Answered,
    /// Another try is planned already, after a pause.
    Unanswered,
    /// Somebody else came meanwhile: all is to be asked again, for them.
    Outdated,
}

impl Asked {
    fn of<T>(answer: &Result<T, ApiError>) -> Self {
        match answer {
            Err(error) if error.is_passing() => Self::Unanswered,
            _ => Self::Answered,
        }
    }
}

impl Keeper {
    /// Asks the server, beside everything else. While an asking goes on, another one is noted and
    /// follows: two at a time would only race. A hidden tab asks nothing, unless it has something to send.
    pub fn check(&self) {
        self.inner.borrow_mut().quietly = false;
        self.begin_check();
    }

    /// Asks whether what is shown still holds, without a word of it unless it does not.
    pub(super) fn check_quietly(&self) {
        self.inner.borrow_mut().quietly = true;
        self.begin_check();
    }

    fn begin_check(&self) {
        if !self.device.is_visible() && !self.is_sending() {
            return;
        }
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
                match keeper.check_once().await {
                    Asked::Outdated => {}
                    Asked::Answered if keeper.inner.borrow().check_again => {}
                    Asked::Answered | Asked::Unanswered => break,
                }
            }
            keeper.inner.borrow_mut().checking = false;
        });
    }

    /// Another try after a pause; hidden tabs with nothing to send wait until they are seen.
    pub(super) fn plan_check(&self) {
        if !self.device.is_visible() && !self.is_sending() {
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

    async fn check_once(&self) -> Asked {
        self.inner.borrow_mut().connectivity.asked();
        self.show_link();
        self.show_asking();
        if let Session::Leaving(who) = self.shown.session.get_untracked() {
            self.leave(&who).await;
            return Asked::Answered;
        }
        let asked_who = !self.shown.session.get_untracked().is_confirmed();
        if asked_who {
            let asked = self.ask_who().await;
            if asked != Asked::Answered || !self.shown.session.get_untracked().is_confirmed() {
                return asked;
            }
        }
        self.flush();
        if !self.device.is_visible() {
            return Asked::Answered;
        }
        if let Some(task) = self.shown.watched.get_untracked() {
            let asked = self.ask_task(task, asked_who).await;
            if asked != Asked::Answered {
                return asked;
            }
        } else if self.shown.none_open.get_untracked() {
            // Another device may have started one since.
            self.inner.borrow_mut().wants_current = true;
        } else if !asked_who && !self.inner.borrow().wants_current {
            // The page itself has nothing to ask.
            return self.ask_who().await;
        }
        if self.inner.borrow().wants_current { self.ask_current().await } else { Asked::Answered }
    }

    fn show_asking(&self) {
        if !self.inner.borrow().quietly && self.shown.watched.get_untracked().is_some() {
            self.shown.freshness.update(|f| *f = f.asked());
        }
    }

    /// Whether somebody is signed in, as far as the server answered.
    async fn ask_who(&self) -> Asked {
        let epoch = self.inner.borrow().epoch;
        let answer = self.within(self.server.who()).await;
        if self.inner.borrow().epoch != epoch {
            return Asked::Outdated;
        }
        self.noted(&answer);
        let asked = Asked::of(&answer);
        if let Ok(who) = answer
            && self.shown.session.get_untracked() != Session::SignedIn(who.clone())
        {
            self.signed_in(who);
        }
        asked
    }

    async fn ask_task(&self, task: TaskId, sure_who: bool) -> Asked {
        let epoch = self.inner.borrow().epoch;
        let answer = self.within(self.server.task(task)).await;
        if self.inner.borrow().epoch != epoch {
            return Asked::Outdated;
        }
        self.noted(&answer);
        let asked = Asked::of(&answer);
        match answer {
            Ok(seen) => {
                self.apply(seen);
                self.follow();
            }
            // "Not there" and "not yours" are one answer; first make sure who is asking.
            Err(error) if error.code == Code::NotFound && !sure_who => {
                let asked = self.ask_who().await;
                let same = self.inner.borrow().epoch == epoch;
                if asked == Asked::Answered && same {
                    self.task_is_gone(task);
                }
                let another = !same && self.shown.session.get_untracked().is_confirmed();
                return if another { Asked::Outdated } else { asked };
            }
            Err(error) if error.code == Code::NotFound => self.task_is_gone(task),
            Err(_) => {}
        }
        asked
    }

    /// Offers the newest task that is not finished, where the device remembers none.
    async fn ask_current(&self) -> Asked {
        let epoch = self.inner.borrow().epoch;
        let answer = self.within(self.server.tasks()).await;
        if self.inner.borrow().epoch != epoch {
            return Asked::Outdated;
        }
        self.noted(&answer);
        let asked = Asked::of(&answer);
        let Ok(tasks) = answer else { return asked };
        self.inner.borrow_mut().wants_current = false;
        if self.shown.current.get_untracked().is_none() {
            match tasks.into_iter().find(|task| !task.phase.is_finished()) {
                Some(task) => self.make_current(task.task_id),
                None => self.shown.none_open.set(true),
            }
        }
        asked
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

    /// Looks for a task to go on with, where the device remembers none; until the server has told.
    pub fn find_current(&self) {
        self.shown.none_open.set(false);
        self.inner.borrow_mut().wants_current = true;
        self.check();
    }

    /// Remembers the task that the learner is at.
    pub fn make_current(&self, task: TaskId) {
        if let Some(user) = self.user() {
            self.warn_if_not_kept(self.cache().keep_current(user, task));
            self.shown.current.set(Some(task));
            self.shown.none_open.set(false);
        }
    }
}
