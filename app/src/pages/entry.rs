//! One saved explanation.

use domain::id::EntryId;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::{
    frame::{Frame, Here, Private},
    loaded::load,
    missing::MissingPage,
};
use crate::{components::library::EntryCard, ports::server::Unread, signal::Memo, words::labels};

/// The entry in full.
#[component]
pub fn EntryPage() -> impl IntoView {
    let here = Here::get()?;
    here.handle.with(|keeper| keeper.watch(None));
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|p| p.get("id")).and_then(|raw| raw.parse::<EntryId>().ok()));
    Some(move || match id.get() {
        None => view! { <MissingPage /> }.into_any(),
        Some(id) => view! {
            <Private>
                <Frame kind="entry" title=labels::LIBRARY>
                    {load(
                        here,
                        move |server| server.entry(id),
                        Unread::read,
                        move |entry| {
                            let now = here.shown.server_now.get_untracked();
                            view! { <EntryCard entry now zone=here.zone /> }
                        },
                    )}
                    <a class="button button--wide" href="/library">
                        {labels::LIBRARY}
                    </a>
                </Frame>
            </Private>
        }
        .into_any(),
    })
}
