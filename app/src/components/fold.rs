//! Something that is folded away until it is wanted.

use leptos::prelude::*;

use crate::signal::{RwSignal, Signal};

/// A line that unfolds what is in it.
#[component]
pub fn Fold(
    #[prop(into)] label: Signal<String>,
    /// Set when it is unfolded for the first time, for what is to be fetched only then.
    #[prop(optional)]
    wanted: Option<RwSignal<bool>>,
    children: Children,
) -> impl IntoView {
    let toggled = move |_| {
        if let Some(wanted) = wanted {
            wanted.set(true);
        }
    };
    view! {
        <details class="fold" on:toggle=toggled>
            <summary class="fold__label">{move || label.get()}</summary>
            {children()}
        </details>
    }
    .into_any()
}
