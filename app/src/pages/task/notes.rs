//! What a person found out about an uncertain outcome: kept like every other text that is typed.

use domain::{
    id::TaskId,
    intent::{Verdict, Wish},
    outbox::Entry,
};
use leptos::prelude::*;

use super::super::{frame::Here, standing::entries_of};
use crate::{
    cache::{Place, Unsent},
    components::settle::SettleCard,
    signal::{RwSignal, Signal},
    words::refusal,
};

/// The note of one task.
#[derive(Clone, Copy)]
pub struct FoundOut {
    pub note: RwSignal<String>,
}

impl FoundOut {
    /// The note, with what was typed when the page was last open.
    pub fn of(here: Here, task: TaskId) -> Self {
        let stored = here.handle.with(|keeper| keeper.unsent(Place::Note(task))).flatten();
        Self { note: RwSignal::new(stored.map(|unsent| unsent.text).unwrap_or_default()) }
    }

    pub fn type_in(self, here: Here, task: TaskId, note: String) {
        let unsent = (!note.is_empty()).then(|| Unsent::over(0, note.clone()));
        here.handle.with(|keeper| keeper.keep_unsent(Place::Note(task), unsent.as_ref()));
        self.note.set(note);
    }
}

/// The card to say it in.
#[component]
pub fn Settling(
    here: Here,
    task: TaskId,
    found_out: FoundOut,
    #[prop(into)] save_intended: Signal<bool>,
) -> impl IntoView {
    let problem = RwSignal::new(None::<String>);
    let settle = move |verdict: Verdict| {
        // The first word holds until it is answered; a second tap would take its note back.
        let said = |entry: &Entry| matches!(entry.intent.wish, Wish::Settle { .. }) && entry.sending.is_waiting();
        if untrack(|| entries_of(here, task)).iter().any(said) {
            return;
        }
        let wish = Wish::Settle { verdict, note: found_out.note.get_untracked() };
        if let Some(Err(fault)) = here.handle.with(|keeper| keeper.wish(Some(task), wish, None)) {
            problem.set(Some(refusal::of_fault(&fault)));
            return;
        }
        problem.set(None);
        // The wish holds the note now. Where the device did not keep it there, it stays kept as typed.
        if here.shown.not_kept.with_untracked(Option::is_none) {
            found_out.type_in(here, task, String::new());
        }
    };
    view! {
        <SettleCard
            save_intended
            note=found_out.note
            on_type=Callback::new(move |note| found_out.type_in(here, task, note))
            problem
            settle=Callback::new(settle)
        />
    }
    .into_any()
}
