//! A button that copies a text, and says on itself what became of that.

use leptos::prelude::*;

use crate::{
    signal::{RwSignal, Signal},
    words::{labels, places},
};

/// A text to be copied, and where to tell whether it was.
#[derive(Clone)]
pub struct CopyWish {
    pub text: String,
    pub done: RwSignal<Option<bool>>,
}

/// Who copies it.
pub type Copier = Callback<CopyWish>;

/// The button.
#[component]
pub fn CopyButton(
    #[prop(into)] text: Signal<String>,
    #[prop(default = "button button--small button--quiet")] class: &'static str,
    copier: Copier,
) -> impl IntoView {
    let done = RwSignal::new(None::<bool>);
    // What was copied is not what stands there now.
    let copy = move |_| copier.run(CopyWish { text: text.get_untracked(), done });
    let label = move || if done.get() == Some(true) { places::COPIED.words() } else { labels::COPY.words() };
    view! {
        <button class=class type="button" on:click=copy>
            {label}
        </button>
        {move || (done.get() == Some(false)).then(|| view! { <p class="field__hint">{places::NOT_COPIED}</p> }.into_any())}
    }
    .into_any()
}
