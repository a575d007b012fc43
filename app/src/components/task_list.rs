//! All tasks of the learner, newest first.

use domain::{snapshot::Snapshot, time::Timestamp};
use leptos::prelude::*;

use crate::words::{home, status, times, times::Zone};

/// One line each: what it is about, how it stands, since when.
#[component]
pub fn TaskList(tasks: Vec<Snapshot>, now: Option<Timestamp>, zone: Zone) -> impl IntoView {
    if tasks.is_empty() {
        return view! { <p class="empty">{home::NO_TASKS}</p> }.into_any();
    }
    view! {
        <ul class="list">
            {tasks
                .into_iter()
                .map(|task| {
                    let (tone, words) = status::tag(&task, now);
                    view! {
                        <li class="list__item" data-task=task.task_id.to_string()>
                            <a class="list__link" href=format!("/tasks/{}", task.task_id)>
                                <span class="list__title">{task.title.clone()}</span>
                                <span class="list__lead">{task.question.clone()}</span>
                                <span class="list__foot">
                                    <span class=format!("tag tag--{}", tone.as_str())>{words}</span>
                                    <span class="list__when">{times::at(task.updated_at, now, zone)}</span>
                                </span>
                            </a>
                        </li>
                    }
                })
                .collect_view()}
        </ul>
    }
    .into_any()
}
