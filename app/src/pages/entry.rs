//! One saved explanation.

use domain::{id::EntryId, snapshot::LibraryEntry};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::{
    frame::{Frame, Here, Private},
    loaded::load,
    missing::MissingPage,
};
use crate::{
    components::library::{EntryCard, EntryWish},
    ports::{device::HandOver, server::Unread},
    signal::{Memo, RwSignal},
    words::labels,
};

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
                        move |entry| card(here, entry),
                    )}
                </Frame>
            </Private>
        }
        .into_any(),
    })
}

fn card(here: Here, entry: LibraryEntry) -> impl IntoView + use<> {
    let Here { handle, shown, zone } = here;
    let can_share = handle.with(|keeper| keeper.device().can_share()).unwrap_or_default();
    let copied = RwSignal::new(None::<bool>);
    let (title, text) = (entry.title.clone(), entry.text.clone());
    let ask = move |wish: EntryWish| {
        let to = match wish {
            EntryWish::Copy => HandOver::Clipboard,
            EntryWish::Share => HandOver::Sheet { title: title.clone() },
        };
        handle.with(|keeper| {
            let given = keeper.device().hand_over(&text, to);
            keeper.device().spawn(Box::pin(async move {
                let done = given.await;
                // What the sheet did with it, the sheet tells.
                if wish == EntryWish::Copy {
                    copied.set(Some(done));
                }
            }));
        });
    };
    let now = shown.server_now.get_untracked();
    view! { <EntryCard entry now zone can_share copied ask=Callback::new(ask) /> }
}
