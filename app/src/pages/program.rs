//! The program itself, on its own screens: ready without a connection, or a newer one ready to be used.

use leptos::prelude::*;

use super::frame::Here;
use crate::{
    components::notice::Notice,
    ports::device::{Keeping, Newer},
    signal::Memo,
    sync::build::Written,
    words::{language, program as words, status::Tone},
};

/// Offers a newer build, above every page. It is never taken up while somebody looks, unless they say so.
#[component]
pub fn NewerBuild() -> impl IntoView {
    let Here { handle, shown, .. } = Here::get()?;
    let offered = Memo::new(move |_| shown.program.with(|program| program.newer != Newer::None));
    // Another language opens the page anew as well.
    let told = Memo::new(move |_| offered.get() || shown.cannot_renew.get());
    Effect::new(move |_| {
        if offered.get() {
            handle.with(|keeper| keeper.device().announce(words::NEWER.words()));
        }
    });
    let renew = move |written: Written| handle.with(|keeper| keeper.renew(written));
    Some(view! {
        <Show when=move || told.get()>
            <aside class="above">
                {move || {
                    if shown.cannot_renew.get() {
                        view! {
                            <Notice tone=Tone::Bad words=words::NOT_ALL_KEPT>
                                <button class="button" type="button" on:click=move |_| { renew(Written::OrLost); }>
                                    {if offered.get() { words::USE_NEWER_ANYWAY.words() } else { language::CHANGE_ANYWAY.words() }}
                                </button>
                            </Notice>
                        }
                    } else {
                        view! {
                            <Notice tone=Tone::Neutral words=words::NEWER>
                                <button class="button" type="button" on:click=move |_| { renew(Written::All); }>
                                    {words::USE_NEWER}
                                </button>
                            </Notice>
                        }
                    }
                }}
            </aside>
        </Show>
    })
}

/// Said only when it is so, and quietly.
#[component]
pub fn ReadyNote() -> impl IntoView {
    let shown = Here::get()?.shown;
    // Where nothing of the learner can be kept, the page alone would promise too much.
    let keeps = move || shown.keeping.get() == Keeping::OnDevice;
    let kept = Memo::new(move |_| keeps() && shown.program.with(|program| program.kept));
    Some(move || kept.get().then(|| view! { <p class="ready">{words::READY}</p> }.into_any()))
}

/// Which build runs here, and whether all of it is kept.
#[component]
pub fn ThisProgram() -> impl IntoView {
    let shown = Here::get()?.shown;
    Some(view! {
        <h2>{words::BUILD_TITLE}</h2>
        <p>{move || shown.program.with(|program| words::build(&program.build))}</p>
        <p>{move || shown.program.with(|program| words::kept(program.kept))}</p>
    })
}
