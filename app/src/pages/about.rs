//! How recovery works, which states there are, what is simulated.

use leptos::prelude::*;

use super::frame::{Frame, Here};
use crate::words::{about, labels};

/// For learners who wonder and instructors who explain.
#[component]
pub fn AboutPage() -> impl IntoView {
    let here = Here::get();
    let used = here.map(|here| {
        here.handle.with(|keeper| {
            keeper.watch(None);
            let task = keeper.known_current();
            let adapters = task.iter().flat_map(|t| &t.evidence).map(|e| e.adapter.clone()).collect();
            let writers = task.iter().flat_map(|t| &t.drafts).map(labels::writer).map(str::to_owned).collect();
            about::used(&unique(adapters), &unique(writers))
        })
    });
    view! {
        <Frame kind="about" title=about::TITLE>
            <h1 class="page__title">{about::TITLE}</h1>
            <div class="prose">
                <p>{about::LEAD}</p>
                {about::PARTS
                    .into_iter()
                    .map(|(heading, text)| view! {
                        <h2>{heading}</h2>
                        <p>{text}</p>
                    })
                    .collect_view()}
                <h2>{about::STATES_TITLE}</h2>
                <dl class="facts">
                    {about::STATES
                        .into_iter()
                        .map(|(state, meaning)| {
                            view! {
                                <div class="facts__row">
                                    <dt>{state}</dt>
                                    <dd>{meaning}</dd>
                                </div>
                            }
                        })
                        .collect_view()}
                </dl>
                <h2>{about::ADAPTERS_TITLE}</h2>
                <p>{about::ADAPTERS}</p>
                <p>{used.flatten()}</p>
            </div>
        </Frame>
    }
}

fn unique(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}
