//! The current task, at home.

use domain::{snapshot::Snapshot, time::Timestamp};
use leptos::prelude::*;

use super::progress::{Progress, steps};
use crate::{
    signal::Signal,
    words::{labels, status},
};

/// Which task it is, how far, and a way to it.
#[component]
pub fn ResumeCard(task: Snapshot, confirmed: bool, now: Option<Timestamp>) -> impl IntoView {
    let (tone, tag) = status::tag(&task, now);
    // A tag must not sound surer than the status above it.
    let tone = if confirmed { tone } else { status::Tone::Unknown };
    let steps = steps(&task);
    let Snapshot { title, question, task_id, .. } = task;
    view! {
        <section class="card card--resume">
            <p class="card__kicker">{labels::PICK_UP}</p>
            <h2 class="page__title">{title}</h2>
            <p class="page__lead">{question}</p>
            <Progress steps=Signal::stored(steps) />
            <div class="row">
                <span class=format!("tag tag--{}", tone.as_str())>{status::hedged(&tag, confirmed)}</span>
                <a class="button button--primary" href=format!("/tasks/{task_id}")>
                    {labels::OPEN}
                </a>
            </div>
        </section>
    }
    .into_any()
}
