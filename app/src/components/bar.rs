//! The one next step, always within reach of a thumb.

use leptos::prelude::*;

use crate::{signal::Signal, words::labels};

/// A sticky bar with at most two buttons and a sentence above them.
#[component]
pub fn Bar(#[prop(optional, into)] note: Signal<Option<String>>, children: Children) -> impl IntoView {
    view! {
        <section class="bar" aria-label=labels::NEXT_STEP>
            {move || note.get().map(|note| view! { <p class="bar__note">{note}</p> }.into_any())}
            <div class="bar__buttons">{children()}</div>
        </section>
    }
    .into_any()
}

/// A button that stays usable and says when its wish is under way: a second tap does no harm, and
/// a button that vanishes under a thumb does. One that cannot be pressed now says so and keeps the focus,
/// which a browser takes from a disabled one.
#[component]
pub fn AskButton(
    #[prop(into)] label: Signal<String>,
    #[prop(optional)] primary: bool,
    #[prop(optional, into)] disabled: Signal<bool>,
    #[prop(optional, into)] busy: Signal<bool>,
    #[prop(into)] press: Callback<()>,
) -> impl IntoView {
    view! {
        <button
            class=if primary { "button button--primary" } else { "button" }
            type="button"
            aria-disabled=move || disabled.get().then_some("true")
            aria-busy=move || busy.get().then_some("true")
            on:click=move |_| {
                if !disabled.get_untracked() {
                    press.run(());
                }
            }
        >
            {move || label.get()}
        </button>
    }
}
