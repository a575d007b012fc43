//! What happened: step by step for a learner, and line by line for whoever wants to know.

use domain::{
    course::{StepAccount, Timeline},
    snapshot::EventLine,
    time::Timestamp,
};
use leptos::prelude::*;

use super::{fold::Fold, show::Show};
use crate::{
    signal::{Memo, RwSignal, Signal},
    words::{
        home, labels,
        timeline::{self, Told, steps::Clock},
        times::Zone,
    },
};

/// The timeline, folded away until it is wanted. What was unfolded once stays.
#[component]
pub fn TimelineCard(
    open: RwSignal<bool>,
    /// Draws what is in it, when it is unfolded for the first time.
    #[prop(into)]
    draw: ViewFn,
) -> impl IntoView {
    let wanted = Memo::new(move |before| before.copied().unwrap_or_default() || open.get());
    view! {
        <details class="card card--timeline" prop:open=move || open.get()>
            <summary
                class="fold__label"
                on:click=move |ev| {
                    ev.prevent_default();
                    open.update(|open| *open = !*open);
                }
            >
                <h2 class="card__title">{labels::WHAT_HAPPENED}</h2>
            </summary>
            {move || wanted.get().then(|| draw.run())}
        </details>
    }
    .into_any()
}

/// What is in it: the steps, and the whole log.
#[component]
pub fn TimelineLines(
    #[prop(into)] timeline: Signal<Timeline>,
    /// Whether somebody works on the task, as far as is known now.
    #[prop(into)]
    working: Signal<bool>,
    #[prop(into)] now: Signal<Option<Timestamp>>,
    zone: Zone,
) -> impl IntoView {
    let clock = move || Clock { now: now.get_untracked(), zone };
    let told = Memo::new(move |_| timeline.with(timeline::told));
    let events = Memo::new(move |_| timeline.with(|timeline| timeline.events.clone()));
    view! {
            <Show
                when=move || !events.with(Vec::is_empty)
                fallback=|| view! { <p class="empty">{home::NO_EVENTS}</p> }
            >
                <ol class="timeline">
                    {move || {
                        let working = working.get();
                        told.get().iter().map(|line| told_line(line, working, clock())).collect_view()
                    }}
                </ol>
                <Fold label=labels::FULL_LOG.words()>
                    <ol class="timeline">
                        <For each=move || events.get() key=|event| event.seq let:event>
                            {event_line(&event, clock())}
                        </For>
                    </ol>
                </Fold>
            </Show>
    }
    .into_any()
}

fn told_line(line: &Told, working: bool, clock: Clock) -> impl IntoView + use<> {
    match line {
        Told::Step(step) => step_line(step, working, clock).into_any(),
        Told::Deed(event) => view! {
            <li class="timeline__line timeline__line--plain">
                <p class="timeline__what">{timeline::what(event)}</p>
                <p class="timeline__detail">{timeline::when(event, clock.now, clock.zone)}</p>
            </li>
        }
        .into_any(),
    }
}

fn step_line(step: &StepAccount, working: bool, clock: Clock) -> impl IntoView + use<> {
    let words = timeline::steps::step(step, working, clock);
    let details = words.details.into_iter().map(|detail| view! { <p class="timeline__detail">{detail}</p> }.into_any());
    view! {
        <li class=format!("timeline__line timeline__line--{}", words.kind)>
            <p class="timeline__what">
                {words.title}" "<span class="timeline__tag">{words.tag}</span>
            </p>
            {details.collect_view()}
        </li>
    }
}

fn event_line(event: &EventLine, clock: Clock) -> impl IntoView + use<> {
    view! {
        <li class=format!("timeline__line timeline__line--{}", timeline::kind(event))>
            <p class="timeline__what">{timeline::what(event)}</p>
            <p class="timeline__when">{timeline::when(event, clock.now, clock.zone)}</p>
            <p class="timeline__marks">{timeline::marks(event)}</p>
        </li>
    }
}
