//! All saved explanations.

use leptos::prelude::*;

use super::{
    frame::{Frame, Here, Private},
    loaded::load,
};
use crate::{components::library::LibraryList, words::labels};

/// The list, newest first.
#[component]
pub fn LibraryPage() -> impl IntoView {
    let here = Here::get()?;
    here.handle.with(|keeper| keeper.watch(None));
    Some(view! {
        <Private>
            <Frame kind="library" title=labels::LIBRARY>
                <h1 class="page__title">{labels::LIBRARY}</h1>
                {load(
                    here,
                    |server| server.library(),
                    |answer| Ok(answer.read()?.entries),
                    move |entries| {
                        let now = here.shown.server_now.get_untracked();
                        view! { <LibraryList entries now zone=here.zone /> }
                    },
                )}
            </Frame>
        </Private>
    })
}
