//! Something that a page asks the server for, and how far it has come.

use domain::{freshness::Link, id::TaskId, intent::Wish, outbox::Entry, time::Timestamp};
use leptos::prelude::*;

use super::frame::Here;
use crate::{
    api::error::ApiError,
    ports::server::{Reply, Server},
    signal::{Effect, Memo, RwSignal},
    sync::session::Session,
    words::{
        home, labels,
        refusal::{self, NoAnswer},
    },
};

/// Saving takes no longer, as a rule; where the record is looked at once more before it, much longer.
const SAVED_BY_MS: u64 = 1_500;
const SAVED_AT_LAST_MS: u64 = 32 * SAVED_BY_MS;

/// How far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loaded<T> {
    Asking,
    Here(T),
    Failed(String),
}

/// Something asked for, and a way to ask for it again.
pub struct Asked<T> {
    pub state: RwSignal<Loaded<T>>,
    pub again: Callback<()>,
}

/// Asks when the page opens and whenever it becomes certain again who is here.
pub fn ask<A, T>(
    here: Here,
    question: impl Fn(&dyn Server) -> Reply<A> + Copy + Send + Sync + 'static,
    read: impl Fn(A) -> Result<T, ApiError> + Copy + Send + Sync + 'static,
) -> Asked<T>
where
    A: 'static,
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let state = RwSignal::new(Loaded::<T>::Asking);
    let again = Callback::new(move |()| {
        here.handle.with(|keeper| {
            keeper.fetch(question, move |_, answer| match answer.and_then(read) {
                // Drawn anew it would lose the focus and what is selected: only where it says something else.
                Ok(value) => {
                    let here = Loaded::Here(value);
                    if state.try_with_untracked(|s| *s != here) == Some(true) {
                        state.set(here);
                    }
                }
                // What is on the screen already is not taken away: the header says that nobody answers.
                Err(_) if state.try_with_untracked(|s| matches!(s, Loaded::Here(_))) == Some(true) => {}
                Err(error) => state.set(Loaded::Failed(failed(&error))),
            });
        });
    });
    // Anew also when the server answers again.
    let certain = Memo::new(move |_| {
        let up = here.shown.link.get() == Link::Up;
        up && here.shown.session.with(Session::is_confirmed)
    });
    Effect::new(move |_| {
        if certain.get() {
            again.run(());
        }
    });
    look_for_what_was_accepted(here, certain, again);
    Asked { state, again }
}

/// An accept that waited on this device and was answered becomes an entry a moment later, and nothing tells this
/// page of it: it is asked for at once, and some times more, each time after a longer pause.
fn look_for_what_was_accepted(here: Here, certain: Memo<bool>, again: Callback<()>) {
    let accepts = Memo::new(move |_| here.shown.outbox.with(|all| waiting_accepts(all)));
    leptos::prelude::Effect::new(move |before: Option<usize>| {
        let now = accepts.get();
        if before.is_some_and(|before| now < before) && certain.get_untracked() {
            here.handle.with(|keeper| {
                keeper.device().spawn(Box::pin(async move {
                    let mut wait = SAVED_BY_MS;
                    // The page may be gone by then.
                    while again.try_run(()).is_some() && wait <= SAVED_AT_LAST_MS {
                        let Some(pause) = here.handle.with(|keeper| keeper.device().sleep(wait)) else { return };
                        pause.await;
                        wait *= 2;
                    }
                }));
            });
        }
        now
    });
}

/// Accepts whose answer is still to come.
pub fn waiting_accepts(all: &[Entry]) -> usize {
    all.iter().filter(|e| e.sending.is_waiting() && matches!(e.intent.wish, Wish::Accept { .. })).count()
}

/// The task of an accept that was refused, the newest first.
pub fn refused_accept(all: &[Entry]) -> Option<TaskId> {
    let refused = |e: &&Entry| !e.sending.is_waiting() && matches!(e.intent.wish, Wish::Accept { .. });
    all.iter().rfind(refused).map(|e| e.intent.task_id)
}

/// Shows what came, and otherwise why not, with a way to ask again.
pub fn load<A, T, V>(
    here: Here,
    question: impl Fn(&dyn Server) -> Reply<A> + Copy + Send + Sync + 'static,
    read: impl Fn(A) -> Result<T, ApiError> + Copy + Send + Sync + 'static,
    show: impl Fn(T) -> V + Copy + Send + Sync + 'static,
) -> impl IntoView
where
    A: 'static,
    T: Clone + PartialEq + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let Asked { state, again } = ask(here, question, read);
    move || match state.get() {
        Loaded::Here(value) => show(value).into_any(),
        Loaded::Asking => waits(here),
        Loaded::Failed(why) => did_not_come(why, again),
    }
}

/// While nothing has come.
pub fn waits(here: Here) -> AnyView {
    let lost = Memo::new(move |_| matches!(here.shown.link.get(), Link::Lost { .. }));
    view! { <p class="empty">{move || if lost.get() { home::LIST_WAITS.words() } else { home::LOADING_LIST.words() }}</p> }.into_any()
}

/// Why nothing came.
pub fn did_not_come(why: String, again: Callback<()>) -> AnyView {
    view! {
        <div class="empty">
            <p>{why}</p>
            <button class="button" type="button" on:click=move |_| again.run(())>
                {labels::TRY_AGAIN}
            </button>
        </div>
    }
    .into_any()
}

/// Why something could not be read.
pub fn failed(error: &ApiError) -> String {
    refusal::of((&error.fault(), NoAnswer(error.no_answer)))
}

/// An answer has told the server's time: on a page without a task nothing else does.
pub fn hear_time(here: Here, said: Option<Timestamp>) {
    if let Some(said) = said {
        here.handle.with(|keeper| keeper.hear_time(said));
    }
}

/// The server's time, changing only with the learner's day: what hangs on it is drawn once more then.
pub fn known_day(here: Here) -> Memo<Option<Timestamp>> {
    Memo::new(move |before: Option<&Option<Timestamp>>| {
        let now = here.shown.server_now.get();
        before.copied().flatten().filter(|before| now.is_none_or(|now| here.zone.same_day(*before, now))).or(now)
    })
}
