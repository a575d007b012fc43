//! The texts of a review: what was typed, what waits to be stored, what is current, what was before.

use domain::{
    freshness::Link,
    id::TaskId,
    intent::Wish,
    outbox::Entry,
    snapshot::{Draft, Snapshot},
    text::Hash,
};

use super::super::frame::Here;
use crate::{
    cache::{Found, Place, Unsent},
    components::{
        draft::{Base, Typed, as_in_field},
        others::{Other, OtherWish},
    },
    signal::{Effect, Memo, RwSignal},
    words::home::InView,
};

/// Handles to the texts of one task.
#[derive(Clone, Copy)]
pub struct Texts {
    pub versions: Memo<Vec<Draft>>,
    /// What stands in the field while nothing is typed: the newest edit that waits, or the current
    /// version. The number is the one it has or will get.
    pub base: Memo<Option<Base>>,
    pub typed: RwSignal<Option<Typed>>,
    /// The version that the typed text builds on.
    pub builds_on: Memo<Option<u32>>,
    /// What the learner sees: typed, or the base.
    pub on_screen: Memo<String>,
    /// The earlier versions that were asked for and have come, in no order.
    pub earlier: RwSignal<Vec<Draft>>,
    /// The earlier version that is being read instead of the base.
    pub reading: RwSignal<Option<u32>>,
    /// Whether the field shows an older text than the base.
    pub behind: RwSignal<bool>,
    /// Texts that were typed for this draft in another tab or visit.
    pub others: RwSignal<Vec<Found>>,
}

impl Texts {
    /// The texts, with what was typed and not sent when the page was last open.
    pub fn of(here: Here, task: TaskId) -> Self {
        let Here { handle, shown, .. } = here;
        let versions =
            Memo::new(move |_| shown.task.with(|t| t.as_ref().map(|t| t.drafts.clone()).unwrap_or_default()));
        let base = Memo::new(move |_| {
            let current = shown.task.with(|t| t.as_ref().and_then(current_text))?;
            Some(shown.outbox.with(|all| newest(current, all.iter().filter(|e| e.intent.task_id == task))))
        });
        let stored = handle.with(|keeper| keeper.unsent(Place::Draft(task))).flatten();
        let typed = RwSignal::new(stored.map(|u| Typed { base_version: u.base_version, seen: u.seen, text: u.text }));
        let begun = Memo::new(move |_| typed.with(|t| t.as_ref().map(|t| (t.seen.clone(), t.base_version))));
        let builds_on = Memo::new(move |_| {
            let (seen, before) = begun.get()?;
            Some(versions.with(|all| base.with(|base| builds_on(seen.as_ref(), before, base.as_ref(), all))))
        });
        let on_screen =
            Memo::new(move |_| typed.get().map(|t| t.text).or_else(|| base.get().map(|b| b.text)).unwrap_or_default());
        let (earlier, reading, behind) = (RwSignal::new(Vec::new()), RwSignal::new(None), RwSignal::new(false));
        let others = RwSignal::new(Vec::new());
        let texts = Self { versions, base, typed, builds_on, on_screen, earlier, reading, behind, others };
        texts.mind_the_others(here, task);
        // What did not arrive is asked for again when there is somebody to ask.
        let up = Memo::new(move |_| shown.link.get() == Link::Up);
        Effect::new(move |_| {
            let wanted = if up.get() { reading.get_untracked() } else { None };
            if let Some(version) = wanted {
                texts.read_earlier(here, task, version);
            }
        });
        texts
    }

    /// Keeps up with what other tabs type, store and send.
    fn mind_the_others(self, here: Here, task: TaskId) {
        let Here { handle, shown, .. } = here;
        let all_kept = Memo::new(move |_| shown.not_kept.with(Option::is_none));
        // What is typed here and has become a version, or waits to, by another tab: nothing is typed then.
        Effect::new(move |_| {
            let base = self.base.get();
            let same =
                self.typed.with(|typed| typed.as_ref().zip(base.as_ref()).is_some_and(|(t, b)| b.reads(&t.text)));
            if same && all_kept.get() {
                self.discard_typed(here, task);
            }
        });
        Effect::new(move |_| {
            shown.texts.track();
            let current = shown.task.with(|t| t.as_ref().and_then(current_text));
            let waiting = self.base.get().filter(|_| all_kept.get());
            let known: Vec<String> =
                current.into_iter().chain(waiting).flat_map(|b| [as_in_field(&b.text), b.text]).collect();
            let others = handle.with(|keeper| keeper.other_texts(Place::Draft(task), &known)).unwrap_or_default();
            if self.others.with_untracked(|before| *before != others) {
                self.others.set(others);
            }
        });
    }

