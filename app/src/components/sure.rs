//! A button that asks once, in its own place, before something that cannot be taken back.

use leptos::{
    html::{Button, Div},
    prelude::*,
};

use super::show::Show;
use crate::{
    signal::{Effect, RwSignal},
    words::asking::Question,
};

/// The button; pressed, a question with two answers stands in its place and has the focus.
#[component]
pub fn Sure(
    label: &'static str,
    question: Question,
    #[prop(default = "button button--quiet")] class: &'static str,
    #[prop(into)] act: Callback<()>,
) -> impl IntoView {
    let Question { words, yes, no } = question;
    let asking = RwSignal::new(false);
    let (group, button) = (NodeRef::<Div>::new(), NodeRef::<Button>::new());
    let closed = RwSignal::new(false);
    Effect::new(move |_| {
        if let Some(group) = group.get() {
            let _ = group.focus();
        }
    });
    // Whoever decides against it is where they were.
    Effect::new(move |_| {
        if let Some(button) = button.get().filter(|_| closed.get_untracked()) {
            let _ = button.focus();
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
                aria-label=words
                tabindex="-1"
                node_ref=group
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
                    on:click=move |_| {
                        close();
                        act.run(());
                    }
                >
                    {yes}
                </button>
                <button class="button button--small" type="button" on:click=move |_| close()>
                    {no}
                </button>
            </div>
        </Show>
    }
    .into_any()
}
