//! One task: its status, evidence, draft, what waits, what happened, and the one next step.

mod beside; // texts that are not in their field
pub mod changes; // what changed from version to version
pub mod clash; // another version had become current
mod notes; // what a person found out about an uncertain outcome
mod parts; // the cards
pub mod review; // the texts: typed, waiting, current, earlier
mod steps; // the one next step
pub mod timeline; // what happened, when it is wanted

use std::rc::Rc;

use domain::id::TaskId;
use leptos::prelude::*;

use leptos_router::hooks::use_params_map;

use self::{
    beside::{Kept, Others},
    notes::FoundOut,
    parts::Parts,
    review::Texts,
    steps::NextStep,
};
use super::{
    apart,
    frame::{Frame, Here, Private},
    missing::MissingPage,
    standing::{standing, told, view_of},
};
use crate::{
    app::Handle,
    cache::Found,
    components::{
        notice::Notice,
        others::Other,
        outbox::OutboxWish,
        progress::{self, Progress},
        show::Show,
        status::Status,
    },
    signal::{Effect, Memo, RwSignal},
    words::{
        self, labels, problem,
        status::{Standing, Tone},
    },
};

/// The page of the task that the address names.
#[component]
pub fn TaskPage() -> impl IntoView {
    let here = Here::get()?;
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|p| p.get("id")).and_then(|raw| raw.parse::<TaskId>().ok()));
    Some(move || match id.get() {
        None => view! { <MissingPage /> }.into_any(),
        Some(task) => view! {
            <Private with_status=true>
                <Task here task />
            </Private>
        }
        .into_any(),
    })
}

#[component]
fn Task(here: Here, task: TaskId) -> impl IntoView {
    let Here { handle, shown, .. } = here;
    handle.with(|keeper| keeper.watch(Some(task)));
    let standing = standing(here);
    // What was opened and is really there is where the learner is.
    let at_home = Memo::new(move |_| standing.with(|s| s.freshness.is_confirmed() && s.task.is_some()));
    Effect::new(move |_| {
        if at_home.get() && shown.current.get_untracked() != Some(task) {
            handle.with(|keeper| keeper.make_current(task));
        }
    });
    let status = told(here, Memo::new(move |_| standing.with(view_of)));
    let title =
        Memo::new(move |_| standing.with(|s| s.task.as_ref().map_or_else(|| labels::TASK.into(), |t| t.title.clone())));
    let texts = Texts::of(here, task);
    let clash = clash::clash(here, standing, texts);
    let clashing = Memo::new(move |_| clash.with(Option::is_some));
    let found_out = FoundOut::of(here, task);
    steps::tell_refused(here, task, clashing);
    view! {
        <Frame kind="task" title=title>
            <div class="page__head">
                <Status view=status />
                <Heading here standing />
                <Show when=move || clashing.get()>
                    {apart::clash_part(here, task, clash)}
                    <Others here task standing clashing texts />
                </Show>
                <Kept here task standing clashing texts found_out />
            </div>
            <Show when=move || !clashing.get()>
                <Parts here task standing clashing texts found_out />
            </Show>
        </Frame>
        <Show when=move || !clashing.get()>
            <NextStep here task standing texts />
        </Show>
    }
    .into_any()
}

/// Which task it is, how far it has come, and what is to be known beside its state.
#[component]
fn Heading(here: Here, standing: Memo<Standing>) -> impl IntoView {
    let about = Memo::new(move |_| standing.with(|s| s.task.as_ref().map(|t| (t.title.clone(), t.question.clone()))));
    let steps =
        Memo::new(move |_| standing.with(|s| s.task.as_ref().map_or([progress::Step::Todo; 4], progress::steps)));
    let figures = Memo::new(move |_| standing.with(progress::figures));
    let note = Memo::new(move |_| standing.with(words::progress::note));
    let notice = Memo::new(move |_| standing.with(|s| s.task.as_ref().and_then(|t| t.notice.clone())));
    count_seconds(here, standing);
    view! {
        {move || {
            about
                .get()
                .map(|(title, question)| {
                    view! {
                        <h1 class="page__title" lang="" dir="auto">
                            {title}
                        </h1>
                        <p class="page__lead" lang="" dir="auto">
                            {question}
                        </p>
                        <Progress steps figures />
                        <p class="progress__note">{move || note.get()}</p>
                    }
                })
        }}
        {move || notice.get().map(|n| view! { <Notice tone=Tone::Waiting words=problem::notice(&n) /> }.into_any())}
    }
    .into_any()
}

/// Has the clock tick while a step that is under way counts its seconds.
fn count_seconds(here: Here, standing: Memo<Standing>) {
    let counted = Memo::new(move |_| standing.with(progress::is_counted));
    // Each count has a number: one that goes on after a pause does not run beside the one before.
    let count = RwSignal::new(0_u32);
    Effect::new(move |_| {
        if !counted.get() {
            return;
        }
        let mine = count.with_untracked(|count| count + 1);
        count.set(mine);
        let wanted = move || count.try_get_untracked() == Some(mine) && counted.try_get_untracked() == Some(true);
        here.handle.with(|keeper| keeper.count_seconds(Rc::new(wanted)));
    });
}

/// Texts as a component shows them.
pub fn listed(found: &[Found]) -> Vec<Other> {
    let other = |f: &Found| Other { record_id: f.unsent.record_id.clone(), text: f.unsent.text.clone() };
    found.iter().map(other).collect()
}

/// What a learner may do with what waits.
pub fn outbox_wish(handle: Handle) -> Callback<OutboxWish> {
    Callback::new(move |wish| {
        handle.with(|keeper| match wish {
            OutboxWish::SendNow => keeper.send_now(),
            OutboxWish::Discard(op) => keeper.discard(op),
        });
    })
}
