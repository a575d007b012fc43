//! What happened: asked for when it is unfolded, and again while it stays open and the task moves.

use domain::{id::TaskId, snapshot::EventLine};
use leptos::prelude::*;

use super::super::frame::Here;
use crate::components::timeline::TimelineCard;

/// The timeline of a task.
#[component]
pub fn Timeline(here: Here, task: TaskId) -> impl IntoView {
    let events = RwSignal::new(Vec::<EventLine>::new());
    let open = RwSignal::new(false);
    let seq = Memo::new(move |_| here.shown.task.with(|t| t.as_ref().map(|t| t.seq)));
    Effect::new(move |_| {
        if open.get() && seq.get().is_some() {
            let after = events.with_untracked(|all| all.last().map_or(0, |event| event.seq));
            here.handle.with(|keeper| {
                keeper.fetch(
                    move |server| server.events(task, after),
                    move |_, answer| {
                        if let Ok(more) = answer {
                            events.update(|all| {
                                let known = all.last().map_or(0, |event| event.seq);
                                all.extend(more.into_iter().filter(|event| known < event.seq));
                            });
                        }
                    },
                );
            });
        }
    });
    view! {
        <TimelineCard
            events
            now=here.shown.server_now
            zone=here.zone
            toggled=Callback::new(move |now_open| open.set(now_open))
        />
    }
}
