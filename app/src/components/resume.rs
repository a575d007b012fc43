//! The current task, at home.

use domain::{snapshot::Snapshot, time::Timestamp};
use leptos::prelude::*;

use super::progress::{Progress, steps};
use crate::{
    signal::Signal,
    words::{labels, places, status},
};

/// Which task it is, how far, and a way to it.
#[component]
pub fn ResumeCard(
    task: Snapshot,
    confirmed: bool,
    /// Whether how it stands is said here; otherwise the status above says it.
    tagged: bool,
    now: Option<Timestamp>,
) -> impl IntoView {
    let (tone, tag) = status::tag(&task, now.filter(|_| confirmed));
    // A tag must not sound surer than the status above it.
    let tone = if confirmed { tone } else { status::Tone::Unknown };
    let steps = steps(&task);
    let Snapshot { title, question, task_id, phase, .. } = task;
    let finished = phase.is_finished();
    view! {
        <section class="card card--resume">
            <p class="card__kicker">{if finished { places::LAST_TASK } else { labels::PICK_UP }}</p>
            <h2 class="page__title" lang="" dir="auto">{title}</h2>
            <p class="page__lead" lang="" dir="auto">{question}</p>
            <Progress steps=Signal::stored(steps) />
            {tagged
                .then(|| {
                    view! {
                        <p>
                            <span class=format!("tag tag--{}", tone.as_str())>{status::hedged(&tag, confirmed)}</span>
                        </p>
                    }
                    .into_any()
                })}
            // What is done calls for nothing more; what is not is the next step of this page.
            <a
                class=if finished { "button button--wide" } else { "button button--primary button--wide" }
                href=format!("/tasks/{task_id}")
            >
                {labels::OPEN}
            </a>
        </section>
    }
    .into_any()
}
