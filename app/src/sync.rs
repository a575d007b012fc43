//! Keeps a device and the server in step: who is here, what the server says of the task on the
//! screen, and what still has to reach it.
//!
//! Invariants: only an answer of ours makes a picture confirmed; a wish is written before it is
//! sent; nothing of one user is shown or sent under another's session.

pub mod build; // a newer build takes over when nothing can be lost
mod check; // asks who is here and how the task stands
pub mod clock; // the server's time, estimated
mod flush; // sends what waits, in order per task
mod follow; // listens to the event stream
mod hold; // wishes that only this tab holds
pub mod session; // who is here: sign in, sign out, another user
pub mod shown; // what screens may read
mod texts; // what is typed in this tab and not sent
mod wishes; // what the learner asks for

use std::{
    cell::RefCell,
    collections::BTreeSet,
    rc::{Rc, Weak},
};

use domain::{
    fault::Code,
    freshness::{Freshness, Link},
    id::{TaskId, UserId},
    outbox::Outbox,
    snapshot::Snapshot,
};
use futures::future::{Either, select};

use self::{clock::ServerClock, follow::Following, hold::Hold, session::Session, shown::Shown, texts::Typing};
use crate::{
    api::error::ApiError,
    cache::Cache,
    connectivity::Connectivity,
    ports::{
        device::{Device, Keeping, SlotError, Trigger},
        server::{Reply, Server},
    },
};

/// Between two looks at whether anything is left to do.
const ROUND_MS: f64 = 12_000.0;
/// So long an answer holds where no stream speaks; then it is asked again.
const QUIET_MS: u64 = 25_000;
/// A timer that is so late has stood still with its device.
const LATE_MS: u64 = 5_000;

/// One tab's keeper. It lives as long as the tab.
pub struct Keeper {
    /// What screens may read.
    pub shown: Shown,
    device: Rc<dyn Device>,
    server: Rc<dyn Server>,
    inner: RefCell<Inner>,
    this: Weak<Keeper>,
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
struct Inner {
    outbox: Outbox,
    hold: Hold,
    typing: Typing,
    connectivity: Connectivity,
    clock: ServerClock,
    /// Tasks whose entries are on their way.
    sending: BTreeSet<TaskId>,
    /// The mark of who is leaving could not be written.
    leaves_unmarked: bool,
    checking: bool,
    check_again: bool,
    /// A task to go on with is looked for.
    wants_current: bool,
    /// Raised with every planned retry; an older plan finds itself outdated.
    plan: u64,
    following: Option<Following>,
    /// Raised with every stream, likewise.
    streams: u64,
    /// Streams in a row that broke without having told anything.
    deaf: u32,
    /// Raised when another user comes; answers to the one before are not looked at.
    epoch: u64,
    /// When something of the server was last heard, by the device's steady clock.
    heard_ms: u64,
    /// The asking that goes on is one that nobody needs to be told of.
    quietly: bool,
    /// When it was last asked for a newer build, by the device's steady clock.
    looked_for_build: u64,
}

impl Keeper {
    /// Reads what the device remembers. Nothing is asked yet, so that the first paint can show it.
    pub fn open(device: Rc<dyn Device>, server: Rc<dyn Server>) -> Rc<Self> {
        let keeper = Rc::new_cyclic(|this| Self {
            shown: Shown::new(device.keeping()),
            device,
            server,
            inner: RefCell::default(),
            this: this.clone(),
        });
        keeper.recall_user();
        keeper
    }

    /// Starts to ask: now, at every trigger, and in rounds.
    pub fn start(&self) {
        let this = self.this.clone();
        self.device.on_trigger(Rc::new(move |trigger| {
            if let Some(keeper) = this.upgrade() {
                keeper.triggered(trigger);
            }
        }));
        let this = self.this.clone();
        self.device.ask_before_leaving(Rc::new(move || this.upgrade().is_some_and(|keeper| keeper.would_lose())));
        self.program_changed();
        self.check();
        self.go_round();
    }

    /// Which task is on the screen. Shows its last known picture at once and asks for a new one.
    pub fn watch(&self, task: Option<TaskId>) {
        if self.shown.watched.get_untracked() == task {
            return;
        }
        self.stop_following();
        self.shown.watched.set(task);
        self.recall_task();
        if task.is_some() {
            self.check();
        }
    }

