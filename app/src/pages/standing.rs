//! How the task on the screen stands: everything that its status is made of.

use std::time::Duration;

use domain::{
    id::TaskId,
    outbox::{Entry, Sending},
    snapshot::Snapshot,
};
use leptos::prelude::*;

use super::frame::Here;
use crate::{
    components::status::{Marks, StatusView},
    ports::device::Keeping,
    signal::Memo,
    sync::shown::Shown,
    words::{
        sending::Lasts,
        status::{self, Standing},
    },
};

/// The standing of the watched task.
pub fn standing(here: Here) -> Memo<Standing> {
    let Here { shown, zone, .. } = here;
    let before = before(here);
    Memo::new(move |_| Standing {
        before: before.get(),
        task: shown.task.get(),
        freshness: shown.freshness.get(),
        now: shown.server_now.get(),
        zone,
        waiting: shown.watched.get().map(|task| entries_of(here, task)).unwrap_or_default(),
        unsent: shown.unsent.get(),
        lasts: all_last(here),
        gone: shown.gone.get(),
    })
}

/// Who saw the task less than so long ago, by the server's clock, was not away.
const AWAY: Duration = Duration::from_mins(1);

/// How the task stood when this device last saw it, for as long as the first answer that says otherwise is
/// the newest: what comes about before the learner's eyes is no news.
fn before(here: Here) -> Memo<Option<String>> {
    let shown = here.shown;
    let known = StoredValue::new(None::<Snapshot>);
    let first = StoredValue::new(None::<u64>);
    Memo::new(move |_| {
        let task = shown.task.get()?;
        if known.with_value(|known| known.as_ref().is_none_or(|known| known.task_id != task.task_id)) {
            first.set_value(None);
            known.set_value(Some(task.clone()));
        }
        if !shown.freshness.get().is_confirmed() {
            return None;
        }
        let first = first.try_update_value(|first| *first.get_or_insert(task.seq))?;
        let known = known.get_value().filter(|_| first == task.seq)?;
        let moved = known.state != task.state || known.draft_version != task.draft_version;
        let away = AWAY <= task.server_time.since(known.server_time);
        (moved && away).then(|| status::short(&known, None))
    })
}

/// What waits for one task, refused ones too.
pub fn entries_of(here: Here, task: TaskId) -> Vec<Entry> {
    here.shown.outbox.with(|all| all.iter().filter(|e| e.intent.task_id == task).cloned().collect())
}

/// How long everything on this device lasts that the server does not have.
pub fn all_last(here: Here) -> Lasts {
    let Shown { keeping, not_kept, .. } = here.shown;
    if keeping.get() == Keeping::OnDevice && not_kept.get().is_none() { Lasts::OnDevice } else { Lasts::WithPage }
}

/// Entries, each with how long it will last.
pub fn lasting(here: Here, entries: Vec<Entry>) -> Vec<(Entry, Lasts)> {
    let Shown { keeping, held, .. } = here.shown;
    let open_only = keeping.get() == Keeping::WhileOpen;
    let lasts = |op| if open_only || held.with(|held| held.contains(&op)) { Lasts::WithPage } else { Lasts::OnDevice };
    entries.into_iter().map(|entry| (entry.clone(), lasts(entry.intent.op_id))).collect()
}

/// The status, announced to those who listen whenever its title changes.
pub fn told(here: Here, view: Memo<StatusView>) -> Memo<StatusView> {
    let title = Memo::new(move |_| view.with(|v| v.words.title.clone()));
    Effect::new(move |before: Option<String>| {
        let title = title.get();
        if before.as_ref() != Some(&title) {
            let sentence = view.with_untracked(|v| v.words.spoken());
            here.handle.with(|keeper| keeper.device().announce(&sentence));
        }
        title
    });
    // What was said of a task is not left standing on a page that is about none.
    on_cleanup(move || {
        here.handle.with(|keeper| keeper.device().announce(""));
    });
    view
}

/// The status of a standing, for people and for programs.
pub fn view_of(standing: &Standing) -> StatusView {
    let task = standing.task.as_ref().filter(|_| !standing.gone);
    StatusView {
        words: status::status(standing),
        marks: Marks {
            state: task.map_or("none", |task| task.state.as_str()),
            // That there is no such task is the server's answer; there is no picture to be old.
            freshness: if standing.gone { "confirmed" } else { standing.freshness.as_str() },
            version: task.and_then(|task| task.draft_version),
        },
    }
}

/// Whether a wish of this kind is under way.
pub fn is_under_way(entries: &[Entry], verb: &str) -> bool {
    entries.iter().any(|e| e.sending.is_waiting() && e.intent.wish.verb() == verb && e.sending != Sending::NeedsSignIn)
}
