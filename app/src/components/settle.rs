//! A person says what they found out about an uncertain outcome.

use domain::intent::Verdict;
use leptos::prelude::*;

use crate::words::{home, labels};

/// What was found, and what is to be done.
#[component]
pub fn SettleCard(
    /// Whether a save was intended: only then there is something to say about it.
    save_intended: bool,
    #[prop(into)] settle: Callback<(Verdict, String)>,
) -> impl IntoView {
    let note = RwSignal::new(String::new());
    let choice = move |verdict: Verdict, label: &'static str, primary: bool| {
        let class = if primary { "button button--primary button--wide" } else { "button button--wide" };
        view! {
            <button class=class type="button" on:click=move |_| settle.run((verdict, note.get_untracked()))>
                {label}
            </button>
        }
    };
    view! {
        <section class="card card--settle">
            <header class="card__head">
                <h2 class="card__title">{home::SETTLE_TITLE}</h2>
            </header>
            <p>{home::SETTLE}</p>
            <label class="field">
                <span class="field__label">{labels::NOTE}</span>
                <input class="field__input" type="text" on:input=move |ev| note.set(event_target_value(&ev)) />
            </label>
            <div class="stack">
                {choice(Verdict::LookAgain, labels::LOOK_AGAIN, true)}
                {save_intended
                    .then(|| {
                        (
                            choice(Verdict::WasSaved, labels::WAS_SAVED, false),
                            choice(Verdict::NotSavedSaveNow, labels::SAVE_NOW, false),
                            choice(Verdict::NotSavedStop, labels::SAVE_STOP, false),
                        )
                    })}
            </div>
        </section>
    }
    .into_any()
}
