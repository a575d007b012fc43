//! What every page has: the header, warnings, and who may see it.

use domain::{freshness::Link, id::UserId};
use leptos::prelude::*;
use leptos_router::{
    NavigateOptions,
    hooks::{use_location, use_navigate},
};

use super::program::NewerBuild;
use crate::{
    app::Handle,
    components::{
        copy::{Copier, CopyWish},
        header::{Header, LinkWords},
        notice::Notice,
        status::{Marks, Status, StatusView},
    },
    ports::device::{HandOver, Keeping, SlotError},
    signal::{Effect, Memo, RwSignal, Signal},
    sync::{Keeper, session::Session, shown::Shown},
    words::{
        home, labels, places,
        sending::{self, AtStake, NotKept},
        status::{self as status_words, Tone},
        times::Zone,
    },
};

/// So long a button says that its text was copied.
const COPIED_MS: u64 = 4_000;

/// What pages share, from the context of the application.
#[derive(Clone, Copy)]
pub struct Here {
    pub handle: Handle,
    pub shown: Shown,
    pub zone: Zone,
}

impl Here {
    /// None outside of a tab.
    pub fn get() -> Option<Self> {
        let handle = Handle::here()?;
        Some(Self { handle, shown: handle.shown()?, zone: use_context().unwrap_or_default() })
    }

    /// Copies a text, tells the button, and those who listen.
    pub fn copier(self) -> Copier {
        Callback::new(move |CopyWish { text, done }| {
            self.handle.with(|keeper| {
                let given = keeper.device().hand_over(&text, HandOver::Clipboard);
                keeper.device().spawn(Box::pin(async move {
                    let copied = given.await;
                    let words = if copied { places::COPIED } else { places::NOT_COPIED };
                    self.handle.with(|keeper| keeper.device().announce(words.words()));
                    // The button may be gone by now.
                    done.set(Some(copied));
                    // Another text may be copied next: what says so does not stay.
                    let pause = self.handle.with(|keeper| keeper.device().sleep(COPIED_MS));
                    if let Some(pause) = pause.filter(|_| copied) {
                        pause.await;
                        done.set(None);
                    }
                }));
            });
        })
    }
}

/// The header, fed by what the keeper shows.
#[component]
pub fn Top() -> impl IntoView {
    let here = Here::get()?;
    let Here { handle, shown, zone } = here;
    let link = Memo::new(move |_| {
        let link = shown.link.get();
        // The way may stand while nothing is confirmed by it: the header says no more than the status.
        let asks = shown.watched.with(Option::is_some) && !shown.gone.get() && shown.freshness.get().is_asking();
        LinkWords { kind: labels::link_kind(link, asks), words: labels::link(link, asks, shown.server_now.get(), zone) }
    });
    let name = Memo::new(move |_| shown.session.with(|s| s.user().map(|who| who.name.clone())));
    let signed_out = Memo::new(move |_| shown.session.with(|s| *s == Session::SignedOut));
    let lost = Memo::new(move |before: Option<&bool>| match shown.link.get() {
        Link::Lost { .. } => true,
        Link::Up => false,
        Link::Unknown | Link::Connecting | Link::Reconnecting => before.copied().unwrap_or_default(),
    });
    let mut told = false;
    Effect::new(move |_| {
        // A page with a task has it said by the status.
        if lost.get() != told && shown.watched.with_untracked(Option::is_none) {
            handle.with(|keeper| keeper.device().announce(&link.with_untracked(|link| link.words.clone())));
        }
        told = lost.get_untracked();
    });
    let path = use_location().pathname;
    let navigate = use_navigate();
    // From every page, also from one that anybody may read: there it is said that nothing was left behind.
    leptos::prelude::Effect::new(move |before: Option<bool>| {
        let left = shown.left.get();
        if left && before == Some(false) {
            navigate("/sign-in", NavigateOptions { replace: true, ..NavigateOptions::default() });
        }
        left
    });
    let asking = RwSignal::new(None::<AtStake>);
    let leave = move || {
        asking.set(None);
        handle.with(Keeper::sign_out);
    };
    let sign_out = Callback::new(move |()| {
        let texts = handle.with(Keeper::unsent_texts).unwrap_or_default();
        let at_stake = AtStake { changes: shown.outbox.with_untracked(Vec::len), texts };
        if at_stake.is_nothing() {
            leave();
        } else {
            asking.set(Some(at_stake));
        }
    });
    Some(view! {
        <Header link name signed_out path=Memo::new(move |_| path.get()) sign_out />
        <NewerBuild />
        {move || {
            asking
                .get()
                .map(|at_stake| {
                    view! {
                        <div class="above" role="alert">
                            <Notice tone=Tone::Bad words=sending::sign_out_question(at_stake)>
                                <button class="button button--danger" type="button" on:click=move |_| leave()>
                                    {labels::sign_out_anyway(at_stake)}
                                </button>
                                <button class="button" type="button" on:click=move |_| asking.set(None)>
                                    {labels::STAY}
                                </button>
                            </Notice>
                        </div>
                    }
                })
        }}
    })
}

