//! Something to know beside the state.

use leptos::prelude::*;

use super::{icon::Icon, status::picture};
use crate::words::status::Tone;

/// A tinted box with a sentence, and buttons where there is something to do about it.
#[component]
pub fn Notice(
    tone: Tone,
    #[prop(into)] words: String,
    #[prop(optional, into)] title: Option<String>,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    view! {
        <div class=format!("notice notice--{}", tone.as_str())>
            <Icon picture=picture(tone) />
            <div class="notice__words">
                {title.map(|title| view! { <p class="notice__title">{title}</p> }.into_any())}
                <p>{words}</p>
            </div>
            {children.map(|children| view! { <div class="notice__actions">{children()}</div> }.into_any())}
        </div>
    }
    .into_any()
}
