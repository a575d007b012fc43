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
    signal::{Memo, Signal},
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
            <section class="card">
                <header class="card__head">
                    <h2 class="card__title">{labels::WAITING}</h2>
                    <p class="card__note">{count}</p>
                </header>
                <ul class="waiting" data-testid="outbox">
                    <For each=move || entries.get() key=key let((entry, lasts))>
                        <Line about=about.and_then(|about| about.run(entry.clone())) first=(entry, lasts) entries ask copier />
                    </For>
                </ul>
            </section>
        </Show>
    }
    .into_any()
}

/// A line is the same from the first press to the answer: what is open in it stays open while it is sent again
/// and again.
fn key((entry, _): &(Entry, Lasts)) -> (OpId, String) {
    (entry.intent.op_id, sending::wish(&entry.intent.wish))
}

/// The text that goes with an entry, if there is one.
fn text_of(entry: &Entry) -> Option<String> {
    match &entry.intent.wish {
        Wish::Edit { text, .. } => Some(text.clone()),
        Wish::Start { question, .. } => Some(question.clone()),
        Wish::Settle { note, .. } if !note.is_empty() => Some(note.clone()),
        _ => entry.shown.clone().filter(|_| !entry.sending.is_waiting()),
    }
}

#[component]
fn Line(
    about: Option<String>,
    /// The entry as it is when the line is drawn.
    first: (Entry, Lasts),
    /// Where it is found later.
    entries: Signal<Vec<(Entry, Lasts)>>,
    ask: Callback<OutboxWish>,
    copier: Copier,
) -> impl IntoView {
    let (op, task) = (first.0.intent.op_id, first.0.intent.task_id);
    // Where the page is not about its task alone, that is where there is something to choose.
    let elsewhere = about.is_some();
    let title = sending::wish(&first.0.intent.wish);
    let now = Memo::new(move |before: Option<&(Entry, Lasts)>| {
        let found = entries.with(|all| all.iter().find(|(entry, _)| entry.intent.op_id == op).cloned());
        found.or_else(|| before.cloned()).unwrap_or_else(|| first.clone())
    });
    let text = Memo::new(move |_| now.with(|(entry, _)| text_of(entry)));
    let has_text = move || text.with(Option::is_some);
    let refused = move || now.with(|(e, _)| !e.sending.is_waiting());
    let may_send =
        move || now.with(|(e, _)| matches!(e.sending, Sending::Queued | Sending::Sent | Sending::Unconfirmed));
    // What is on its way may be done already: giving it up here would only hide the outcome. Its buttons stay:
    // it is sent again and again, and the focus may be on one of them.
    let on_its_way = Memo::new(move |_| now.with(|(entry, _)| entry.sending == Sending::Sent));
    let discard = Callback::new(move |()| ask.run(OutboxWish::Discard(op)));
    let class = "button button--small button--quiet";
    view! {
        <li
            class=move || format!("waiting__entry waiting__entry--{}", now.with(|(entry, _)| entry.sending.as_str()))
            data-op=op.to_string()
        >
            <div class="waiting__words">
                <p class="waiting__title">{title}</p>
                {about.map(|about| view! { <p class="waiting__about" lang="" dir="auto">{about}</p> })}
                <p class="waiting__detail">{move || now.with(|(entry, lasts)| sending::sending(entry, *lasts))}</p>
            </div>
            <div class="waiting__actions">
                <Show when=move || elsewhere && refused()>
                    <a class="button button--small" href=format!("/tasks/{task}")>
                        {labels::OPEN_TASK}
                    </a>
                </Show>
                <Show when=may_send>
                    <button
                        class="button button--small"
                        type="button"
                        aria-disabled=move || on_its_way.get().then_some("true")
                        on:click=move |_| ask.run(OutboxWish::SendNow)
                    >
                        {labels::SEND_NOW}
                    </button>
                </Show>
                <Show
                    when=has_text
                    fallback=move || {
                        view! {
                            <button
                                class=class
                                type="button"
                                aria-disabled=move || on_its_way.get().then_some("true")
                                on:click=move |_| {
                                    if !on_its_way.get_untracked() {
                                        discard.run(());
                                    }
                                }
                            >
                                {labels::DISCARD}
                            </button>
                        }
                            .into_any()
                    }
                >
                    <Sure label=labels::DISCARD question=asking::BUILT_ON class held=on_its_way act=discard />
                </Show>
            </div>
            <Show when=has_text>
                <div class="waiting__text">
                    <Fold label=labels::SHOW_TEXT.words()>
                        <div class="reading" lang="" dir="auto">
                            {move || text.get()}
                        </div>
                        <CopyButton text=Signal::derive(move || text.get().unwrap_or_default()) copier />
                    </Fold>
                </div>
            </Show>
        </li>
    }
    .into_any()
}
