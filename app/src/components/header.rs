//! Brand, connection in words, account.

use leptos::{html::Summary, prelude::*, wasm_bindgen::JsCast as _, web_sys::Element};

use super::{
    icon::{Icon, Picture},
    language::Languages,
};
use crate::{
    signal::{RwSignal, Signal},
    words::{labels, places},
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
    /// Where the learner is.
    #[prop(into)]
    path: Signal<String>,
    #[prop(into)] sign_out: Callback<()>,
) -> impl IntoView {
    // On a phone the ways to other places lie at the bottom; a task's own next step has that room to itself.
    let class = move || match name.with(Option::is_some) {
        false => "top",
        true if path.with(|path| path.starts_with("/tasks/")) => "top top--task",
        true => "top top--places",
    };
    view! {
        <a class="skip" href="#main" rel="external">{labels::SKIP}</a>
        <header class=class>
            <a class="top__brand" href="/">
                <Icon picture=Picture::Anchor />
                {labels::BRAND}
            </a>
            {move || name.with(Option::is_some).then(|| view! { <Places path /> }.into_any())}
            <span class=move || format!("link link--{}", link.with(|l| l.kind))>
                <span class="link__dot" aria-hidden="true"></span>
                <span>{move || link.with(|l| l.words.clone())}</span>
            </span>
            {move || name.get().map(|name| view! { <Account name sign_out /> }.into_any())}
            {move || signed_out.get().then(|| view! { <a class="top__signin" href="/sign-in">{labels::SIGN_IN}</a> }.into_any())}
        </header>
    }
    .into_any()
}

#[component]
fn Places(path: Signal<String>) -> impl IntoView {
    let place = |to: &'static str, name: &'static str, picture: Picture| {
        let current = move || {
            path.with(|path| match path.strip_prefix(to) {
                Some("") => Some("page"),
                // Below it: one of its tasks, one of its entries.
                Some(below) if below.starts_with('/') => Some("true"),
                _ => None,
            })
        };
        view! {
            <a href=to aria-current=current>
                <Icon picture />
                {name}
            </a>
        }
        .into_any()
    };
    view! {
        <nav class="places" aria-label=places::PLACES>
            {place("/", places::HOME.words(), Picture::Anchor)}
            {place("/tasks", labels::TASKS.words(), Picture::List)}
            {place("/library", labels::LIBRARY.words(), Picture::Book)}
        </nav>
    }
}

#[component]
fn Account(name: String, sign_out: Callback<()>) -> impl IntoView {
    let open = RwSignal::new(false);
    let summary = NodeRef::<Summary>::new();
    view! {
        // What lies outside of an open menu closes it: the summary reaches over the whole page then.
        <details
            class="account"
            prop:open=move || open.get()
            on:keydown=move |ev| {
                if ev.key() == "Escape" && open.get_untracked() {
                    open.set(false);
                    if let Some(summary) = summary.get_untracked() {
                        let _ = summary.focus();
                    }
                }
            }
            on:focusout=move |ev| {
                let to = ev.related_target().and_then(|to| to.dyn_into::<Element>().ok());
                if to.is_some_and(|to| matches!(to.closest(".account"), Ok(None))) {
                    open.set(false);
                }
            }
        >
            <summary
                class="account__name"
                aria-label=format!("{}: {name}", labels::ACCOUNT.words())
                node_ref=summary
                on:click=move |ev| {
                    ev.prevent_default();
                    open.update(|open| *open = !*open);
                }
            >
                <Icon picture=Picture::Person />
            </summary>
            // A tap on any of its links closes the menu: pages change without a reload.
            <nav class="account__menu" on:click=move |_| open.set(false)>
                <p class="account__who" lang="" dir="auto">{name.clone()}</p>
                <a class="account__place" href="/tasks">{labels::TASKS}</a>
                <a class="account__place" href="/library">{labels::LIBRARY}</a>
                <a href="/about">{labels::ABOUT}</a>
                <Languages />
                <button class="button button--quiet" type="button" on:click=move |_| sign_out.run(())>
                    {labels::SIGN_OUT}
                </button>
            </nav>
        </details>
    }
}
