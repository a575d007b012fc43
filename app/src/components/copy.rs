//! A button that copies a text, and says on itself what became of that.

use leptos::prelude::*;

use crate::{
    signal::{Memo, RwSignal, Signal},
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
    let (done, wished) = (RwSignal::new(None::<bool>), RwSignal::new(None::<String>));
    let copy = move |_| {
        let text = text.get_untracked();
        done.set(None);
        wished.set(Some(text.clone()));
        copier.run(CopyWish { text, done });
    };
    // A text that took the place of the copied one was not copied.
    let became = Memo::new(move |_| done.get().filter(|_| wished.get() == Some(text.get())));
    let label = move || if became.get() == Some(true) { places::COPIED.words() } else { labels::COPY.words() };
    view! {
        <button class=class type="button" on:click=copy>
            {label}
        </button>
        {move || (became.get() == Some(false)).then(|| view! { <p class="field__hint">{places::NOT_COPIED}</p> }.into_any())}
    }
    .into_any()
}
