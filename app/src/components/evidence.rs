//! What was seen at the source, with what the draft uses of it marked.

use domain::{
    record::{Evidence, fields::Fields},
    time::Timestamp,
};
use leptos::prelude::*;
use serde_json::Value;

use super::fold::Fold;
use crate::{
    signal::{Memo, Signal},
    words::{home, labels, times::Zone},
};

/// One field of a record: each of its values, and whether the draft says it in the same words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub label: String,
    pub values: Vec<(String, bool)>,
}

/// The evidence card: the newest, and earlier ones folded away.
#[component]
pub fn EvidenceCard(
    /// Newest last.
    #[prop(into)]
    evidence: Signal<Vec<Evidence>>,
    /// The draft on the screen.
    #[prop(into)]
    draft: Signal<String>,
    /// Whether some is to come: then there is room for it.
    #[prop(into)]
    coming: Signal<bool>,
    /// When a later look saw the newest once more, as it was.
    #[prop(into)]
    again: Signal<Option<Timestamp>>,
    #[prop(into)] now: Signal<Option<Timestamp>>,
    zone: Zone,
) -> impl IntoView {
    let newest = Memo::new(move |_| evidence.with(|all| all.last().cloned()));
    let earlier = Memo::new(move |_| evidence.with(|all| all.iter().rev().skip(1).cloned().collect::<Vec<_>>()));
    view! {
        <section id="evidence" class="card card--evidence" tabindex="-1">
            <header class="card__head">
                <h2 class="card__title">{labels::EVIDENCE}</h2>
                <p class="card__note">{move || newest.get().map(|e| home::seen_again(home::seen(&e, now.get(), zone), again.get(), now.get(), zone))}</p>
            </header>
            <div class="card__body">
                {move || match newest.get() {
                    Some(seen) => view! { <Content content=seen.content.clone() draft /> }.into_any(),
                    None => view! {
                        <p class="empty" class:empty--coming=move || coming.get()>
                            {home::NO_EVIDENCE}
                        </p>
                    }
                    .into_any(),
                }}
                {move || newest.get().map(|seen| view! { <p class="card__source">{home::source(&seen)} " " <span class="card__marked">{home::MARKED}</span></p> }.into_any())}
                {move || {
                    let earlier = earlier.get();
                    (!earlier.is_empty())
                        .then(|| {
                            view! {
                                <Fold label=Signal::stored(home::earlier_evidence(earlier.len()))>
                                    {earlier
                                        .into_iter()
                                        .map(|seen| {
                                            view! {
                                                <p class="card__note">{home::seen(&seen, now.get_untracked(), zone)}</p>
                                                <Content content=seen.content draft />
                                            }
                                        })
                                        .collect_view()}
                                </Fold>
                            }
                        })
                }}
            </div>
        </section>
    }
    .into_any()
}

/// A record with fields as a list of them; anything else as the text that it is.
#[component]
fn Content(content: String, draft: Signal<String>) -> impl IntoView {
    let rows = Memo::new({
        let content = content.clone();
        move |_| draft.with(|draft| facts(&content, draft))
    });
    move || match rows.get() {
        None => view! { <pre class="facts__text" lang="" dir="auto">{content.clone()}</pre> }.into_any(),
        Some(facts) => view! {
            <dl class="facts" lang="">
                {facts
                    .into_iter()
                    .map(|Fact { label, values }| {
                        view! {
                            <div class="facts__row">
                                <dt>{label}</dt>
                                {values
                                    .into_iter()
                                    .map(|(value, used)| {
                                        if used {
                                            view! { <dd dir="auto"><mark class="used">{value}</mark></dd> }.into_any()
                                        } else {
                                            view! { <dd dir="auto">{value}</dd> }.into_any()
                                        }
                                    })
                                    .collect_view()}
                            </div>
                        }
                    })
                    .collect_view()}
            </dl>
        }
        .into_any(),
    }
}

/// The fields of a record, if that is what `content` is, in the order of the source.
pub fn facts(content: &str, draft: &str) -> Option<Vec<Fact>> {
    let fields = Fields::read(content)?;
    let draft = plain(draft);
    let marked = |text: String| {
        let used = is_telling(&text) && draft.contains(&plain(&text));
        (text, used)
    };
    Some(
        fields
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(key, value)| Fact { label: human(key), values: spread(value).into_iter().map(marked).collect() })
            .collect(),
    )
}

/// A list is one value each, a record in a record one line each.
fn spread(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(spread).collect(),
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| {
                let key = human(key);
                spread(value).into_iter().map(move |text| format!("{key}: {text}"))
            })
            .collect(),
        Value::Bool(answer) => vec![labels::yes_or_no(*answer).to_owned()],
        other => vec![other.to_string()],
    }
}

/// `what_to_bring` is "What to bring".
fn human(key: &str) -> String {
    crate::words::capital(&key.replace(['_', '-'], " "))
}

/// Short values such as "2" occur anywhere and prove nothing.
fn is_telling(text: &str) -> bool {
    text.trim().chars().count() >= 4
}

fn plain(text: &str) -> String {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}
