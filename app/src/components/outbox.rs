//! What waits on this device, in words, with a way to send it now or to let it go.

use domain::{
    id::OpId,
    intent::Wish,
    outbox::{Entry, Sending},
};
use leptos::{html::Button, prelude::*};

use super::{fold::Fold, show::Show};
use crate::{
    signal::{Effect, Memo, RwSignal, Signal},
    words::{
        labels,
        sending::{self, Lasts},
    },
};

/// What a learner may do with an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutboxWish {
    SendNow,
    Discard(OpId),
    Copy(String),
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
) -> impl IntoView {
    let count = move || entries.with(Vec::len);
    let doubted = RwSignal::new(None::<OpId>);
    view! {
        <Show when=move || 0 < count()>
            <section class="card card--outbox">
                <header class="card__head">
                    <h2 class="card__title">{labels::WAITING}</h2>
                    <p class="card__note">{count}</p>
                </header>
                <ul class="waiting" data-testid="outbox">
                    <For each=move || entries.get() key=key let((entry, lasts))>
                        <Line about=about.and_then(|about| about.run(entry.clone())) entry lasts doubted ask />
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
fn Line(
    about: Option<String>,
    entry: Entry,
    lasts: Lasts,
    /// The entry whose text would be gone for good, while that is asked about.
    doubted: RwSignal<Option<OpId>>,
    ask: Callback<OutboxWish>,
) -> impl IntoView {
    let op = entry.intent.op_id;
    let (safe, asked) = (NodeRef::<Button>::new(), RwSignal::new(false));
    let text = match &entry.intent.wish {
        Wish::Edit { text, .. } => Some(text.clone()),
        Wish::Start { question, .. } => Some(question.clone()),
        Wish::Settle { note, .. } if !note.is_empty() => Some(note.clone()),
        _ => entry.shown.clone().filter(|_| !entry.sending.is_waiting()),
    };
    let may_send = matches!(entry.sending, Sending::Queued | Sending::Unconfirmed);
    // What is on its way may be done already: giving it up here would only hide the outcome.
    let may_discard = entry.sending != Sending::Sent;
    let has_text = text.is_some();
    let discard = move |_| {
        if has_text && doubted.get_untracked() != Some(op) {
            asked.set(true);
            doubted.set(Some(op));
        } else {
            doubted.set(None);
            ask.run(OutboxWish::Discard(op));
        }
    };
    // What changes nothing has the focus: a key held too long must not press the button for good.
    Effect::new(move |_| {
        if let Some(button) = safe.get().filter(|_| asked.get_untracked()) {
            let _ = button.focus();
        }
    });
    let is_doubted = Memo::new(move |_| doubted.get() == Some(op));
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
                {may_discard
                    .then(|| {
                        view! {
                            <button
                                class="button button--small button--quiet"
                                type="button"
                                on:click=discard
                            >
                                {move || if is_doubted.get() { labels::DISCARD_FOR_GOOD.words() } else { labels::DISCARD.words() }}
                            </button>
                            <Show when=move || is_doubted.get()>
                                <button
                                    class="button button--small"
                                    type="button"
                                    node_ref=safe
                                    on:click=move |_| doubted.set(None)
                                >
                                    {labels::KEEP_IT}
                                </button>
                                <p class="waiting__detail">{sending::DISCARDING}</p>
                            </Show>
                        }
                    })}
            </div>
            {text
                .map(|text| {
                    let copied = text.clone();
                    view! {
                        <div class="waiting__text">
                            <Fold label=labels::SHOW_TEXT.words()>
                                <div class="reading" lang="" dir="auto">
                                    {text}
                                </div>
                            <button
                                class="button button--small button--quiet"
                                type="button"
                                on:click=move |_| ask.run(OutboxWish::Copy(copied.clone()))
                            >
                                {labels::COPY}
                            </button>
                            </Fold>
                        </div>
                    }
                })}
        </li>
    }
    .into_any()
}
