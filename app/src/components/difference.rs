//! Two texts, and what is different: shown when a version was refused because another is current.

use leptos::prelude::*;

use super::show::Show;
use similar::{ChangeTag, TextDiff};

use crate::{
    signal::RwSignal,
    words::{home, labels},
};

/// The two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The version that the learner's text was written on, or that they accepted.
    pub mine: u32,
    pub my_text: String,
    pub theirs: u32,
    pub their_text: String,
}

/// What the learner decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    AcceptTheirs,
    KeepMine,
}

/// What is different, and the ways on.
#[component]
pub fn Difference(clash: Clash, #[prop(into)] choose: Callback<Choice>) -> impl IntoView {
    let full = RwSignal::new(false);
    let Clash { mine, my_text, theirs, their_text } = clash;
    view! {
        <section class="card card--difference">
            <header class="card__head">
                <h2 class="card__title">{labels::WHAT_IS_DIFFERENT}</h2>
                <p class="card__note">{home::from_to(theirs)}</p>
            </header>
            <Pieces pieces=compare(&my_text, &their_text) />
            <Show when=move || full.get()>
                <div class="difference__full">
                    <Side title=home::yours(mine) text=my_text.clone() />
                    <Side title=home::current(theirs) text=their_text.clone() />
                </div>
            </Show>
        </section>
        <div class="stack">
            <button
                class="button button--primary button--wide"
                type="button"
                on:click=move |_| choose.run(Choice::AcceptTheirs)
            >
                {labels::accept(theirs)}
            </button>
            <button class="button button--wide" type="button" on:click=move |_| choose.run(Choice::KeepMine)>
                {labels::keep_mine(theirs + 1)}
            </button>
            <button
                class="button button--quiet button--wide"
                type="button"
                aria-expanded=move || full.get().to_string()
                on:click=move |_| full.update(|full| *full = !*full)
            >
                {labels::READ_BOTH}
            </button>
        </div>
    }
    .into_any()
}

/// What is different, in one text.
#[component]
pub fn Pieces(pieces: Vec<(ChangeTag, String)>) -> impl IntoView {
    view! {
        <p class="difference" lang="" dir="auto">
            {pieces.into_iter().map(piece).collect_view()}
        </p>
    }
}

#[component]
fn Side(title: String, text: String) -> impl IntoView {
    view! {
        <div class="difference__side">
            <h3>{title}</h3>
            <div class="reading" lang="" dir="auto">{text}</div>
        </div>
    }
}

fn piece((tag, text): (ChangeTag, String)) -> impl IntoView {
    match tag {
        ChangeTag::Equal => view! { <span>{text}</span> }.into_any(),
        ChangeTag::Delete => view! { <del>{text}</del> }.into_any(),
        ChangeTag::Insert => view! { <ins>{text}</ins> }.into_any(),
    }
}

/// What is compared as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Space,
    Word,
    /// Of scripts that write words without a space between them.
    Sign,
}

fn unit(c: char) -> Unit {
    match c {
        '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}' => {
            Unit::Sign
        }
        c if c.is_whitespace() => Unit::Space,
        _ => Unit::Word,
    }
}

fn units(text: &str) -> Vec<&str> {
    let mut units = Vec::new();
    let (mut start, mut before) = (0, None);
    for (at, c) in text.char_indices() {
        let now = unit(c);
        if before.is_some_and(|before| before != now || now == Unit::Sign) {
            units.push(&text[start..at]);
            start = at;
        }
        before = Some(now);
    }
    units.push(&text[start..]);
    units
}

/// Word by word, or sign by sign, with neighbours of one kind joined.
pub fn compare(mine: &str, theirs: &str) -> Vec<(ChangeTag, String)> {
    let mut pieces: Vec<(ChangeTag, String)> = Vec::new();
    for change in TextDiff::from_slices(&units(mine), &units(theirs)).iter_all_changes() {
        match pieces.last_mut() {
            Some((tag, text)) if *tag == change.tag() => text.push_str(change.value()),
            _ => pieces.push((change.tag(), change.value().to_owned())),
        }
    }
    pieces
}
