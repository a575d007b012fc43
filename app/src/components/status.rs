//! How a task stands: the one `role="status"` of a page.

use leptos::prelude::*;

use super::icon::{Icon, Picture};
use crate::{
    signal::Signal,
    words::status::{StatusWords, Tone},
};

/// What the element tells to programs; `data-*` are handles for tests and instructors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The state's name, or `none`.
    pub state: &'static str,
    pub freshness: &'static str,
    pub version: Option<u32>,
}

impl Marks {
    /// Before anything is known.
    pub const NONE: Self = Self { state: "none", freshness: "unknown", version: None };
}

/// Words and marks of one moment. They are drawn together: nobody may ever find "Saved" beside a
/// freshness that does not bear it out, not even between two strokes of the pen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusView {
    pub words: StatusWords,
    pub marks: Marks,
}

/// The status card.
#[component]
pub fn Status(#[prop(into)] view: Signal<StatusView>) -> impl IntoView {
    let draw = move || {
        let StatusView { words, marks } = view.get();
        view! {
            <section
                class=format!("status status--{}", words.tone.as_str())
                role="status"
                // Changes are announced through the region outside of the root; twice would be noise.
                aria-live="off"
                data-state=marks.state
                data-freshness=marks.freshness
                data-version=marks.version.map(|v| v.to_string()).unwrap_or_default()
            >
                <Icon picture=picture(words.tone) class="status__icon" />
                <div>
                    <p class="status__title">{words.title}</p>
                    {words
                        .detail
                        .into_iter()
                        .chain(words.pending)
                        .map(|line| view! { <p class="status__detail">{line}</p> }.into_any())
                        .collect_view()}
                </div>
            </section>
        }
    };
    draw.into_any()
}

/// The picture that goes with a tone.
pub fn picture(tone: Tone) -> Picture {
    match tone {
        Tone::Unknown => Picture::Question,
        Tone::Waiting => Picture::Pen,
        Tone::Working => Picture::Working,
        Tone::Good => Picture::Check,
        Tone::Bad => Picture::Warning,
        Tone::Neutral => Picture::Stop,
    }
}
