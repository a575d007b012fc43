//! What is typed in this tab and not sent.
//!
//! Invariants: a text is in memory as long as the tab, whatever the storage does; on the device it lies in
//! a place of this tab's own. A text that was found there is taken away only after this tab has written
//! its own, and only if it is still what it was. A tab that lives and still has it in its box writes it
//! again.

use std::collections::BTreeMap;

use domain::{
    id::{TaskId, UserId},
    intent::Wish,
    outbox::Entry,
    text::DraftText,
};

use super::Keeper;
use crate::{
    cache::{Found, Place, Unsent, text_key},
    slots::{self, Key},
};

/// Writing a text longer than can be sent, at every input, would make a phone stutter.
const AT_ONCE: usize = DraftText::LIMIT;
/// So long after an input it is written.
const LATER_MS: u64 = 250;

/// The texts of this tab.
#[derive(Default)]
pub(super) struct Typing {
    own: BTreeMap<(UserId, Place), Own>,
    /// The highest count of a text that was seen in any tab.
    newest: u64,
    /// Whether a write is planned.
    planned: bool,
}

struct Own {
    unsent: Unsent,
    kept: Kept,
    /// Where it was found; goes once this tab has written a text of its own.
    from: Option<Found>,
}

/// Whether a text is on the device as it is here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Written,
    NotYet,
    /// It was, and was taken away together with everything else.
    Taken,
}

impl Typing {
    /// Every trace of a user.
    pub(super) fn forget(&mut self, user: UserId) {
        self.own.retain(|(of, _), _| *of != user);
    }

    /// Whether everything is on the device.
    pub(super) fn is_written(&self) -> bool {
        self.own.values().all(|own| own.kept == Kept::Written)
    }

    /// Whether the storage was emptied and the learner is not yet known to be still here.
    pub(super) fn is_held_back(&self) -> bool {
        self.own.values().any(|own| own.kept == Kept::Taken)
    }

    /// The storage was emptied: nothing is there any more.
    pub(super) fn is_gone(&mut self) {
        for own in self.own.values_mut() {
            (own.kept, own.from) = (Kept::Taken, None);
        }
    }

    /// What was taken away is to be written again.
    pub(super) fn comes_back(&mut self) {
        for own in self.own.values_mut().filter(|own| own.kept == Kept::Taken) {
            own.kept = Kept::NotYet;
        }
    }
}

impl Keeper {
    /// The text in the box: what was typed in this tab, or the newest that was typed in another one or in
    /// an earlier visit.
    pub fn unsent(&self, place: Place) -> Option<Unsent> {
        let user = self.user()?;
        if let Some(own) = self.inner.borrow().typing.own.get(&(user, place)) {
            return Some(own.unsent.clone());
        }
        let found = self.stored_texts(user, place).pop()?;
        let unsent = found.unsent.clone();
        let own = Own { unsent: unsent.clone(), kept: Kept::Written, from: Some(found) };
        self.inner.borrow_mut().typing.own.insert((user, place), own);
        Some(unsent)
    }

    /// Whether there is any, here or in another tab.
    pub(super) fn has_unsent(&self, place: Place) -> bool {
        let Some(user) = self.user() else { return false };
        self.inner.borrow().typing.own.contains_key(&(user, place)) || !self.stored_texts(user, place).is_empty()
    }

    /// Whether anything that was typed for a task is in no wish: its draft, or what was found out about it.
    pub(super) fn has_unsent_of(&self, task: TaskId) -> bool {
        [Place::Draft(task), Place::Note(task)].into_iter().any(|place| self.has_unsent(place))
    }

    /// Other texts for the same place, the newest first. Those that say what is stored on the server or on
    /// its way there (`known`), or nothing at all, are let go.
    pub fn other_texts(&self, place: Place, known: &[String]) -> Vec<Found> {
        let Some(user) = self.user() else { return Vec::new() };
        let own_key = text_key(user, place, self.device.tab());
        let own = self.inner.borrow().typing.own.get(&(user, place)).map(|own| own.unsent.clone());
        let mut others: Vec<Found> = Vec::new();
        let mut let_go = false;
        for found in self.stored_texts(user, place).into_iter().rev() {
            let here = found.key == own_key || own.as_ref().is_some_and(|own| own.says(&found.unsent));
            if here || others.iter().any(|other| other.unsent.says(&found.unsent)) {
                continue;
            }
            if found.unsent.is_blank() || known.contains(&found.unsent.text) {
                self.cache().drop_found(&found);
                let_go = true;
            } else {
                others.push(found);
            }
        }
        if let_go {
            // A browser does not tell a tab of what it took away itself.
            self.see_whether_unsent();
        }
        others
    }

    /// Takes another text into the box. What was in it is kept and offered in its turn; where there is no
    /// room for that, nothing changes.
    pub fn use_other(&self, place: Place, other: &Found) -> Option<Unsent> {
        let user = self.user()?;
        let before = self.inner.borrow().typing.own.get(&(user, place)).map(|own| own.unsent.clone());
        if let Some(before) = before.filter(|before| !before.is_blank() && !before.says(&other.unsent)) {
            let beside = format!("{}-{}", self.device.tab(), before.count);
            let kept = self.cache().keep_text(user, place, &beside, &before);
            self.warn_if_not_kept(kept);
            kept.ok()?;
        }
        self.keep_unsent(place, Some(&other.unsent));
        if self.inner.borrow().typing.is_written() {
            self.cache().drop_found(other);
        }
        self.texts_changed();
        Some(other.unsent.clone())
    }

    /// Lets another text go.
    pub fn discard_other(&self, place: Place, other: &Found) {
        let Some(user) = self.user() else { return };
        // Texts that say the same were shown as one.
        for found in self.stored_texts(user, place) {
            if found.unsent.says(&other.unsent) {
                self.cache().drop_found(&found);
            }
        }
        self.texts_changed();
    }

