//! How recovery works, which states there are, what is simulated.

use domain::explanation::StateName;
use leptos::prelude::*;

use super::{
    frame::{Frame, Here},
    program::ThisProgram,
};
use crate::{components::diagram::Diagram, words::about};

/// For learners who wonder and instructors who explain.
#[component]
pub fn AboutPage() -> impl IntoView {
    let here = Here::get();
    let used = here.map(|here| {
        here.handle.with(|keeper| {
            keeper.watch(None);
            about::used(keeper.known_current().as_ref())
        })
    });
    view! {
        <Frame kind="about" title=about::TITLE>
            <h1 class="page__title">{about::TITLE}</h1>
            <div class="prose">
                <p>{about::LEAD}</p>
                {about::parts()
                    .into_iter()
                    .map(|(heading, text)| view! {
                        <h2>{heading}</h2>
                        <p>{text}</p>
                    })
                    .collect_view()}
                <h2>{about::STATES_TITLE}</h2>
                <p>{about::STATES}</p>
                <Diagram />
                <dl class="states">{StateName::ALL.into_iter().map(state).collect_view()}</dl>
                <h2>{about::ADAPTERS_TITLE}</h2>
                <p>{about::ADAPTERS}</p>
                {used.flatten().into_iter().flatten().map(|line| view! { <p>{line}</p> }.into_any()).collect_view()}
                <ThisProgram />
            </div>
        </Frame>
    }
}

/// A state with what it means and where it may lead.
fn state(name: StateName) -> impl IntoView {
    let (title, meaning) = about::state(name);
    let next = name.next();
    view! {
        <div class="states__row">
            <dt>{title}</dt>
            <dd>{meaning}</dd>
            <dd class="states__next">
                <span>{about::next(next.is_empty())}</span>
                {(!next.is_empty())
                    .then(|| {
                        view! { <ul>{next.iter().map(|to| view! { <li>{about::state(*to).0}</li> }.into_any()).collect_view()}</ul> }
                    })}
            </dd>
        </div>
    }
}
