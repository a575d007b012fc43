//! The four steps: look up, draft, review, save; how far each is, and how long it has taken.
//!
//! Invariant: a figure follows from instants that the server named. A step that is under way is counted only
//! while a worker holds it and the picture is confirmed.

use std::time::Duration;

use domain::{
    explanation::StateName,
    snapshot::{Author, Outcome, Snapshot},
    time::Timestamp,
};
use leptos::prelude::*;

use super::icon::{Icon, Picture};
use crate::{
    signal::{Memo, Signal},
    words::{
        labels, progress,
        status::{Standing, is_active},
    },
};

/// How far one step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Done,
    Now,
    Todo,
    /// It will not come any more.
    Missed,
    Bad,
}

impl Step {
    fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Now => "now",
            Self::Todo => "todo",
            Self::Missed => "missed",
            Self::Bad => "bad",
        }
    }

    fn picture(self) -> Picture {
        match self {
            Self::Done => Picture::Check,
            Self::Now => Picture::Working,
            Self::Todo | Self::Missed => Picture::Open,
            Self::Bad => Picture::Warning,
        }
    }
}

/// How far the steps of a task are.
pub fn steps(task: &Snapshot) -> [Step; 4] {
    use Step::{Bad, Done, Missed, Now, Todo};
    let (looked, drafted) = (!task.evidence.is_empty(), task.draft_version.is_some());
    let so_far = |done: bool| if done { Done } else { Todo };
    match task.state {
        StateName::Created => [Now, Todo, Todo, Todo],
        StateName::EvidenceSaved => [Done, Now, Todo, Todo],
        StateName::AwaitingReview => [Done, Done, Now, Todo],
        StateName::Rechecking => [Now, Done, Todo, Todo],
        StateName::Accepted => [Done, Done, Done, Now],
        StateName::Saved => [Done; 4],
        StateName::SourceMissing => [Bad, so_far(drafted), Todo, Todo],
        StateName::SourceUnavailable if drafted => [Bad, Done, Done, Todo],
        StateName::SourceUnavailable => [Bad, Todo, Todo, Todo],
        StateName::DraftFailed => [Done, Bad, Todo, Todo],
        StateName::NeedsChecking => [so_far(looked || drafted), so_far(drafted), so_far(drafted), Bad],
        StateName::Cancelled => {
            let reached = |done: bool| if done { Done } else { Missed };
            [reached(looked || drafted), reached(drafted), Missed, Missed]
        }
    }
}

/// How long each step took, or has taken so far; none where nobody can know.
pub fn figures(standing: &Standing) -> [Option<Duration>; 4] {
    let Some(task) = &standing.task else { return [None; 4] };
    let seen = task.evidence.first().map(|evidence| evidence.observed_at);
    let written = task.drafts.first().map(|draft| draft.created_at);
    // When a later draft was asked for is not in the picture.
    let once = task.drafts.iter().filter(|draft| draft.author == Author::Model).count() == 1;
    let saved = match task.outcome {
        Some(Outcome::Saved { saved_at, .. }) => Some(saved_at),
        _ => None,
    };
    let between = |from: Option<Timestamp>, to: Option<Timestamp>| Some(to?.since(from?));
    let took = [
        between(Some(task.created_at), seen),
        between(seen, written.filter(|_| once)),
        between(written, task.accepted_at),
        between(task.accepted_at, saved),
    ];
    let under_way = task.under_way.filter(|_| is_counted(standing)).map(|step| step.since);
    let mut so_far = between(under_way, standing.now);
    let steps = steps(task);
    let mut figures = [None; 4];
    for (nth, figure) in figures.iter_mut().enumerate() {
        *figure = match steps[nth] {
            Step::Done => took[nth],
            Step::Now => so_far.take(),
            Step::Todo | Step::Missed | Step::Bad => None,
        };
    }
    figures
}

/// Whether the seconds of the step under way are counted.
pub fn is_counted(standing: &Standing) -> bool {
    let held = standing.task.as_ref().is_some_and(|task| task.under_way.is_some() && is_active(task, standing.now));
    held && standing.freshness.is_confirmed()
}

/// The steps in a row.
#[component]
pub fn Progress(
    #[prop(into)] steps: Signal<[Step; 4]>,
    #[prop(optional, into)] figures: Signal<[Option<Duration>; 4]>,
) -> impl IntoView {
    let figure = move |nth: usize| {
        let figure = Memo::new(move |_| figures.with(|all| all[nth].map(progress::lasted)));
        move || figure.get()
    };
    view! {
        <ol class="progress" aria-label=labels::PROGRESS>
            {move || {
                labels::steps()
                    .into_iter()
                    .zip(steps.get())
                    .enumerate()
                    .map(|(nth, (name, step))| {
                        let now = matches!(step, Step::Now | Step::Bad).then_some("step");
                        view! {
                            <li class=format!("progress__step progress__step--{}", step.as_str()) aria-current=now>
                                <Icon picture=step.picture() class="icon--small" />
                                <span>
                                    {name} <span class="visually-hidden">{labels::step_is(step.as_str())}</span> " "
                                </span>
                                // A step that counts its seconds would be noise to those who listen.
                                <span class="progress__took" aria-hidden=(step == Step::Now).then_some("true")>
                                    {figure(nth)}
                                </span>
                            </li>
                        }
                    })
                    .collect_view()
            }}
        </ol>
    }
    .into_any()
}
