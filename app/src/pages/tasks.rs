//! All tasks of the learner: those that the server has listed, and those that wait on this device.

use domain::{freshness::Link, outbox::Entry, snapshot::Snapshot, task::Phase};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::{
    frame::{Frame, Here, Private},
    loaded::{Asked, Loaded, ask, did_not_come, waits},
};
use crate::{
    components::task_list::{Filter, Filters, Line, TaskList},
    signal::{Effect, Memo, RwSignal, Signal},
    sync::Keeper,
    words::{labels, places},
};

/// The list, newest first, with a filter that stands in the address: the way back leads through it.
#[component]
pub fn TasksPage() -> impl IntoView {
    let here = Here::get()?;
    here.handle.with(|keeper| keeper.watch(None));
    Some(view! {
        <Private>
            <Frame kind="tasks" title=labels::TASKS>
                <h1 class="page__title">{labels::TASKS}</h1>
                <Tasks here />
            </Frame>
        </Private>
    })
}

#[component]
fn Tasks(here: Here) -> impl IntoView {
    let Here { handle, shown, zone } = here;
    let Asked { state, again } = ask(here, |server| server.tasks(), Ok);
    again_when_moved(here, state, again);
    let known = handle.with(Keeper::known_tasks).unwrap_or_default();
    let records = handle.with(Keeper::known_records).flatten();
    let title = move |record: &str| {
        let listed = records.as_ref().and_then(|list| list.records.iter().find(|r| r.record_id.as_str() == record));
        listed.map_or_else(|| record.to_owned(), |r| r.title.clone())
    };
    let lost = Memo::new(move |_| matches!(shown.link.get(), Link::Lost { .. }));
    // Whether the server has said so, and what there is to show.
    let lines = Memo::new(move |_| {
        let (tasks, told) = state.with(|state| match state {
            // What was told is no more than last known once nobody answers.
            Loaded::Here(tasks) => (tasks.clone(), !lost.get()),
            _ => (known.clone(), false),
        });
        let waiting = shown.outbox.with(|all| starts(all, &tasks));
        let now = tasks.first().map(|task| task.server_time).max(shown.server_now.get()).filter(|_| told);
        let here_only = waiting.iter().map(|entry| Line::of_start(entry, &title));
        let listed = tasks.iter().map(|task| Line::of_task(task, told, now, zone));
        (told, here_only.chain(listed).collect::<Vec<Line>>())
    });
    let query = use_query_map();
    let filter = Memo::new(move |_| query.with(|q| q.get("show")).map_or(Filter::All, |name| Filter::named(&name)));
    let all = Signal::derive(move || lines.with(|(_, lines)| lines.clone()));
    let none = Memo::new(move |_| lines.with(|(told, lines)| (*told, lines.is_empty())));
    view! {
        {move || (!none.get().1).then(|| view! { <Filters lines=all filter /> }.into_any())}
        {move || match state.get() {
            _ if none.get() == (false, false) => view! { <p class="page__note">{places::LAST_KNOWN}</p> }.into_any(),
            Loaded::Here(_) => ().into_any(),
            Loaded::Asking => waits(here),
            Loaded::Failed(why) => did_not_come(why, again),
        }}
        {move || {
            let (told, none) = none.get();
            (told || !none).then(|| view! { <TaskList lines=all filter /> }.into_any())
        }}
    }
    .into_any()
}

/// A list that stands still while its tasks move would tell what is no longer so.
fn again_when_moved(here: Here, state: RwSignal<Loaded<Vec<Snapshot>>>, again: Callback<()>) {
    let Here { shown, .. } = here;
    let moves = move || {
        state.with_untracked(|state| match state {
            Loaded::Here(tasks) => tasks.iter().any(|task| matches!(task.phase, Phase::Pending | Phase::Running)),
            _ => false,
        })
    };
    Effect::new(move |_| {
        if 0 < shown.rounds.get() && moves() {
            again.run(());
        }
    });
    Effect::new(move |_| {
        if shown.started.get().is_some() {
            again.run(());
        }
    });
}

/// Starts that the server has not listed, the newest first.
fn starts(all: &[Entry], listed: &[Snapshot]) -> Vec<Entry> {
    let is_listed = |entry: &Entry| listed.iter().any(|task| task.task_id == entry.intent.task_id);
    let starts = all.iter().rev().filter(|entry| entry.intent.wish.verb() == "start" && !is_listed(entry));
    starts.cloned().collect()
}