/// The address that was last shown. The first page has the focus where the browser puts it.
#[derive(Clone, Copy, Default)]
pub struct LastPage(StoredValue<Option<String>>);

impl LastPage {
    /// Whether `path` is another page than the one before.
    fn turned_to(self, path: &str) -> bool {
        let before = self.0.try_update_value(|last| last.replace(path.to_owned())).flatten();
        before.is_some_and(|before| before != path)
    }
}

/// The main part of a page.
#[component]
pub fn Frame(
    /// `home` for `page--home`.
    kind: &'static str,
    /// What the page is about, for the tab and the history.
    #[prop(into)]
    title: Signal<String>,
    children: Children,
) -> impl IntoView {
    Effect::new(move |_| {
        let title = labels::tab(&title.get());
        if let Some(handle) = Handle::here() {
            handle.with(|keeper| keeper.device().set_title(&title));
        }
    });
    let path = use_location().pathname;
    Effect::new(move |_| {
        let turned = use_context::<LastPage>().is_some_and(|last| path.with_untracked(|path| last.turned_to(path)));
        if let Some(handle) = Handle::here().filter(|_| turned) {
            handle.with(|keeper| keeper.device().focus_heading());
        }
    });
    view! {
        <main id="main" class=format!("page page--{kind}") tabindex="-1">
            <Warnings />
            {children()}
        </main>
    }
    .into_any()
}

#[component]
fn Warnings() -> impl IntoView {
    let Here { handle, shown, .. } = Here::get()?;
    let leaves = Memo::new(move |_| shown.session.with(|s| matches!(s, Session::Leaving(_))));
    let not_kept = Memo::new(move |_| match (shown.keeping.get(), shown.not_kept.get()) {
        (_, Some(SlotError::Full)) => Some(NotKept::Full),
        (Keeping::OnDevice, Some(SlotError::Emptied)) => Some(NotKept::Emptied),
        (Keeping::WhileOpen, _) | (_, Some(SlotError::Blocked)) => Some(NotKept::Blocked),
        (Keeping::OnDevice, None) => None,
    });
    Some(view! {
        {move || leaves.get().then(|| leaving(handle))}
        {move || not_kept.get().map(|why| view! { <Notice tone=Tone::Waiting words=sending::not_kept(why) /> }.into_any())}
    })
}

/// Who is here, as far as a private page cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visitor {
    Learner(UserId),
    NotKnown,
    Leaving,
    Nobody,
}

/// A page for a learner who is here. Others are led to the sign-in and back.
#[component]
pub fn Private(
    /// Whether the page holds a status, also while it is not known who is here.
    #[prop(optional)]
    with_status: bool,
    children: ChildrenFn,
) -> impl IntoView {
    let Here { handle, shown, .. } = Here::get()?;
    let visitor = Memo::new(move |_| {
        shown.session.with(|session| match session {
            Session::Leaving(_) => Visitor::Leaving,
            Session::SignedOut => Visitor::Nobody,
            other => other.user().map_or(Visitor::NotKnown, |who| Visitor::Learner(who.user_id)),
        })
    });
    // The name of a private page goes with what is on it.
    Effect::new(move |_| {
        if !matches!(visitor.get(), Visitor::Learner(_)) {
            handle.with(|keeper| keeper.device().set_title(labels::BRAND));
        }
    });
    let navigate = use_navigate();
    let here = use_location();
    leptos::prelude::Effect::new(move |before: Option<Visitor>| {
        let now = visitor.get();
        if now == Visitor::Nobody {
            let (mut next, search) = (here.pathname.get_untracked(), here.search.get_untracked());
            if !search.is_empty() {
                next = format!("{next}?{search}");
            }
            let replace = NavigateOptions { replace: true, ..NavigateOptions::default() };
            // Who left on purpose leaves no trace, and whoever comes next has another way to go.
            let left = before == Some(Visitor::Leaving);
            navigate(&if left { "/sign-in".to_owned() } else { format!("/sign-in?next={next}") }, replace);
        }
        now
    });
    Some(move || match visitor.get() {
        Visitor::Learner(_) => children().into_any(),
        Visitor::Nobody => ().into_any(),
        Visitor::NotKnown if with_status => view! {
            <main id="main" class="page">
                <Status view=Signal::stored(StatusView { words: status_words::who_unknown(), marks: Marks::NONE }) />
            </main>
        }
        .into_any(),
        Visitor::NotKnown => {
            view! { <main id="main" class="page"><p class="empty">{home::NOT_SURE_WHO}</p></main> }.into_any()
        }
        Visitor::Leaving => view! { <main id="main" class="page">{leaving(handle)}</main> }.into_any(),
    })
}

/// A sign-out that the server has not confirmed yet.
fn leaving(handle: Handle) -> AnyView {
    view! {
        <Notice tone=Tone::Unknown words=sending::LEAVING>
            <button
                class="button"
                type="button"
                on:click=move |_| {
                    handle.with(Keeper::stay);
                }
            >
                {labels::STAY}
            </button>
        </Notice>
    }
    .into_any()
}
