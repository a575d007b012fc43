//! How a task stands: the one `role="status"` of a page.

use leptos::prelude::*;

use super::icon::{Icon, Picture};
use crate::words::status::{StatusWords, Tone};

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

/// The status card.
#[component]
pub fn Status(#[prop(into)] words: Signal<StatusWords>, #[prop(into)] marks: Signal<Marks>) -> impl IntoView {
    let tone = Memo::new(move |_| words.with(|w| w.tone));
    view! {
        <section
            class=move || format!("status status--{}", tone.get().as_str())
            role="status"
            // Changes are announced through the region outside of the root; twice would be noise.
            aria-live="off"
            data-state=move || marks.with(|m| m.state)
            data-freshness=move || marks.with(|m| m.freshness)
            data-version=move || marks.with(|m| m.version.map(|v| v.to_string()).unwrap_or_default())
        >
            <Icon picture=Signal::derive(move || picture(tone.get())) class="status__icon" />
            <div class="status__words">
                <p class="status__title">{move || words.with(|w| w.title.clone())}</p>
                {move || {
                    words
                        .with(|w| w.detail.clone())
                        .into_iter()
                        .map(|line| view! { <p class="status__detail">{line}</p> })
                        .collect_view()
                }}
            </div>
        </section>
    }
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
