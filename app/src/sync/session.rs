//! Who is here: recalled from the device, confirmed by the server, signed in and out.

use domain::{fault::Code, id::UserId, outbox::Sending, snapshot::Who};

use super::Keeper;
use crate::{
    api::error::ApiError,
    outbox,
    ports::{
        device::{Keeping, SlotError},
        server::Reply,
    },
};

/// What is known of the learner at this device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Session {
    /// Not confirmed since this tab opened; the one who was here last.
    Unknown(Option<Who>),
    SignedIn(Who),
    SignedOut,
    /// Asked to be signed out; the server has not confirmed it. Nothing of theirs is shown or sent.
    Leaving(Who),
}

impl Session {
    /// Whose things may be shown.
    pub fn user(&self) -> Option<&Who> {
        match self {
            Self::Unknown(who) => who.as_ref(),
            Self::SignedIn(who) => Some(who),
            Self::SignedOut | Self::Leaving(_) => None,
        }
    }

    pub fn is_confirmed(&self) -> bool {
        matches!(self, Self::SignedIn(_))
    }
}

impl Keeper {
    /// Makes an account and goes on as its owner.
    pub fn sign_up(&self, name: String, passphrase: String, done: impl FnOnce(Result<(), ApiError>) + 'static) {
        self.let_in(self.server.sign_up(name, passphrase), done);
    }

    /// Signs in.
    pub fn sign_in(&self, name: String, passphrase: String, done: impl FnOnce(Result<(), ApiError>) + 'static) {
        self.let_in(self.server.sign_in(name, passphrase), done);
    }

    /// Unlike other answers, this one counts whoever was here when it was asked for: the check
    /// that the page made when it opened may end in between.
    fn let_in(&self, reply: Reply<Who>, done: impl FnOnce(Result<(), ApiError>) + 'static) {
        self.spawn(async move |keeper| {
            let answer = keeper.within(reply).await;
            match &answer {
                Err(error) if error.no_answer => keeper.lost(),
                _ => keeper.reached(),
            }
            done(answer.map(|who| keeper.welcome(who)));
        });
    }

    /// Signs out, whatever waits; asking before is the screen's business. The mark on the device
    /// outlives a reload, so that nothing of this learner comes back before the server has answered.
    pub fn sign_out(&self) {
        let session = self.shown.session.get_untracked();
        let Some(who) = session.user().cloned() else { return };
        let marked = self.cache().keep_leaving(who.user_id);
        self.inner.borrow_mut().leaves_unmarked = marked.is_err();
        self.warn_if_not_kept(marked);
        self.enter(Session::Leaving(who));
        self.check();
    }

    /// Lifts the mark and keeps everything.
    pub fn stay(&self) {
        if let Session::Leaving(who) = self.shown.session.get_untracked() {
            self.cache().drop_leaving();
            self.enter(Session::Unknown(Some(who)));
            self.check();
        }
    }

    /// Whom the device remembers, and what it knows for them.
    pub(super) fn recall_user(&self) {
        self.forget_who_left();
        let last = self.cache().last_user();
        let leaving = self.cache().leaving();
        self.enter(match last {
            Some(who) if leaving == Some(who.user_id) => Session::Leaving(who),
            last => Session::Unknown(last),
        });
    }

    /// Who was here, and of whom nothing at all is on the device any more, was signed out in another tab:
    /// what this one remembers of them goes too. Storage that was emptied from outside is another matter.
    fn forget_who_left(&self) {
        let (Session::SignedIn(who) | Session::Unknown(Some(who)) | Session::Leaving(who)) =
            self.shown.session.get_untracked()
        else {
            return;
        };
        let held_back = {
            let inner = self.inner.borrow();
            inner.typing.is_held_back() || inner.hold.is_held_back()
        };
        if !held_back && self.cache().last_user().is_none() && self.cache().is_without(who.user_id) {
            self.forget(who.user_id);
        }
    }

    /// Whether the learner still wants to leave: in another tab they may have chosen to stay, or signed in
    /// again. Where the mark could not be written, this tab alone knows.
    fn still_leaves(&self, who: &Who) -> bool {
        let here = matches!(self.shown.session.get_untracked(), Session::Leaving(_));
        here && (self.inner.borrow().leaves_unmarked || self.cache().leaving() == Some(who.user_id))
    }

    /// Asks the server to end the session until it has; then every trace goes.
    pub(super) async fn leave(&self, who: &Who) {
        if !self.still_leaves(who) {
            return self.look_at_other_tabs();
        }
        let answer = self.within(self.server.sign_out()).await;
        match answer {
            _ if !self.still_leaves(who) => self.look_at_other_tabs(),
            Err(error) if error.code != Code::SignedOut => self.lost(),
            _ => {
                self.forget(who.user_id);
                self.reached();
                self.shown.left.set(true);
                self.enter(Session::SignedOut);
            }
        }
    }

