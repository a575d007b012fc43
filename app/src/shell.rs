//! The one document: the same for every address and every user, made once when the server starts.
//!
//! Invariants: no data of anybody, no inline script, and "Status unknown" from the first byte. The
//! client replaces the content of `#root` in one step.

use leptos::prelude::*;

use crate::{
    components::{
        header::{Header, LinkWords},
        status::{Marks, Status, StatusView},
    },
    signal::Signal,
    words::{
        boot as words, labels, language,
        said::{self, Catalogue},
        status,
    },
};

/// Where the static files are, by their hashed names.
#[derive(Clone, Debug)]
pub struct ShellAssets {
    pub stylesheet: String,
    pub boot: String,
    pub manifest: String,
    pub icon: String,
    /// For the home screens of those who read no manifest.
    pub touch_icon: String,
    pub js: String,
    pub wasm: String,
    /// The name of the build that all of them belong to.
    pub build: String,
    /// What is spoken besides English.
    pub languages: Vec<Language>,
    /// The script that keeps them on a device; none where devices are to keep nothing.
    pub worker: Option<String>,
}

/// A language: its sentences, and where a browser gets them.
#[derive(Clone, Debug)]
pub struct Language {
    pub catalogue: &'static Catalogue,
    pub address: String,
}

/// The document as text.
pub fn shell(assets: &ShellAssets) -> String {
    let assets = assets.clone();
    Owner::new().with(|| view! { <Shell assets /> }.to_html())
}

#[component]
fn Shell(assets: ShellAssets) -> impl IntoView {
    let ShellAssets { stylesheet, boot, manifest, icon, touch_icon, js, wasm, build, languages, worker } = assets;
    view! {
        <!DOCTYPE html>
        <html lang="en" data-build=build>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content" />
                <meta name="theme-color" content="#f6f4ef" media="(prefers-color-scheme: light)" />
                <meta name="theme-color" content="#12191b" media="(prefers-color-scheme: dark)" />
                <meta name="color-scheme" content="light dark" />
                <meta name="description" content=labels::TAGLINE />
                <title>{labels::BRAND}</title>
                <meta name="apple-mobile-web-app-title" content=labels::BRAND />
                <link rel="icon" href=icon />
                <link rel="apple-touch-icon" href=touch_icon />
                <link rel="manifest" href=manifest />
                <link rel="stylesheet" href=stylesheet />
                <script
                    type="module"
                    src=boot
                    data-js=js
                    data-wasm=wasm
                    data-worker=worker
                    data-loading=words::LOADING
                    data-loaded=words::LOADED
                    data-failed=words::FAILED
                    data-lost=words::LOST
                    data-gone=words::GONE
                    data-broken=words::BROKEN
                    data-again=labels::TRY_AGAIN
                ></script>
            </head>
            <body>
                <div id="announcer" class="visually-hidden" aria-live="polite"></div>
                <div id="root" data-mooring-shell="">
                    <Page />
                </div>
                {languages.into_iter().map(other).collect_view()}
            </body>
        </html>
    }
}

/// What is in the root until the program is there.
#[component]
fn Page() -> impl IntoView {
    view! {
        <Header
            link=Signal::stored(LinkWords { kind: "unknown", words: labels::link_before() })
            name=Signal::stored(None::<String>)
            signed_out=Signal::stored(false)
            path=Signal::stored(String::new())
            sign_out=Callback::new(|()| ())
        />
        <main id="main" class="page">
            <Status view=Signal::stored(StatusView { words: status::loading(), marks: Marks::NONE }) />
        </main>
    }
}

/// The same page and the words of the boot script in another language: the script puts them in place
/// before there is a program to ask.
fn other(Language { catalogue, address }: Language) -> impl IntoView {
    said::speaking(catalogue, || {
        view! {
            <template
                lang=catalogue.language()
                data-words=address
                data-loading=words::LOADING
                data-loaded=words::LOADED
                data-failed=words::FAILED
                data-lost=words::LOST
                data-gone=words::GONE
                data-broken=words::BROKEN
                data-again=labels::TRY_AGAIN
                data-unspoken=language::UNSPOKEN
                inner_html=view! { <Page /> }.to_html()
            ></template>
        }
    })
}
