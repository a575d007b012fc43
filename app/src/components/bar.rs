//! The one next step, always within reach of a thumb.

use leptos::prelude::*;

use super::icon::{Icon, Picture};
use crate::{signal::Signal, words::labels};

/// What stands above the buttons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Why a button cannot be pressed, or what it does.
    Word(String),
    /// A button was pressed, and this is how far its wish has come.
    Pressed(String),
    /// It could not be taken as it is.
    Refused(String),
}

/// A sticky bar with at most two buttons and a sentence above them.
#[component]
pub fn Bar(
    #[prop(optional, into)] note: Signal<Option<Note>>,
    /// Whether it takes the place of another one under the thumb: a second tap that was meant for that one must
    /// not press anything in this.
    #[prop(optional)]
    arrived: bool,
    children: Children,
) -> impl IntoView {
    view! {
        <section class=if arrived { "bar bar--arrived" } else { "bar" } aria-label=labels::NEXT_STEP>
            {move || note.get().map(sentence)}
            <div class="bar__buttons">{children()}</div>
        </section>
    }
    .into_any()
}

fn sentence(note: Note) -> AnyView {
    let (kind, role, picture, words) = match note {
        Note::Word(words) => return view! { <p class="bar__note">{words}</p> }.into_any(),
        Note::Pressed(words) => ("bar__note bar__note--pressed", None, Picture::Working, words),
        Note::Refused(words) => ("bar__note bar__note--refused", Some("alert"), Picture::Warning, words),
    };
    view! {
        <p class=kind role=role>
            <Icon picture class="icon--small" />
            <span>{words}</span>
        </p>
    }
    .into_any()
}

/// A button that stays usable and says when its wish is under way: a second tap does no harm, and
/// a button that vanishes under a thumb does. One that cannot be pressed now says so and keeps the focus,
/// which a browser takes from a disabled one.
#[component]
pub fn AskButton(
    #[prop(into)] label: Signal<String>,
    #[prop(optional, into)] primary: Signal<bool>,
    #[prop(optional, into)] disabled: Signal<bool>,
    #[prop(optional, into)] busy: Signal<bool>,
    #[prop(into)] press: Callback<()>,
) -> impl IntoView {
    view! {
        <button
            class=move || if primary.get() { "button button--primary" } else { "button" }
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
