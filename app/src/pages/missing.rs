//! An address that leads nowhere, and a part of a page that broke.

use leptos::prelude::*;

use super::frame::{Frame, Here};
use crate::words::{home, labels};

/// Nothing is here.
#[component]
pub fn MissingPage() -> impl IntoView {
    if let Some(here) = Here::get() {
        here.handle.with(|keeper| keeper.watch(None));
    }
    view! {
        <Frame kind="missing" title=home::MISSING_TITLE>
            <h1 class="page__title">{home::MISSING_TITLE}</h1>
            <p class="page__lead">{home::MISSING}</p>
            <p class="row">
                <a class="button button--primary" href="/">
                    {home::HOME}
                </a>
                <a class="button" href="/tasks">
                    {labels::TASKS}
                </a>
            </p>
        </Frame>
    }
}

/// In place of a part that broke.
#[component]
pub fn Broken() -> impl IntoView {
    view! {
        <Frame kind="missing" title=home::BROKEN_TITLE>
            <h1 class="page__title">{home::BROKEN_TITLE}</h1>
            <p class="page__lead">{home::BROKEN}</p>
            <p class="row">
                <a class="button button--primary" href="" rel="external">
                    {labels::RELOAD}
                </a>
                <a class="button" href="/" rel="external">
                    {home::HOME}
                </a>
            </p>
        </Frame>
    }
}
