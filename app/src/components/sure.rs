//! A button that asks once, in its own place, before something that cannot be taken back.

use leptos::{html::Button, prelude::*};

use super::show::Show;
use crate::{
    signal::{Effect, RwSignal, Signal},
    words::{asking::Question, said::Said},
};

/// The button; pressed, a question with two answers stands in its place, and the one that changes nothing has the
/// focus.
#[component]
pub fn Sure(
    label: Said,
    question: Question,
    #[prop(default = "button button--quiet")] class: &'static str,
    /// While it cannot be done; what is open stays open.
    #[prop(optional, into)]
    held: Signal<bool>,
    #[prop(into)] act: Callback<()>,
) -> impl IntoView {
    let Question { words, yes, no } = question;
    let asking = RwSignal::new(false);
    // Whoever decides against it is where they were.
    let (safe, button) = (NodeRef::<Button>::new(), NodeRef::<Button>::new());
    let closed = RwSignal::new(false);
    Effect::new(move |_| {
        let (safe, button) = (safe.get(), button.get().filter(|_| closed.get_untracked()));
        if let Some(target) = if asking.get_untracked() { safe } else { button } {
            let _ = target.focus();
        }
    });
    let close = move || {
        closed.set(true);
        asking.set(false);
    };
    view! {
        <Show
            when=move || asking.get()
            fallback=move || {
                view! {
                    <button class=class type="button" node_ref=button on:click=move |_| asking.set(true)>
                        {label}
                    </button>
                }
                    .into_any()
            }
        >
            <div
                class="sure"
                role="group"
                aria-label=words.words()
                on:keydown=move |ev| {
                    if ev.key() == "Escape" {
                        close();
                    }
                }
            >
                <p class="sure__question">{words}</p>
                <button
                    class="button button--small button--danger"
                    type="button"
                    aria-disabled=move || held.get().then_some("true")
                    on:click=move |_| {
                        if !held.get_untracked() {
                            closed.set(false);
                            asking.set(false);
                            act.run(());
                        }
                    }
                >
                    {yes}
                </button>
                <button class="button button--small" type="button" node_ref=safe on:click=move |_| close()>
                    {no}
                </button>
            </div>
        </Show>
    }
    .into_any()
}
