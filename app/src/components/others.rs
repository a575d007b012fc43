//! Texts that were typed in another tab or in an earlier visit, beside the one that is in the box.

use leptos::prelude::*;

use super::{
    copy::{Copier, CopyButton},
    fold::Fold,
    sure::Sure,
};
use crate::{
    signal::Signal,
    words::{asking, labels},
};

/// A text, and the record that was chosen for it, if it is a question.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Other {
    pub record_id: String,
    pub text: String,
}

/// What the learner may do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherWish {
    /// Into the box; what is there now is offered in its turn.
    Use,
    Discard,
}

/// One card for each, where there are any.
#[component]
pub fn OtherTexts(
    #[prop(into)] texts: Signal<Vec<Other>>,
    /// What they are.
    lead: &'static str,
    /// Whether there is a box to put one into.
    #[prop(into)]
    may_use: Signal<bool>,
    #[prop(into)] act: Callback<(Other, OtherWish)>,
    copier: Copier,
) -> impl IntoView {
    view! {
        <For each=move || texts.get() key=Clone::clone let:other>
            <Card other lead may_use act copier />
        </For>
    }
    .into_any()
}

#[component]
fn Card(
    other: Other,
    lead: &'static str,
    may_use: Signal<bool>,
    act: Callback<(Other, OtherWish)>,
    copier: Copier,
) -> impl IntoView {
    let copied = Signal::stored(other.text.clone());
    let text = other.text.clone();
    let other = StoredValue::new(other);
    let take = move || {
        view! {
            <button
                class="button button--small"
                type="button"
                on:click=move |_| act.run((other.get_value(), OtherWish::Use))
            >
                {labels::USE_IT}
            </button>
        }
    };
    view! {
        <section class="card" data-testid="other-text" aria-label=lead>
            <div class="card__body">
                <p class="field__hint">{lead}</p>
                <Fold label=labels::SHOW_TEXT.words()>
                    <div class="reading" lang="" dir="auto">
                        {text}
                    </div>
                </Fold>
                <div class="card__actions">
                    {move || may_use.get().then(take)}
                    <CopyButton text=copied copier />
                    <Sure
                        label=labels::DISCARD
                        question=asking::TEXT
                        class="button button--small button--quiet"
                        act=Callback::new(move |()| act.run((other.get_value(), OtherWish::Discard)))
                    />
                </div>
            </div>
        </section>
    }
    .into_any()
}
