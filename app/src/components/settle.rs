//! A person says what they found out about an uncertain outcome.

use domain::intent::Verdict;
use leptos::prelude::*;

use super::{show::Show, sure::Sure};
use crate::{
    signal::{RwSignal, Signal},
    words::{asking, home, labels},
};

/// What was found, and what is to be done.
#[component]
pub fn SettleCard(
    /// Whether a save was intended: only then there is something to say about it.
    #[prop(into)]
    save_intended: Signal<bool>,
    /// What was found out, in the person's words so far.
    note: RwSignal<String>,
    #[prop(into)] on_type: Callback<String>,
    /// Why what was said cannot be sent as it is.
    #[prop(into)]
    problem: Signal<Option<String>>,
    #[prop(into)] settle: Callback<Verdict>,
) -> impl IntoView {
    let choice = move |verdict: Verdict, label: &'static str, primary: bool| {
        let class = if primary { "button button--primary button--wide" } else { "button button--wide" };
        view! {
            <button class=class type="button" on:click=move |_| settle.run(verdict)>
                {label}
            </button>
        }
    };
    view! {
        <section class="card card--settle">
            <header class="card__head">
                <h2 class="card__title">{home::SETTLE_TITLE}</h2>
            </header>
            <p>{move || home::settle(save_intended.get())}</p>
            <div class="field">
                <label class="field__label" for="note">
                    {labels::NOTE}
                </label>
                <textarea
                    id="note"
                    class="field__text field__text--note"
                    rows="1"
                    dir="auto"
                    prop:value=move || note.get()
                    on:input=move |ev| on_type.run(event_target_value(&ev))
                ></textarea>
            </div>
            {move || problem.get().map(|words| view! { <p class="field__error" role="alert">{words}</p> }.into_any())}
            <div class="stack">
                {choice(Verdict::LookAgain, labels::LOOK_AGAIN.words(), true)}
                <Show when=move || save_intended.get()>
                    {choice(Verdict::WasSaved, labels::WAS_SAVED.words(), false)}
                    {choice(Verdict::NotSavedSaveNow, labels::SAVE_NOW.words(), false)}
                    <Sure
                        label=labels::SAVE_STOP
                        question=asking::STOP
                        class="button button--wide"
                        act=Callback::new(move |()| settle.run(Verdict::NotSavedStop))
                    />
                </Show>
            </div>
        </section>
    }
    .into_any()
}
