//! All tasks of the learner.

use leptos::prelude::*;

use super::{
    frame::{Frame, Here, Private},
    loaded::load,
};
use crate::{components::task_list::TaskList, words::labels};

/// The list, newest first.
#[component]
pub fn TasksPage() -> impl IntoView {
    let here = Here::get()?;
    here.handle.with(|keeper| keeper.watch(None));
    Some(view! {
        <Private>
            <Frame kind="tasks" title=labels::TASKS>
                <h1 class="page__title">{labels::TASKS}</h1>
                {load(
                    here,
                    |server| server.tasks(),
                    Ok,
                    move |tasks| {
                        let now = tasks.first().map(|task| task.server_time);
                        view! { <TaskList tasks now zone=here.zone /> }
                    },
                )}
                <a class="button button--wide" href="/">
                    {labels::NEW_TASK}
                </a>
            </Frame>
        </Private>
    })
}
