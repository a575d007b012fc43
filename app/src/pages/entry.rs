//! One saved explanation.

use domain::{id::EntryId, snapshot::LibraryEntry};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::{
    frame::{Frame, Here, Private},
    loaded::{hear_time, load},
    missing::MissingPage,
};
use crate::{
    api::reply::EntryReply, components::library::EntryCard, ports::device::HandOver, signal::Memo, words::labels,
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
                        move |answer| {
                            let EntryReply { entry, server_time, .. } = answer.read()?;
                            hear_time(here, server_time);
                            Ok(entry)
                        },
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
    let (title, text) = (entry.title.clone(), entry.text.clone());
    let share = move |()| {
        handle.with(|keeper| {
            // What the sheet did with it, the sheet tells.
            let given = keeper.device().hand_over(&text, HandOver::Sheet { title: title.clone() });
            keeper.device().spawn(Box::pin(async move {
                given.await;
            }));
        });
    };
    let can_share = handle.with(|keeper| keeper.device().can_share()).unwrap_or_default();
    let share = can_share.then(|| Callback::new(share));
    let now = shown.server_now.get_untracked();
    view! { <EntryCard entry now zone share copier=here.copier() /> }
}
