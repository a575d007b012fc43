//! The four steps: look up, draft, review, save.

use domain::{explanation::StateName, snapshot::Snapshot};
use leptos::prelude::*;

use crate::{signal::Signal, words::labels};

/// How far one step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Done,
    Now,
    Todo,
    Bad,
}

impl Step {
    fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Now => "now",
            Self::Todo => "todo",
            Self::Bad => "bad",
        }
    }
}

/// How far the steps of a task are.
pub fn steps(task: &Snapshot) -> [Step; 4] {
    use Step::{Bad, Done, Now, Todo};
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
        StateName::Cancelled => [so_far(looked || drafted), so_far(drafted), Todo, Todo],
    }
}

/// The steps in a row.
#[component]
pub fn Progress(#[prop(into)] steps: Signal<[Step; 4]>) -> impl IntoView {
    view! {
        <ol class="progress" aria-label=labels::PROGRESS>
            {move || {
                labels::steps()
                    .into_iter()
                    .zip(steps.get())
                    .map(|(name, step)| {
                        let now = matches!(step, Step::Now | Step::Bad).then_some("step");
                        view! {
                            <li class=format!("progress__step progress__step--{}", step.as_str()) aria-current=now>
                                {name}
                                <span class="visually-hidden">{labels::step_is(step.as_str())}</span>
                            </li>
                        }
                    })
                    .collect_view()
            }}
        </ol>
    }
    .into_any()
}
