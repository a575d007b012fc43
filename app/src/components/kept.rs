//! A text that was typed and never sent, where its field is not on the screen.

use leptos::prelude::*;

use super::{
    copy::{Copier, CopyButton},
    show::Show,
    sure::Sure,
};
use crate::{
    signal::Signal,
    words::{asking, capital, home, labels, sending::Lasts},
};

/// The text, to be copied or let go; nothing where there is none.
#[component]
pub fn KeptCard(
    #[prop(into)] text: Signal<Option<String>>,
    #[prop(into)] lasts: Signal<Lasts>,
    copier: Copier,
    #[prop(into)] discard: Callback<()>,
) -> impl IntoView {
    view! {
        <Show when=move || text.with(Option::is_some)>
            <section class="card" data-testid="kept">
                <header class="card__head">
                    <h2 class="card__title">{move || capital(lasts.get().words())}</h2>
                </header>
                <div class="card__body">
                    <p class="field__hint">{home::KEPT}</p>
                    <div class="reading" lang="" dir="auto">{move || text.get()}</div>
                    <div class="card__actions">
                        <CopyButton
                            text=Signal::derive(move || text.get().unwrap_or_default())
                            class="button button--small"
                            copier
                        />
                        <Sure
                            label=labels::DISCARD
                            question=asking::TEXT
                            class="button button--small button--quiet"
                            act=discard
                        />
                    </div>
                </div>
            </section>
        </Show>
    }
    .into_any()
}
