//! Screens that are loaded when they are wanted: each name below becomes a file of its own.
//!
//! Invariant: seeing how a task stands, writing, and sending need nothing from here. A screen that
//! does not arrive says so and can be asked for again; it never takes what is around it along.

use domain::{freshness::Link, id::TaskId};
use futures::{FutureExt as _, future::LocalBoxFuture};
use leptos::prelude::*;
#[cfg(feature = "pieces")]
use wasm_split_helpers::{SplitLoaderError, wasm_split};

use super::{
    about::AboutPage,
    account::{SignInPage, SignUpPage},
    entry::EntryPage,
    frame::Here,
    library::LibraryPage,
    task::{
        changes::{ChangesView, PairMemo},
        clash::{ClashMemo, ClashView},
        timeline::Happened,
    },
    tasks::TasksPage,
};
use crate::{
    components::notice::Notice,
    signal::{Effect, Memo, RwSignal, Signal},
    words::{apart as words, labels, status::Tone},
};

/// A screen's file did not arrive.
pub struct Missed;

#[cfg(feature = "pieces")]
impl From<SplitLoaderError> for Missed {
    fn from(_: SplitLoaderError) -> Self {
        Self
    }
}

/// A screen in a file of its own where the program is cut into pieces, and a part of the one program where it
/// is not: what tests a device has nobody to fetch pieces from.
macro_rules! piece {
    ($piece:ident: fn $name:ident() -> $found:ty $body:block) => {
        #[cfg(feature = "pieces")]
        #[wasm_split($piece, fallible)]
        fn $name() -> $found $body

        #[cfg(not(feature = "pieces"))]
        async fn $name() -> $found $body
    };
}

type Found<T> = Result<T, Missed>;
type DrawHappened = fn(Here, TaskId, Signal<bool>) -> AnyView;
type DrawChanges = fn(PairMemo) -> AnyView;
type DrawClash = fn(Here, TaskId, ClashMemo) -> AnyView;

piece! {
    account: fn sign_in() -> Found<fn() -> AnyView> {
        Ok(|| view! { <SignInPage /> }.into_any())
    }
}

piece! {
    account: fn sign_up() -> Found<fn() -> AnyView> {
        Ok(|| view! { <SignUpPage /> }.into_any())
    }
}

piece! {
    lists: fn tasks() -> Found<fn() -> AnyView> {
        Ok(|| view! { <TasksPage /> }.into_any())
    }
}

piece! {
    lists: fn library() -> Found<fn() -> AnyView> {
        Ok(|| view! { <LibraryPage /> }.into_any())
    }
}

piece! {
    lists: fn entry() -> Found<fn() -> AnyView> {
        Ok(|| view! { <EntryPage /> }.into_any())
    }
}

piece! {
    about: fn about() -> Found<fn() -> AnyView> {
        Ok(|| view! { <AboutPage /> }.into_any())
    }
}

piece! {
    timeline: fn timeline() -> Found<DrawHappened> {
        Ok(|here, task, open| view! { <Happened here task open /> }.into_any())
    }
}

piece! {
    clash: fn clash() -> Found<DrawClash> {
        Ok(|here, task, clash| view! { <ClashView here task clash /> }.into_any())
    }
}

piece! {
    clash: fn changes() -> Found<DrawChanges> {
        Ok(|pair| view! { <ChangesView pair /> }.into_any())
    }
}

/// Draws a screen that has arrived, as often as it is wanted.
type Draw = Box<dyn Fn() -> AnyView + Send + Sync>;

/// Asks for a screen; asking again after it has arrived costs nothing.
type Ask = fn() -> LocalBoxFuture<'static, Found<fn() -> AnyView>>;

pub fn sign_in_page() -> AnyView {
    page(|| sign_in().boxed_local())
}

pub fn sign_up_page() -> AnyView {
    page(|| sign_up().boxed_local())
}

pub fn tasks_page() -> AnyView {
    page(|| tasks().boxed_local())
}

pub fn library_page() -> AnyView {
    page(|| library().boxed_local())
}

