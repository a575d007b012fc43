//! Brand, connection in words, account.

use leptos::prelude::*;

use super::{
    icon::{Icon, Picture},
    language::Languages,
};
use crate::{
    signal::{RwSignal, Signal},
    words::labels,
};

/// What the header says about the way to the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkWords {
    pub kind: &'static str,
    pub words: String,
}

/// The top of every page. Links are plain, so that the shell can carry it before there is a router.
#[component]
pub fn Header(
    #[prop(into)] link: Signal<LinkWords>,
    /// The name of the learner, where one is here.
    #[prop(into)]
    name: Signal<Option<String>>,
    /// Whether it is known that nobody is.
    #[prop(into)]
    signed_out: Signal<bool>,
    #[prop(into)] sign_out: Callback<()>,
) -> impl IntoView {
    view! {
        <a class="skip" href="#main" rel="external">{labels::SKIP}</a>
        <header class="top">
            <a class="top__brand" href="/">
                <Icon picture=Picture::Anchor />
                {labels::BRAND}
            </a>
            <span class=move || format!("link link--{}", link.with(|l| l.kind))>
                <span class="link__dot" aria-hidden="true"></span>
                <span class="link__words">{move || link.with(|l| l.words.clone())}</span>
            </span>
            {move || name.get().map(|name| view! { <Account name sign_out /> }.into_any())}
            {move || signed_out.get().then(|| view! { <a class="top__signin" href="/sign-in">{labels::SIGN_IN}</a> }.into_any())}
        </header>
    }
    .into_any()
}

#[component]
fn Account(name: String, sign_out: Callback<()>) -> impl IntoView {
    let open = RwSignal::new(false);
    view! {
        <details
            class="account"
            prop:open=move || open.get()
            on:keydown=move |ev| {
                if ev.key() == "Escape" {
                    open.set(false);
                }
            }
        >
            <summary
                class="account__name"
                aria-label=format!("{}: {name}", labels::ACCOUNT.words())
                on:click=move |ev| {
                    ev.prevent_default();
                    open.update(|open| *open = !*open);
                }
            >
                <Icon picture=Picture::Person />
            </summary>
            // A tap on any of its links closes the menu: pages change without a reload.
            <nav class="account__menu" on:click=move |_| open.set(false)>
                <p class="account__who">{name.clone()}</p>
                <a href="/tasks">{labels::TASKS}</a>
                <a href="/library">{labels::LIBRARY}</a>
                <a href="/about">{labels::ABOUT}</a>
                <Languages />
                <button class="button button--quiet" type="button" on:click=move |_| sign_out.run(())>
                    {labels::SIGN_OUT}
                </button>
            </nav>
        </details>
    }
}
