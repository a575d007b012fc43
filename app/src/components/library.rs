//! Saved explanations: the list, and one of them.

use domain::{snapshot::LibraryEntry, time::Timestamp};
use leptos::prelude::*;

use super::{
    copy::{Copier, CopyButton},
    icon::{Icon, Picture},
};
use crate::{
    signal::Signal,
    words::{capital, home, labels, places, times::Zone},
};

/// One line each.
#[component]
pub fn LibraryList(entries: Vec<LibraryEntry>, now: Option<Timestamp>, zone: Zone) -> impl IntoView {
    if entries.is_empty() {
        return view! {
            <div class="empty">
                <Icon picture=Picture::Book />
                <p>{home::NO_ENTRIES}</p>
                <a class="button" href="/tasks">
                    {labels::TASKS}
                </a>
            </div>
        }
        .into_any();
    }
    view! {
        <ul class="list">
            {entries
                .into_iter()
                .map(|entry| {
                    let saved = capital(&home::saved(&entry, now, zone));
                    let LibraryEntry { entry_id, title, question, text, .. } = entry;
                    view! {
                        <li data-entry=entry_id.to_string()>
                            <a class="list__link" href=format!("/library/{entry_id}")>
                                <span class="list__title" lang="" dir="auto">{title}</span>
                                <span class="list__lead" lang="" dir="auto">{question.unwrap_or_else(|| beginning(&text))}</span>
                                <span class="list__foot">
                                    <span class="list__when">{saved}</span>
                                </span>
                            </a>
                        </li>
                    }
                    .into_any()
                })
                .collect_view()}
        </ul>
    }
    .into_any()
}

/// One entry in full.
#[component]
pub fn EntryCard(
    entry: LibraryEntry,
    now: Option<Timestamp>,
    zone: Zone,
    /// Shows the sheet to share it from, where there is one.
    share: Option<Callback<()>>,
    copier: Copier,
) -> impl IntoView {
    let saved = capital(&home::saved(&entry, now, zone));
    // A link that holds the file itself: nothing is asked for again, and it works without a network.
    let file = format!("data:text/plain;charset=utf-8,{}", percent(&places::as_file(&entry, zone)));
    let LibraryEntry { title, question, text, hash, task_id, .. } = entry;
    let name = places::file_name(&title);
    let copied = Signal::stored(text.clone());
    let share = share.map(|share| {
        view! {
            <button class="button" type="button" on:click=move |_| share.run(())>
                {places::SHARE}
            </button>
        }
        .into_any()
    });
    view! {
        <h1 class="page__title" lang="" dir="auto">{title}</h1>
        {question.map(|question| view! { <p class="page__lead" lang="" dir="auto">{question}</p> }.into_any())}
        <article class="card card--entry" data-hash=hash.to_string()>
            <div class="reading reading--large" lang="" dir="auto">{text}</div>
            <p class="card__note">{saved}</p>
            <div class="row">
                {share} <CopyButton text=copied class="button" copier />
                <a class="button" download=name href=file>
                    {places::DOWNLOAD}
                </a>
                <a class="button" href=format!("/tasks/{task_id}")>
                    {labels::OPEN_TASK}
                </a>
            </div>
        </article>
    }
    .into_any()
}

/// As an address carries a text.
fn percent(text: &str) -> String {
    let mut address = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            address.push('%');
            for digit in [byte >> 4, byte & 15] {
                address.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
            }
        }
    }
    address
}

fn beginning(text: &str) -> String {
    let start: String = text.chars().take(120).collect();
    if start.len() < text.len() { format!("{start}…") } else { start }
}
