//! Saved explanations: the list, and one of them.

use domain::{snapshot::LibraryEntry, time::Timestamp};
use leptos::prelude::*;

use crate::words::{home, labels, times::Zone};

/// One line each.
#[component]
pub fn LibraryList(entries: Vec<LibraryEntry>, now: Option<Timestamp>, zone: Zone) -> impl IntoView {
    if entries.is_empty() {
        return view! { <p class="empty">{home::NO_ENTRIES}</p> }.into_any();
    }
    view! {
        <ul class="list list--library">
            {entries
                .into_iter()
                .map(|entry| {
                    view! {
                        <li class="list__item" data-entry=entry.entry_id.to_string()>
                            <a class="list__link" href=format!("/library/{}", entry.entry_id)>
                                <span class="list__title">{entry.title.clone()}</span>
                                {(!entry.text.is_empty())
                                    .then(|| view! { <span class="list__lead">{beginning(&entry.text)}</span> }.into_any())}
                                <span class="list__foot">
                                    <span class="list__when">{home::saved(&entry, now, zone)}</span>
                                </span>
                            </a>
                        </li>
                    }
                })
                .collect_view()}
        </ul>
    }
    .into_any()
}

/// One entry in full.
#[component]
pub fn EntryCard(entry: LibraryEntry, now: Option<Timestamp>, zone: Zone) -> impl IntoView {
    let saved = home::saved(&entry, now, zone);
    let LibraryEntry { title, text, hash, task_id, .. } = entry;
    view! {
        <h1 class="page__title">{title}</h1>
        <article class="card card--entry" data-hash=hash.to_string()>
            <div class="reading reading--large">{text}</div>
            <p class="card__note">{saved}</p>
            <a class="button" href=format!("/tasks/{task_id}")>
                {labels::OPEN_TASK}
            </a>
        </article>
    }
}

fn beginning(text: &str) -> String {
    let start: String = text.chars().take(120).collect();
    if start.len() < text.len() { format!("{start}…") } else { start }
}