pub fn entry_page() -> AnyView {
    page(|| entry().boxed_local())
}

pub fn about_page() -> AnyView {
    page(|| about().boxed_local())
}

/// What happened, inside of its card.
pub fn timeline_part(here: Here, task: TaskId, open: Signal<bool>) -> AnyView {
    part(here, false, move || {
        timeline().map(move |found| found.map(|draw| Box::new(move || draw(here, task, open)) as Draw)).boxed_local()
    })
}

/// The decision between two texts.
pub fn clash_part(here: Here, task: TaskId, of: ClashMemo) -> AnyView {
    part(here, false, move || {
        clash().map(move |found| found.map(|draw| Box::new(move || draw(here, task, of)) as Draw)).boxed_local()
    })
}

/// What changed from one version to the next.
pub fn changes_part(here: Here, pair: PairMemo) -> AnyView {
    part(here, false, move || {
        changes().map(move |found| found.map(|draw| Box::new(move || draw(pair)) as Draw)).boxed_local()
    })
}

/// A page of its own.
fn page(ask: Ask) -> AnyView {
    let Some(here) = Here::get() else { return ().into_any() };
    part(here, true, move || ask().map(|found| found.map(|draw| Box::new(draw) as Draw)).boxed_local())
}

/// How far a screen has come.
enum Arrival {
    Awaited,
    Arrived(Draw),
    Missed,
}

fn part(
    here: Here,
    whole: bool,
    ask: impl Fn() -> LocalBoxFuture<'static, Found<Draw>> + Send + Sync + 'static,
) -> AnyView {
    let arrival = RwSignal::new(Arrival::Awaited);
    let arrived = |found: Found<Draw>| found.map_or(Arrival::Missed, Arrival::Arrived);
    let fetch = Callback::new(move |()| {
        let mut coming = ask();
        // What is here already is drawn at once.
        if let Some(found) = (&mut coming).now_or_never() {
            arrival.set(arrived(found));
            return;
        }
        arrival.set(Arrival::Awaited);
        here.handle.with(|keeper| {
            keeper.device().spawn(Box::pin(async move {
                let came = arrived(coming.await);
                if whole && matches!(came, Arrival::Missed) {
                    here.handle.with(|keeper| keeper.device().announce(words::TITLE.words()));
                }
                arrival.set(came);
            }));
        });
    });
    fetch.run(());
    // The way to the server is back: a good moment to ask again.
    let up = Memo::new(move |_| here.shown.link.get() == Link::Up);
    Effect::new(move |_| {
        if up.get() && arrival.with_untracked(|arrival| matches!(arrival, Arrival::Missed)) {
            fetch.run(());
        }
    });
    (move || {
        arrival.with(|arrival| match arrival {
            Arrival::Arrived(draw) => untrack(draw),
            Arrival::Awaited => around(whole, view! { <p class="empty">{words::LOADING}</p> }.into_any()),
            // A page has a heading, also one that has not come.
            Arrival::Missed if whole => around(
                whole,
                view! {
                    <h1 class="visually-hidden">{labels::BRAND}</h1>
                    <MissedPart again=fetch />
                }
                .into_any(),
            ),
            Arrival::Missed => view! { <MissedPart again=fetch /> }.into_any(),
        })
    })
    .into_any()
}

/// What stands in the place of a whole page is one.
fn around(whole: bool, inside: AnyView) -> AnyView {
    if whole { view! { <main id="main" class="page" tabindex="-1">{inside}</main> }.into_any() } else { inside }
}

#[component]
fn MissedPart(again: Callback<()>) -> impl IntoView {
    view! {
        <Notice tone=Tone::Bad title=words::TITLE words=words::MISSED>
            <button class="button button--primary" type="button" on:click=move |_| again.run(())>
                {labels::TRY_AGAIN}
            </button>
            // Only a new page knows the files of a newer build.
            <a class="button" href="" rel="external">
                {labels::RELOAD}
            </a>
        </Notice>
    }
    .into_any()
}
