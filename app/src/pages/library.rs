//! All saved explanations.

use leptos::prelude::*;

use super::{
    frame::{Frame, Here, Private},
    loaded::{hear_time, known_day, load, refused_accept, waiting_accepts},
};
use crate::{
    api::reply::LibraryReply,
    components::{library::LibraryList, notice::Notice, show::Show},
    signal::Memo,
    words::{labels, places, status::Tone},
};

/// The list, newest first.
#[component]
pub fn LibraryPage() -> impl IntoView {
    let here = Here::get()?;
    here.handle.with(|keeper| keeper.watch(None));
    let now = known_day(here);
    let waits = Memo::new(move |_| here.shown.outbox.with(|all| 0 < waiting_accepts(all)));
    let refused = Memo::new(move |_| here.shown.outbox.with(|all| refused_accept(all)));
    Some(view! {
        <Private>
            <Frame kind="library" title=labels::LIBRARY>
                <h1 class="page__title">{labels::LIBRARY}</h1>
                <Show when=move || waits.get()>
                    <Notice tone=Tone::Waiting words=places::ACCEPT_WAITS />
                </Show>
                {move || refused.get().map(|task| view! {
                    <Notice tone=Tone::Bad words=places::ACCEPT_REFUSED>
                        <a class="button" href=format!("/tasks/{task}")>{labels::OPEN_TASK}</a>
                    </Notice>
                })}
                {load(
                    here,
                    |server| server.library(),
                    move |answer| {
                        let LibraryReply { entries, server_time, .. } = answer.read()?;
                        hear_time(here, server_time);
                        Ok(entries)
                    },
                    // Drawn anew when the server's time is known: "today" is said by it.
                    move |entries| {
                        move || view! { <LibraryList entries=entries.clone() now=now.get() zone=here.zone /> }
                    },
                )}
            </Frame>
        </Private>
    })
}