    /// How many texts were typed and not sent.
    pub fn unsent_texts(&self) -> usize {
        let Some(user) = self.user() else { return 0 };
        self.write_texts();
        let asked: Vec<Unsent> = self.shown.outbox.with_untracked(|all| all.iter().filter_map(question_of).collect());
        let typing = &self.inner.borrow().typing;
        let mine = typing.own.iter().filter(|((of, _), own)| *of == user && own.kept != Kept::Written);
        let held: Vec<Key> = mine.clone().map(|((_, place), _)| text_key(user, *place, self.device.tab())).collect();
        let here = mine.filter(|((_, place), own)| {
            *place != Place::Start || !own.unsent.is_blank() && !asked.iter().any(|asked| asked.says(&own.unsent))
        });
        here.count() + self.cache().unsent_texts(user, &asked, &held)
    }

    /// Keeps what is typed, at every input; a very long text a moment later. None when there is nothing to
    /// keep.
    pub fn keep_unsent(&self, place: Place, unsent: Option<&Unsent>) {
        let Some(user) = self.user() else { return };
        let Some(unsent) = unsent else {
            let own = self.inner.borrow_mut().typing.own.remove(&(user, place));
            self.cache().drop_text(user, place, self.device.tab());
            if let Some(found) = own.and_then(|own| own.from) {
                self.cache().drop_found(&found);
            }
            self.texts_changed();
            return;
        };
        if self.shown.watched.get_untracked().is_some_and(|task| place.is_of(task)) {
            self.shown.unsent.set(true);
        }
        {
            let typing = &mut self.inner.borrow_mut().typing;
            typing.newest += 1;
            let unsent = Unsent { count: typing.newest, ..unsent.clone() };
            let from = typing.own.remove(&(user, place)).and_then(|own| own.from);
            typing.own.insert((user, place), Own { unsent, kept: Kept::NotYet, from });
        }
        if unsent.text.len() <= AT_ONCE {
            self.write_texts();
        } else if !std::mem::replace(&mut self.inner.borrow_mut().typing.planned, true) {
            let pause = self.device.sleep(LATER_MS);
            self.spawn(async move |keeper| {
                pause.await;
                keeper.write_texts();
            });
        }
    }

    /// Writes again what is in a box here and not on the device any more: another tab took it over and
    /// typed something else. Nothing of somebody who is leaving, or has left, is written.
    pub(super) fn reclaim_texts(&self) {
        let Some(user) = self.user() else { return };
        let here = self.cache().last_user().is_some_and(|who| who.user_id == user);
        if !here || self.cache().leaving().is_some() {
            return;
        }
        let tab = self.device.tab();
        for ((of, place), own) in &mut self.inner.borrow_mut().typing.own {
            if *of != user || own.kept != Kept::Written {
                continue;
            }
            let lies = own.from.as_ref().map_or_else(|| text_key(user, *place, tab), |found| found.key.clone());
            if !slots::is_there(self.device.slots(), &lies) {
                (own.kept, own.from) = (Kept::NotYet, None);
            }
        }
        self.write_texts();
    }

    /// Lets go, in this tab and in others, what says the same as something that the server has.
    pub(super) fn drop_texts_that_say(&self, user: UserId, place: Place, said: &Unsent) {
        let own = self.inner.borrow().typing.own.get(&(user, place)).is_some_and(|own| own.unsent.says(said));
        if own {
            self.keep_unsent(place, None);
        }
        for found in self.stored_texts(user, place) {
            if found.unsent.says(said) {
                self.cache().drop_found(&found);
            }
        }
        self.see_whether_unsent();
    }

    /// Writes the texts that are not on the device; those that there is no room for stay held.
    pub(super) fn write_texts(&self) {
        let texts: Vec<(UserId, Place, Unsent)> = {
            let typing = &mut self.inner.borrow_mut().typing;
            typing.planned = false;
            let unwritten = typing.own.iter().filter(|(_, own)| own.kept == Kept::NotYet);
            unwritten.map(|((user, place), own)| (*user, *place, own.unsent.clone())).collect()
        };
        for (user, place, unsent) in texts {
            let kept = self.cache().keep_text(user, place, self.device.tab(), &unsent);
            let own = kept.is_ok().then_some(()).and_then(|()| {
                let typing = &mut self.inner.borrow_mut().typing;
                let own = typing.own.get_mut(&(user, place))?;
                own.kept = Kept::Written;
                own.from.take()
            });
            if let Some(found) = own {
                self.cache().drop_found(&found);
            }
            self.warn_if_not_kept(kept);
        }
    }

    /// Another tab typed, or a text was let go.
    pub(super) fn texts_changed(&self) {
        self.see_whether_unsent();
        self.shown.texts.update(|n| *n += 1);
    }

    /// Whether anything unsent is left for the task on the screen.
    fn see_whether_unsent(&self) {
        if let Some(task) = self.shown.watched.get_untracked() {
            self.shown.unsent.set(self.has_unsent_of(task));
        }
    }

    fn stored_texts(&self, user: UserId, place: Place) -> Vec<Found> {
        let texts = self.cache().texts(user, place);
        let newest = texts.last().map_or(0, |found| found.unsent.count);
        let typing = &mut self.inner.borrow_mut().typing;
        typing.newest = typing.newest.max(newest);
        texts
    }
}

/// What a start that waits asks.
fn question_of(entry: &Entry) -> Option<Unsent> {
    match &entry.intent.wish {
        Wish::Start { record_id, question, .. } => Some(Unsent::question(record_id, question)),
        _ => None,
    }
}
