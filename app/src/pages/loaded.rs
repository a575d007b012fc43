//! Something that a page asks the server for, and how far it has come.

use domain::freshness::Link;
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

/// How far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loaded<T> {
    Asking,
    Here(T),
    Failed(String),
}

/// Asks when the page opens and whenever it becomes certain again who is here; shows what came, and
/// otherwise why not, with a way to ask again.
pub fn load<A, T, V>(
    here: Here,
    ask: impl Fn(&dyn Server) -> Reply<A> + Copy + Send + Sync + 'static,
    read: impl Fn(A) -> Result<T, ApiError> + Copy + Send + Sync + 'static,
    show: impl Fn(T) -> V + Copy + Send + Sync + 'static,
) -> impl IntoView
where
    A: 'static,
    T: Clone + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let state = RwSignal::new(Loaded::<T>::Asking);
    let again = move || {
        here.handle.with(|keeper| {
            keeper.fetch(ask, move |_, answer| match answer.and_then(read) {
                Ok(value) => state.set(Loaded::Here(value)),
                Err(error) => state.set(Loaded::Failed(failed(&error))),
            });
        });
    };
    // Anew also when the server answers again.
    let certain = Memo::new(move |_| {
        let up = here.shown.link.get() == Link::Up;
        up && here.shown.session.with(Session::is_confirmed)
    });
    Effect::new(move |_| {
        if certain.get() {
            again();
        }
    });
    move || match state.get() {
        Loaded::Here(value) => show(value).into_any(),
        Loaded::Asking => {
            let lost = Memo::new(move |_| matches!(here.shown.link.get(), Link::Lost { .. }));
            view! { <p class="empty">{move || if lost.get() { home::LIST_WAITS.words() } else { home::LOADING_LIST.words() }}</p> }
                .into_any()
        }
        Loaded::Failed(why) => view! {
            <p class="empty">{why}</p>
            <button class="button" type="button" on:click=move |_| again()>
                {labels::TRY_AGAIN}
            </button>
        }
        .into_any(),
    }
}

/// Why something could not be read.
pub fn failed(error: &ApiError) -> String {
    refusal::of((&error.fault(), NoAnswer(error.no_answer)))
}
