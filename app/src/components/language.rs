//! The languages to choose from.

use leptos::prelude::*;

use crate::words::language;

/// Speaks another language from now on. It is in the context of the application; where there is no
/// application yet, nothing can be chosen.
#[derive(Clone, Copy)]
pub struct Speak(pub Callback<&'static str>);

/// A button each; the one that is spoken is pressed.
#[component]
pub fn Languages() -> impl IntoView {
    let Speak(speak) = use_context()?;
    let button = move |(code, name): (&'static str, &'static str)| {
        let pressed = language::is_spoken(code);
        view! {
            <button
                class="languages__one"
                type="button"
                lang=code
                aria-pressed=pressed.to_string()
                on:click=move |_| {
                    if !pressed {
                        speak.run(code);
                    }
                }
            >
                {name}
            </button>
        }
    };
    Some(
        view! {
            <div class="languages" role="group" aria-label=language::TITLE>
                {language::ALL.map(button).into_iter().collect_view()}
            </div>
        }
        .into_any(),
    )
}