    /// The device, for what has nothing to do with the server.
    pub fn device(&self) -> &dyn Device {
        &*self.device
    }

    /// Asks the server something on behalf of a page, within the deadline. The answer is not
    /// handed over if another user has come meanwhile.
    pub fn fetch<T: 'static>(
        &self,
        ask: impl FnOnce(&dyn Server) -> Reply<T>,
        done: impl FnOnce(&Self, Result<T, ApiError>) + 'static,
    ) {
        let (epoch, reply) = (self.inner.borrow().epoch, ask(&*self.server));
        self.spawn(async move |keeper| {
            let answer = keeper.within(reply).await;
            if keeper.inner.borrow().epoch == epoch {
                keeper.noted(&answer);
                done(&keeper, answer);
            }
        });
    }

    fn cache(&self) -> Cache<'_> {
        Cache(self.device.slots())
    }

    fn user(&self) -> Option<UserId> {
        self.shown.session.get_untracked().user().map(|who| who.user_id)
    }

    fn spawn<F>(&self, work: impl FnOnce(Rc<Self>) -> F)
    where
        F: Future<Output = ()> + 'static,
    {
        if let Some(this) = self.this.upgrade() {
            self.device.spawn(Box::pin(work(this)));
        }
    }

    /// An answer, or none if it takes too long; the call is given up then.
    async fn within<T>(&self, reply: Reply<T>) -> Result<T, ApiError> {
        let deadline = self.inner.borrow().connectivity.deadline_ms();
        match select(reply, self.device.sleep(deadline)).await {
            Either::Left((answer, _)) => answer,
            Either::Right(_) => Err(ApiError::nobody_answered()),
        }
    }

    /// Takes from an answer what it says about the way to the server and about the session.
    fn noted<T>(&self, answer: &Result<T, ApiError>) {
        match answer {
            Err(error) if error.is_passing() => self.lost(),
            Err(error) if error.code == Code::SignedOut => {
                self.reached();
                self.signed_out();
            }
            _ => self.reached(),
        }
    }

    fn reached(&self) {
        let (at, now) = (self.server_now(), self.device.monotonic_ms());
        {
            let mut inner = self.inner.borrow_mut();
            inner.connectivity.answered(at);
            inner.heard_ms = now;
        }
        self.show_link();
    }

    /// Nobody answered: says so, and plans another try.
    fn lost(&self) {
        let now = self.device.monotonic_ms();
        if self.shown.link.get_untracked() == Link::Up && self.device.is_visible() {
            // Whether this page can be opened again without a connection had better be true now.
            self.device.look_for_build();
        }
        self.inner.borrow_mut().connectivity.unanswered(now);
        self.shown.freshness.update(|f| *f = f.unanswered());
        self.show_link();
        self.plan_check();
    }

    fn show_link(&self) {
        let link = self.inner.borrow().connectivity.link();
        if self.shown.link.get_untracked() != link {
            self.shown.link.set(link);
        }
    }

    /// Takes a picture of a task, unless it is older than the one that is known.
    fn apply(&self, seen: Snapshot) {
        self.hear_time(seen.server_time);
        let Some(user) = self.user() else { return };
        self.warn_if_not_kept(self.cache().keep_snapshot(user, &seen));
        if self.shown.watched.get_untracked() != Some(seen.task_id) {
            return;
        }
        let known = self.shown.task.get_untracked();
        let older = known.is_some_and(|k| (k.seq, k.server_time) > (seen.seq, seen.server_time));
        if !older {
            self.shown.freshness.update(|f| *f = f.answered(seen.server_time));
            self.tick_when_lease_ends(&seen);
            self.shown.gone.set(false);
            self.shown.task.set(Some(seen));
        }
    }

    /// Shows what the cache knows of the task on the screen.
    fn recall_task(&self) {
        let task = self.shown.watched.get_untracked();
        let known = self.user().zip(task).and_then(|(user, task)| self.cache().snapshot(user, task));
        self.shown.freshness.set(Freshness::OPENED);
        self.shown.gone.set(false);
        self.shown.unsent.set(task.is_some_and(|task| self.has_unsent_of(task)));
        self.shown.task.set(known);
    }

    /// Says so where something is not kept, until everything is.
    fn warn_if_not_kept(&self, kept: Result<(), SlotError>) {
        let all_kept = self.is_all_kept();
        if kept.is_err() || all_kept {
            self.shown.not_kept.set(kept.err());
        }
        if all_kept {
            self.shown.cannot_renew.set(false);
        }
    }

    /// Whether nothing is in this tab's memory alone, as far as storage can keep it.
    fn is_all_kept(&self) -> bool {
        let inner = self.inner.borrow();
        inner.hold.is_empty() && inner.typing.is_written()
    }

    /// Whether something that the learner wrote goes with this page.
    fn would_lose(&self) -> bool {
        self.write_texts();
        let only_here = self.shown.keeping.get_untracked() == Keeping::WhileOpen;
        let waits = self.shown.outbox.with_untracked(|all| !all.is_empty()) || 0 < self.unsent_texts();
        !self.is_all_kept() || only_here && waits
    }

    fn triggered(&self, trigger: Trigger) {
        if trigger == Trigger::Program {
            return self.program_changed();
        }
        if trigger.brings_hope() {
            self.inner.borrow_mut().connectivity.hopeful();
        }
        match trigger {
            Trigger::Hidden => {
                self.stop_following();
                self.write_texts();
                self.renew_unseen();
            }
            Trigger::OtherTab => self.look_at_other_tabs(),
            Trigger::OtherText => {
                self.reclaim_texts();
                self.texts_changed();
            }
            Trigger::Cleared => self.emptied(),
            Trigger::PageShown { restored: true } | Trigger::Thawed => {
                // The page comes from the browser's memory: anything may have happened since.
                self.recall_user();
                self.reclaim_texts();
                self.texts_changed();
                self.check();
            }
            // The first showing of a page: it has just started to ask.
            Trigger::PageShown { restored: false } | Trigger::Program => {}
            Trigger::Visible => {
                self.look_for_build();
                self.check();
                self.shown.rounds.update(|n| *n += 1);
            }
            Trigger::Online | Trigger::Offline => self.check(),
        }
    }

    fn go_round(&self) {
        let pause = ROUND_MS + ROUND_MS / 2.0 * self.device.random();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 18,000")]
        let pause = pause as u64;
        let (due, pause) = (self.device.monotonic_ms() + pause, self.device.sleep(pause));
        self.spawn(async move |keeper| {
            pause.await;
            keeper.tick();
            keeper.look_for_build();
            keeper.look_whether_emptied();
            if keeper.device.monotonic_ms() > due + LATE_MS {
                // The device slept. What was confirmed before is not, and a stream may be open in name only.
                keeper.stop_following();
                keeper.check();
            } else if keeper.is_sending() || !keeper.is_in_step() {
                keeper.check();
            } else if keeper.is_quiet() {
                // "Up to date" is a claim, also on a page that has nothing more to ask.
                keeper.check_quietly();
            }
            if keeper.device.is_visible() {
                keeper.shown.rounds.update(|n| *n += 1);
            }
            keeper.go_round();
        });
    }

    /// Nothing was heard for a while by a learner who is signed in, and no stream would tell.
    fn is_quiet(&self) -> bool {
        let now = self.device.monotonic_ms();
        let inner = self.inner.borrow();
        let here = self.shown.session.with_untracked(Session::is_confirmed);
        here && inner.following.is_none() && QUIET_MS <= now.saturating_sub(inner.heard_ms)
    }

    /// Something is to reach the server, whether somebody looks at this tab or not.
    fn is_sending(&self) -> bool {
        let leaving = matches!(self.shown.session.get_untracked(), Session::Leaving(_));
        leaving || !self.inner.borrow().outbox.tasks_waiting().is_empty()
    }

    /// Nothing is left to ask: the session is known and the picture confirmed.
    fn is_in_step(&self) -> bool {
        let settled = match self.shown.session.get_untracked() {
            Session::SignedOut => true,
            Session::SignedIn(_) => {
                self.shown.watched.get_untracked().is_none()
                    || self.shown.gone.get_untracked()
                    || self.shown.freshness.get_untracked().is_confirmed()
            }
            Session::Unknown(_) | Session::Leaving(_) => false,
        };
        let inner = self.inner.borrow();
        settled && !inner.wants_current && inner.connectivity.link() == Link::Up
    }
}
