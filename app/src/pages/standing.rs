//! How the task on the screen stands: everything that its status is made of.

use domain::{
    id::TaskId,
    outbox::{Entry, Sending},
};
use leptos::prelude::*;

use super::frame::Here;
use crate::{
    components::status::Marks,
    words::status::{self, Standing, StatusWords},
};

/// The standing of the watched task.
pub fn standing(here: Here) -> Memo<Standing> {
    let Here { shown, zone, .. } = here;
    Memo::new(move |_| Standing {
        task: shown.task.get(),
        freshness: shown.freshness.get(),
        now: shown.server_now.get(),
        zone,
        waiting: shown.watched.get().map(|task| entries_of(here, task)).unwrap_or_default(),
        gone: shown.gone.get(),
    })
}

/// What waits for one task, refused ones too.
pub fn entries_of(here: Here, task: TaskId) -> Vec<Entry> {
    here.shown.outbox.with(|all| all.iter().filter(|e| e.intent.task_id == task).cloned().collect())
}

/// The status in words, announced to those who listen whenever it reads differently.
pub fn spoken(here: Here, standing: Memo<Standing>) -> Memo<StatusWords> {
    let words = Memo::new(move |_| standing.with(status::status));
    let title = Memo::new(move |_| words.with(|w| w.title.clone()));
    Effect::new(move |before: Option<String>| {
        let title = title.get();
        if before.as_ref() != Some(&title) {
            let sentence = words.with_untracked(StatusWords::spoken);
            here.handle.with(|keeper| keeper.device().announce(&sentence));
        }
        title
    });
    words
}

/// The same for programs.
pub fn marks(standing: Memo<Standing>) -> Memo<Marks> {
    Memo::new(move |_| {
        standing.with(|s| Marks {
            state: s.task.as_ref().map_or("none", |task| task.state.as_str()),
            freshness: s.freshness.as_str(),
            version: s.task.as_ref().and_then(|task| task.draft_version),
        })
    })
}

/// Whether a wish of this kind is under way.
pub fn is_under_way(entries: &[Entry], verb: &str) -> bool {
    entries.iter().any(|e| e.sending.is_waiting() && e.intent.wish.verb() == verb && e.sending != Sending::NeedsSignIn)
}
