//! Texts of a task that are not in their field: typed before its state changed, or in another tab.

use domain::{explanation::StateName, id::TaskId};
use leptos::prelude::*;

use super::{
    super::{frame::Here, standing::all_last},
    listed,
    notes::FoundOut,
    review::Texts,
};
use crate::{
    components::{
        kept::KeptCard,
        others::{Other, OtherTexts, OtherWish},
        show::Show,
    },
    signal::{Memo, Signal},
    words::{home, status::Standing},
};

/// Whether the draft may be typed into.
fn in_review(standing: Memo<Standing>) -> Memo<bool> {
    Memo::new(move |_| standing.with(|s| s.task.as_ref().is_some_and(|t| t.state == StateName::AwaitingReview)))
}

/// The typed text, in every state that does not show it in its field; and likewise what was found out.
#[component]
pub fn Kept(
    here: Here,
    task: TaskId,
    standing: Memo<Standing>,
    clashing: Memo<bool>,
    texts: Texts,
    found_out: FoundOut,
) -> impl IntoView {
    let in_field = in_review(standing);
    let unsettled =
        Memo::new(move |_| standing.with(|s| s.task.as_ref().is_none_or(|t| t.state == StateName::NeedsChecking)));
    let typed = Signal::derive(move || {
        let hidden = clashing.get() || !in_field.get();
        texts.typed.get().map(|typed| typed.text).filter(|_| hidden)
    });
    let note = Signal::derive(move || Some(found_out.note.get()).filter(|note| !note.is_empty() && !unsettled.get()));
    let card = move |text: Signal<Option<String>>, discard: Callback<()>| {
        view! {
            <Show when=move || text.with(Option::is_some)>
                <KeptCard
                    text
                    lasts=Signal::derive(move || all_last(here))
                    copier=here.copier()
                    discard
                />
            </Show>
        }
    };
    view! {
        {card(typed, Callback::new(move |()| texts.discard_typed(here, task)))}
        {card(note, Callback::new(move |()| found_out.type_in(here, task, String::new())))}
    }
    .into_any()
}

/// What was typed for this draft in another tab or visit.
#[component]
pub fn Others(here: Here, task: TaskId, standing: Memo<Standing>, clashing: Memo<bool>, texts: Texts) -> impl IntoView {
    let in_field = in_review(standing);
    let act = move |(other, wish): (Other, OtherWish)| texts.act_on_other(here, task, &other, wish);
    view! {
        <OtherTexts
            texts=Signal::derive(move || texts.others.with(|all| listed(all)))
            lead=home::OTHER_DRAFT.words()
            may_use=Signal::derive(move || in_field.get() && !clashing.get())
            act=Callback::new(act)
            copier=here.copier()
        />
    }
    .into_any()
}