    /// Removes every trace of a user.
    fn forget(&self, user: UserId) {
        {
            let inner = &mut *self.inner.borrow_mut();
            inner.hold.forget(user, &inner.outbox);
            inner.typing.forget(user);
        }
        self.cache().forget(user);
    }

    /// Signed in just now, by a form.
    fn welcome(&self, who: Who) {
        // Another learner's unfinished sign-out is finished by this: their session is gone.
        if let Some(left) = self.cache().leaving() {
            self.forget(left);
        }
        self.enter(Session::Unknown(None));
        self.signed_in(who);
        self.check();
    }

    /// The server says who is here.
    pub(super) fn signed_in(&self, who: Who) {
        self.shown.ended.set(false);
        self.shown.left.set(false);
        self.warn_if_not_kept(self.cache().keep_last_user(&who));
        let user = who.user_id;
        if self.user() == Some(user) {
            self.shown.session.set(Session::SignedIn(who));
        } else {
            self.enter(Session::SignedIn(who));
        }
        self.write_back(user);
    }

    /// The session has ended, not by the learner's wish: what waits, waits for their return. The
    /// device forgets who was here, or the next one to open this page would see their things until
    /// the server answers.
    pub(super) fn signed_out(&self) {
        if self.shown.session.get_untracked() == Session::SignedOut {
            return;
        }
        let here = self.user();
        self.shown.ended.set(here.is_some());
        let last = self.cache().last_user().map(|who| who.user_id);
        // Another tab may have signed somebody else in meanwhile.
        if here.is_none() || here == last {
            self.cache().drop_last_user();
        }
        let waiting = self.inner.borrow().outbox.tasks_waiting();
        for task in waiting {
            self.mark_all(task, &Sending::NeedsSignIn);
        }
        self.enter(Session::SignedOut);
    }

    /// Takes everything of the one before off the screen and puts what is known of the next there.
    pub(super) fn enter(&self, session: Session) {
        self.stop_following();
        self.write_texts();
        // What was last said aloud is about a task of the one before.
        self.device.announce("");
        let user = session.user().map(|who| who.user_id);
        {
            let mut inner = self.inner.borrow_mut();
            inner.epoch += 1;
            inner.sending.clear();
            inner.wants_current = false;
        }
        if let Some(user) = user {
            self.cache().restore(user);
            outbox::restore(self.device.slots(), user);
        }
        self.change_outbox(user);
        self.shown.session.set(session);
        self.shown.current.set(user.and_then(|user| self.cache().current(user)));
        self.shown.none_open.set(false);
        self.shown.started.set(None);
        self.show_outbox();
        self.recall_task();
    }

    /// The storage was emptied, and nobody was signed out by it: what this tab has, it holds. It is
    /// written again once the server has said that the learner is still here.
    pub(super) fn emptied(&self) {
        let (Session::SignedIn(who) | Session::Unknown(Some(who))) = self.shown.session.get_untracked() else {
            return;
        };
        self.hold_all_entries();
        self.inner.borrow_mut().typing.is_gone();
        if !self.is_all_kept() {
            self.warn_if_not_kept(Err(SlotError::Emptied));
        }
        self.shown.session.set(Session::Unknown(Some(who)));
        self.show_outbox();
        self.check();
    }

    /// A browser that clears what a site keeps does not always tell the page that is open.
    pub(super) fn look_whether_emptied(&self) {
        let keeps =
            self.shown.keeping.get_untracked() == Keeping::OnDevice && self.shown.not_kept.get_untracked().is_none();
        if keeps && self.cache().last_user().is_none() && self.cache().leaving().is_none() {
            self.emptied();
        }
    }

    /// Writes what this tab holds and the device has not.
    fn write_back(&self, user: UserId) {
        self.write_entries(user);
        self.inner.borrow_mut().typing.comes_back();
        self.write_texts();
        let lost = self.shown.current.get_untracked().filter(|_| self.cache().current(user).is_none());
        if let Some(task) = lost {
            self.warn_if_not_kept(self.cache().keep_current(user, task));
        }
    }

    /// Another tab may have signed somebody in or out, or sent what waits here too.
    pub(super) fn look_at_other_tabs(&self) {
        let (last, leaving) = (self.cache().last_user(), self.cache().leaving());
        let here = self.user();
        let same = last.as_ref().map(|who| who.user_id) == here && (here.is_none() || leaving != here);
        if same {
            self.reload_outbox();
        } else {
            self.recall_user();
            self.check();
        }
    }
}