    /// What the learner decides about one of them.
    pub fn act_on_other(self, here: Here, task: TaskId, other: &Other, wish: OtherWish) {
        let found = self.others.with_untracked(|all| all.iter().find(|f| f.unsent.text == other.text).cloned());
        let Some(found) = found else { return };
        here.handle.with(|keeper| match wish {
            OtherWish::Discard => keeper.discard_other(Place::Draft(task), &found),
            OtherWish::Use => {
                if let Some(used) = keeper.use_other(Place::Draft(task), &found) {
                    self.typed.set(Some(Typed { base_version: used.base_version, seen: used.seen, text: used.text }));
                }
            }
        });
    }

    /// What is before the learner's eyes.
    pub fn in_view(self) -> InView {
        let newest = self.base.with(|base| base.as_ref().map(|base| base.stored));
        match InView::of(self.typed.with(Option::is_some), self.reading.get(), self.behind.get()) {
            InView::Typed if self.builds_on.get() < newest => InView::Overtaken,
            other => other,
        }
    }

    /// The learner typed: kept on this device at once. What equals the base is nothing typed.
    pub fn type_in(self, here: Here, task: TaskId, text: String) {
        let base = self.base.get_untracked().unwrap_or_default();
        let typed = (!base.reads(&text)).then(|| {
            let before = self.typed.with_untracked(|t| t.as_ref().map(|t| (t.base_version, t.seen.clone())));
            let (base_version, seen) = before.unwrap_or_else(|| (base.stored, Some(Hash::of(&base.text))));
            Typed { base_version, seen, text }
        });
        let unsent =
            typed.as_ref().map(|t| Unsent { seen: t.seen.clone(), ..Unsent::over(t.base_version, t.text.clone()) });
        here.handle.with(|keeper| keeper.keep_unsent(Place::Draft(task), unsent.as_ref()));
        self.typed.set(typed);
    }

    pub fn discard_typed(self, here: Here, task: TaskId) {
        here.handle.with(|keeper| keeper.keep_unsent(Place::Draft(task), None));
        self.typed.set(None);
    }

    /// The typed text lies in the outbox now. Where the device did not keep it there, it stays kept
    /// as typed.
    pub fn sent(self, here: Here, task: TaskId) {
        if here.shown.not_kept.with_untracked(Option::is_none) {
            here.handle.with(|keeper| keeper.keep_unsent(Place::Draft(task), None));
        }
        self.typed.set(None);
    }

    /// Finds an earlier version here, or asks the server for its text.
    pub fn read_earlier(self, here: Here, task: TaskId, version: u32) {
        let earlier = self.earlier;
        if earlier.with_untracked(|all| text_of(all, version).is_some()) {
            return;
        }
        let known = self.versions.with_untracked(|all| all.iter().find(|d| d.version == version).cloned());
        if let Some(draft) = known.filter(|draft| draft.text.is_some()) {
            earlier.update(|all| all.push(draft));
            return;
        }
        here.handle.with(|keeper| {
            keeper.fetch(
                move |server| server.draft(task, version),
                move |_, answer| {
                    if let Ok(draft) = answer {
                        earlier.update(|all| all.push(draft));
                    }
                },
            );
        });
    }
}

/// The text of one of these versions, if it is here.
pub fn text_of(drafts: &[Draft], version: u32) -> Option<String> {
    drafts.iter().find(|draft| draft.version == version).and_then(|draft| draft.text.clone())
}

/// The current version with its text.
pub fn current_text(task: &Snapshot) -> Option<Base> {
    let draft = task.current_draft()?;
    Some(Base { version: draft.version, text: draft.text.clone()?, stored: draft.version })
}

/// What the learner's last word on the text is: the current version, or the last edit that waits to become one.
fn newest<'a>(current: Base, entries: impl Iterator<Item = &'a Entry>) -> Base {
    // One that names an older version has arrived already, and only its entry is still here.
    let waiting = entries.filter(|e| e.sending.is_waiting()).filter_map(|e| match &e.intent.wish {
        Wish::Edit { base_version, text } if current.version <= *base_version => Some(text),
        _ => None,
    });
    let (count, last) = waiting.fold((0, None), |(count, _), text| (count + 1, Some(text)));
    match last {
        Some(text) => Base { version: current.version + count, text: text.clone(), stored: current.version },
        None => current,
    }
}

/// The version that a text builds on which was typed over the text `seen`, when the server had version `before`.
/// An edit that waits has no number yet, and one that is discarded or refused never gets any: what counts is
/// which version says what the learner saw. If none does, it is the one from before; the server compares.
pub fn builds_on(seen: Option<&Hash>, before: u32, base: Option<&Base>, versions: &[Draft]) -> u32 {
    let Some(seen) = seen else { return before };
    if let Some(base) = base.filter(|base| Hash::of(&base.text) == *seen) {
        return base.version;
    }
    versions.iter().rev().find(|draft| draft.hash == *seen).map_or(before, |draft| draft.version)
}
