//! Name and passphrase: to sign in, or to sign up.

use leptos::{ev::SubmitEvent, html::Input, prelude::*};

use super::language::Languages;
use crate::{
    signal::Signal,
    words::{home, labels},
};

/// Which of the two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    SignIn,
    SignUp,
}

/// The form. The fields are read when it is sent, so that a password manager's values count.
#[component]
pub fn AccountForm(
    purpose: Purpose,
    /// Why it did not work.
    #[prop(into)]
    problem: Signal<Option<String>>,
    #[prop(into)] busy: Signal<bool>,
    /// Where the other form is.
    other: String,
    /// A sentence above the fields.
    #[prop(into)]
    lead: Signal<&'static str>,
    #[prop(into)] send: Callback<(String, String)>,
) -> impl IntoView {
    let (name, passphrase) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let (title, autocomplete, question, other_label) = match purpose {
        Purpose::SignIn => (labels::SIGN_IN, "current-password", home::HAVE_NO_ACCOUNT, labels::SIGN_UP),
        Purpose::SignUp => (labels::SIGN_UP, "new-password", home::HAVE_ACCOUNT, labels::SIGN_IN),
    };
    let submit = move |ev: SubmitEvent| {
        ev.prevent_default();
        if let (Some(name), Some(passphrase)) = (name.get_untracked(), passphrase.get_untracked()) {
            send.run((name.value(), passphrase.value()));
        }
    };
    view! {
        <section class="card card--account">
            <h1 class="page__title">{title}</h1>
            <p class="page__lead">{move || lead.get()}</p>
            <form class="form" on:submit=submit>
                <div class="field">
                    <label class="field__label" for="name">
                        {labels::NAME}
                    </label>
                    <input
                        id="name"
                        class="field__input"
                        type="text"
                        name="name"
                        autocomplete="username"
                        autocapitalize="none"
                        required=true
                        node_ref=name
                    />
                </div>
                <div class="field">
                    <label class="field__label" for="passphrase">
                        {labels::PASSPHRASE}
                    </label>
                    <input
                        id="passphrase"
                        class="field__input"
                        type="password"
                        name="passphrase"
                        autocomplete=autocomplete
                        required=true
                        node_ref=passphrase
                    />
                </div>
                {(purpose == Purpose::SignUp)
                    .then(|| view! { <p class="field__hint">{home::PASSPHRASE_HINT}</p> }.into_any())}
                {move || problem.get().map(|words| view! { <p class="field__error" role="alert">{words}</p> }.into_any())}
                <button
                    class="button button--primary button--wide"
                    type="submit"
                    aria-busy=move || busy.get().then_some("true")
                >
                    {title}
                </button>
                {move || busy.get().then(|| view! { <p class="field__hint">{home::SIGNING_IN}</p> }.into_any())}
            </form>
            <p class="card__note">{question} " " <a class="button button--quiet" href=other>{other_label}</a></p>
            <a class="button button--quiet" href="/about">
                {labels::ABOUT}
            </a>
            <Languages />
        </section>
    }
    .into_any()
}
