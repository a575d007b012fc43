//! What happened: loaded and asked for when it is unfolded, and again while it stays open and the
//! task moves.

use domain::{course::Timeline as Story, freshness::Link, id::TaskId};
use leptos::prelude::*;

use super::super::{apart, frame::Here};
use crate::{
    components::timeline::{TimelineCard, TimelineLines},
    ports::server::Unread,
    signal::{Effect, Memo, RwSignal, Signal},
    words::status::is_active,
};

/// The card, folded.
#[component]
pub fn Timeline(here: Here, task: TaskId) -> impl IntoView {
    let open = RwSignal::new(false);
    view! {
        <TimelineCard open draw=move || apart::timeline_part(here, task, open.into()) />
    }
}

/// What is in it.
#[component]
pub fn Happened(here: Here, task: TaskId, open: Signal<bool>) -> impl IntoView {
    let known = RwSignal::new(Story::default());
    let seq = Memo::new(move |_| here.shown.task.with(|t| t.as_ref().map(|t| t.seq)));
    let now = here.shown.server_now;
    let working = Memo::new(move |_| here.shown.task.with(|t| t.as_ref().is_some_and(|t| is_active(t, now.get()))));
    Effect::new(move |_| {
        // Also when somebody answers again: what was asked before may not have arrived.
        if open.get() && here.shown.link.get() == Link::Up && seq.get().is_some() {
            let after = known.with_untracked(Story::last_seq);
            here.handle.with(|keeper| {
                keeper.fetch(
                    move |server| server.events(task, after),
                    move |_, answer| {
                        if let Ok(more) = answer.and_then(Unread::read) {
                            known.update(|known| known.add(more, after));
                        }
                    },
                );
            });
        }
    });
    view! {
        <TimelineLines timeline=known working now zone=here.zone />
    }
}
