//! What waits on this device, in words, with a way to send it now or to let it go.

use domain::{
    id::OpId,
    intent::Wish,
    outbox::{Entry, Sending},
};
use leptos::prelude::*;

use super::{
    copy::{Copier, CopyButton},
    fold::Fold,
    show::Show,
    sure::Sure,
};
use crate::{
    signal::Signal,
    words::{
        asking, labels,
        sending::{self, Lasts},
    },
};

/// What a learner may do with an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutboxWish {
    SendNow,
    Discard(OpId),
}

/// The list, where there is anything in it.
#[component]
pub fn OutboxCard(
    /// Each with how long it will last.
    #[prop(into)]
    entries: Signal<Vec<(Entry, Lasts)>>,
    /// What an entry is about, where the page around the list is not about that alone.
    #[prop(optional, into)]
    about: Option<Callback<Entry, Option<String>>>,
    #[prop(into)] ask: Callback<OutboxWish>,
    copier: Copier,
) -> impl IntoView {
    let count = move || entries.with(Vec::len);
    view! {
        <Show when=move || 0 < count()>
            <section class="card card--outbox">
                <header class="card__head">
                    <h2 class="card__title">{labels::WAITING}</h2>
                    <p class="card__note">{count}</p>
                </header>
                <ul class="waiting" data-testid="outbox">
                    <For each=move || entries.get() key=key let((entry, lasts))>
                        <Line about=about.and_then(|about| about.run(entry.clone())) entry lasts ask copier />
                    </For>
                </ul>
            </section>
        </Show>
    }
    .into_any()
}

/// A line is drawn anew when what it says has changed.
fn key((entry, lasts): &(Entry, Lasts)) -> (OpId, &'static str, String, Lasts) {
    (entry.intent.op_id, entry.sending.as_str(), sending::wish(&entry.intent.wish), *lasts)
}

#[component]
fn Line(about: Option<String>, entry: Entry, lasts: Lasts, ask: Callback<OutboxWish>, copier: Copier) -> impl IntoView {
    let op = entry.intent.op_id;
    let text = match &entry.intent.wish {
        Wish::Edit { text, .. } => Some(text.clone()),
        Wish::Start { question, .. } => Some(question.clone()),
        Wish::Settle { note, .. } if !note.is_empty() => Some(note.clone()),
        _ => entry.shown.clone().filter(|_| !entry.sending.is_waiting()),
    };
    let may_send = matches!(entry.sending, Sending::Queued | Sending::Unconfirmed);
    // What is on its way may be done already: giving it up here would only hide the outcome.
    let may_discard = entry.sending != Sending::Sent;
    let discard = move || ask.run(OutboxWish::Discard(op));
    let class = "button button--small button--quiet";
    let let_go = if text.is_some() {
        let act = Callback::new(move |()| discard());
        view! { <Sure label=labels::DISCARD question=asking::BUILT_ON class act /> }.into_any()
    } else {
        view! {
            <button class=class type="button" on:click=move |_| discard()>
                {labels::DISCARD}
            </button>
        }
        .into_any()
    };
    view! {
        <li class=format!("waiting__entry waiting__entry--{}", entry.sending.as_str()) data-op=op.to_string()>
            <div class="waiting__words">
                <p class="waiting__title">{sending::wish(&entry.intent.wish)}</p>
                {about.map(|about| view! { <p class="waiting__about" lang="" dir="auto">{about}</p> })}
                <p class="waiting__detail">{sending::sending(&entry, lasts)}</p>
            </div>
            <div class="waiting__actions">
                {may_send
                    .then(|| {
                        view! {
                            <button
                                class="button button--small"
                                type="button"
                                on:click=move |_| ask.run(OutboxWish::SendNow)
                            >
                                {labels::SEND_NOW}
                            </button>
                        }
                    })}
                {may_discard.then_some(let_go)}
            </div>
            {text
                .map(|text| {
                    let copied = Signal::stored(text.clone());
                    view! {
                        <div class="waiting__text">
                            <Fold label=labels::SHOW_TEXT.words()>
                                <div class="reading" lang="" dir="auto">
                                    {text}
                                </div>
                                <CopyButton text=copied copier />
                            </Fold>
                        </div>
                    }
                })}
        </li>
    }
    .into_any()
}
