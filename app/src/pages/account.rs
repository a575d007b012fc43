//! Sign in, sign up.

use domain::fault::{Code, Fault};
use leptos::prelude::*;
use leptos_router::{
    NavigateOptions,
    hooks::{use_navigate, use_query_map},
};

use super::frame::{Frame, Here};
use crate::{
    api::error::ApiError,
    components::{
        account_form::{AccountForm, Purpose},
        notice::Notice,
        show::Show,
    },
    signal::{Effect, Memo, RwSignal, Signal},
    sync::session::Session,
    words::{
        home, labels, places,
        refusal::{self, NoAnswer},
        status::Tone,
    },
};

/// Sign in.
#[component]
pub fn SignInPage() -> impl IntoView {
    view! { <Account purpose=Purpose::SignIn /> }
}

/// Make an account.
#[component]
pub fn SignUpPage() -> impl IntoView {
    view! { <Account purpose=Purpose::SignUp /> }
}

#[component]
fn Account(purpose: Purpose) -> impl IntoView {
    let Here { handle, shown, .. } = Here::get()?;
    handle.with(|keeper| keeper.watch(None));
    let query = use_query_map();
    let next = move || query.with_untracked(|q| q.get("next")).filter(|to| is_local(to)).unwrap_or_else(|| "/".into());
    let navigate = use_navigate();
    // Also for somebody who is signed in already, in this tab or another.
    Effect::new(move |_| {
        if shown.session.with(Session::is_confirmed) {
            navigate(&next(), NavigateOptions { replace: true, ..NavigateOptions::default() });
        }
    });
    let (problem, busy) = (RwSignal::new(None), RwSignal::new(false));
    // Who was led here from their work is told why, until there is something else to tell.
    let told = Signal::derive(move || {
        let ended = purpose == Purpose::SignIn && shown.ended.get() && !shown.left.get();
        problem.get().or_else(|| ended.then(|| refusal::of_fault(&Fault::new(Code::SignedOut))))
    });
    let send = Callback::new(move |(name, passphrase): (String, String)| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        problem.set(None);
        let done =
            move |answer: Result<(), ApiError>| {
                busy.set(false);
                problem.set(answer.err().map(|error| {
                    refusal::of_sign_in((&error.fault(), NoAnswer(error.no_answer)), error.retry_after_ms)
                }));
            };
        handle.with(|keeper| match purpose {
            Purpose::SignIn => keeper.sign_in(name, passphrase, done),
            Purpose::SignUp => keeper.sign_up(name, passphrase, done),
        });
    });
    let title = match purpose {
        Purpose::SignIn => labels::SIGN_IN,
        Purpose::SignUp => labels::SIGN_UP,
    };
    let other = match purpose {
        Purpose::SignIn => format!("/sign-up?next={}", next()),
        Purpose::SignUp => format!("/sign-in?next={}", next()),
    };
    Effect::new(move |_| {
        if shown.left.get() {
            handle.with(|keeper| keeper.device().announce(places::SIGNED_OUT_TITLE.words()));
        }
    });
    // Until something else happens.
    let left = Memo::new(move |_| shown.left.get() && problem.with(Option::is_none));
    Some(view! {
        <Frame kind="account" title=title>
            <Show when=move || left.get()>
                <Notice tone=Tone::Good title=places::SIGNED_OUT_TITLE words=places::SIGNED_OUT />
            </Show>
            <AccountForm purpose problem=told busy other lead=Signal::stored(home::SIGN_IN_LEAD.words()) send />
        </Frame>
    })
}

/// Only addresses of our own are gone to after signing in. Browsers drop tabs and line ends from an
/// address and fold dots, so what is let through is what our own addresses are made of.
fn is_local(to: &str) -> bool {
    let circle = ["/sign-in", "/sign-up"].iter().any(|page| to.starts_with(page));
    !circle
        && to.starts_with('/')
        && !to.contains("//")
        && to.chars().all(|c| c.is_ascii_alphanumeric() || "/-_?=".contains(c))
}

#[test]
fn nobody_is_sent_to_another_site() {
    for ours in ["/", "/tasks", "/tasks/0192f0c1-0000-7000-8000-000000000000", "/library", "/tasks?show=failed"] {
        assert!(is_local(ours), "{ours}");
    }
    for other in [
        "",
        "/sign-in",
        "/sign-up?next=/",
        "tasks",
        "//evil.example",
        "/\\evil.example",
        "/\t/evil.example/x",
        "/\n/evil.example",
        "/.//evil.example",
    ] {
        assert!(!is_local(other), "{other:?}");
    }
}
