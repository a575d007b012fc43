//! The screens as one program: what they share, the routes, and what is shown when a part breaks.

use std::rc::Rc;

use leptos::prelude::*;
use leptos_router::{
    components::{FlatRoutes, Route, Router},
    path,
};

use crate::{
    components::language::Speak,
    pages::{
        apart, frame::LastPage, frame::Top, home::HomePage, missing::Broken, missing::MissingPage, task::TaskPage,
    },
    sync::{Keeper, shown::Shown},
    words::times::Zone,
};

/// The keeper, for pages: cheap to copy, and bound to the one thread of a tab.
#[derive(Clone, Copy)]
pub struct Handle(StoredValue<Rc<Keeper>, LocalStorage>);

impl Handle {
    /// The keeper of this tab, or none where there is no tab (a page drawn to text).
    pub fn here() -> Option<Self> {
        use_context()
    }

    pub fn with<R>(self, act: impl FnOnce(&Keeper) -> R) -> Option<R> {
        let keeper = self.0.try_get_value()?;
        Some(act(&keeper))
    }

    pub fn shown(self) -> Option<Shown> {
        self.with(|keeper| keeper.shown)
    }
}

/// The whole application, around a keeper that has read what the device remembers.
pub fn app(keeper: Rc<Keeper>) -> impl IntoView {
    provide_context(Zone { offset_minutes: keeper.device().offset_minutes() });
    provide_context(keeper.shown);
    provide_context(LastPage::default());
    let handle = Handle(StoredValue::new_local(keeper));
    provide_context(Speak(Callback::new(move |language| {
        handle.with(|keeper| keeper.speak(language));
    })));
    provide_context(handle);
    view! {
        <Router>
            <Top />
            <ErrorBoundary fallback=|_| view! { <Broken /> }>
                <FlatRoutes fallback=|| view! { <MissingPage /> }>
                    <Route path=path!("/") view=HomePage />
                    <Route path=path!("/tasks") view=apart::tasks_page />
                    <Route path=path!("/tasks/:id") view=TaskPage />
                    <Route path=path!("/library") view=apart::library_page />
                    <Route path=path!("/library/:id") view=apart::entry_page />
                    <Route path=path!("/sign-in") view=apart::sign_in_page />
                    <Route path=path!("/sign-up") view=apart::sign_up_page />
                    <Route path=path!("/about") view=apart::about_page />
                </FlatRoutes>
            </ErrorBoundary>
        </Router>
    }
}
