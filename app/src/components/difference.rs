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
    let Clash { mine, my_text, theirs, their_text } = clash;
    let pieces = compare(&my_text, &their_text);
    let akin = are_akin(&pieces);
    let full = RwSignal::new(!akin);
    let pieces = akin.then(|| view! { <Pieces pieces /> }.into_any());
    view! {
        <section class="card card--difference">
            <header class="card__head">
                <h2 class="card__title">{labels::WHAT_IS_DIFFERENT}</h2>
                {akin.then(|| view! { <p class="card__note">{home::from_to(theirs)}</p> }.into_any())}
            </header>
            {pieces}
            <Show when=move || full.get()>
                <Both older=(home::yours(mine), my_text.clone()) newer=(home::current(theirs), their_text.clone()) />
            </Show>
        </section>
        <div class="stack">
            // What takes nothing away is the loud one: the other version stays, and nothing is saved by it yet.
            <button
                class="button button--primary button--wide"
                type="button"
                on:click=move |_| choose.run(Choice::KeepMine)
            >
                {labels::keep_mine(theirs + 1)}
            </button>
            <button class="button button--wide" type="button" on:click=move |_| choose.run(Choice::AcceptTheirs)>
                {labels::accept(theirs)}
            </button>
            {akin
                .then(|| {
                    view! {
                        <button
                            class="button button--quiet button--wide"
                            type="button"
                            aria-expanded=move || full.get().to_string()
                            on:click=move |_| full.update(|full| *full = !*full)
                        >
                            {labels::READ_BOTH}
                        </button>
                    }
                        .into_any()
                })}
        </div>
    }
    .into_any()
}

/// What is different between two texts, each with its title: in one text, or side by side where they have too
/// little in common for that.
#[component]
pub fn Compared(older: (String, String), newer: (String, String)) -> impl IntoView {
    let pieces = compare(&older.1, &newer.1);
    if are_akin(&pieces) { view! { <Pieces pieces /> }.into_any() } else { view! { <Both older newer /> }.into_any() }
}

/// One text with its changes. Of what is the same in both no more is shown than the lines that changes stand in: the
/// decision must not lie beyond a text that is known.
#[component]
fn Pieces(pieces: Vec<Piece>) -> impl IntoView {
    let last = pieces.len().saturating_sub(1);
    let pieces = pieces.into_iter().enumerate().map(|(at, (tag, text))| match tag {
        ChangeTag::Equal => match beside_changes(&text, 0 < at, at < last) {
            Some((before, lines, after)) => view! {
                <span>{before.to_owned()}</span>
                <span class="difference__same">{home::lines_the_same(lines)}</span>
                <span>{after.to_owned()}</span>
            }
            .into_any(),
            None => view! { <span>{text}</span> }.into_any(),
        },
        ChangeTag::Delete => view! { <del>{text}</del> }.into_any(),
        ChangeTag::Insert => view! { <ins>{text}</ins> }.into_any(),
    });
    view! {
        <p class="difference" lang="" dir="auto">
            {pieces.collect_view()}
        </p>
    }
}

/// Of a text that is the same on both sides: what stands in one line with the change before it, how many written lines
/// follow, and what stands in one line with the change after it. None where all of it is as well shown.
pub fn beside_changes(text: &str, after_one: bool, before_one: bool) -> Option<(&str, usize, &str)> {
    if !after_one && !before_one {
        return None;
    }
    let (first, last) = (text.find('\n')?, text.rfind('\n')?);
    let start = if after_one { first } else { 0 };
    let end = if before_one { last + 1 } else { text.len() };
    let lines = text.get(start..end)?.lines().filter(|line| !line.trim().is_empty()).count();
    (FEW < lines).then(|| (&text[..start], lines, &text[end..]))
}

/// So many lines are no trouble to read.
const FEW: usize = 3;

/// Both texts in full.
#[component]
fn Both(older: (String, String), newer: (String, String)) -> impl IntoView {
    view! {
        <div class="difference__full">
            <Side title=older.0 text=older.1 />
            <Side title=newer.0 text=newer.1 />
        </div>
    }
    .into_any()
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

/// A stretch of text, and in which of the two it is.
pub type Piece = (ChangeTag, String);

/// Whether two texts have enough in common to be read as one with changes: a third of the longer one. Below that
/// the words of both lie among each other and make no sense.
pub fn are_akin(pieces: &[Piece]) -> bool {
    let length = |tags: [ChangeTag; 2]| -> usize {
        pieces.iter().filter(|(tag, _)| tags.contains(tag)).map(|(_, text)| text.chars().count()).sum()
    };
    let in_both = length([ChangeTag::Equal; 2]);
    let longer = length([ChangeTag::Equal, ChangeTag::Delete]).max(length([ChangeTag::Equal, ChangeTag::Insert]));
    longer <= in_both.saturating_mul(3)
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
pub fn compare(mine: &str, theirs: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for change in TextDiff::from_slices(&units(mine), &units(theirs)).iter_all_changes() {
        match pieces.last_mut() {
            Some((tag, text)) if *tag == change.tag() => text.push_str(change.value()),
            _ => pieces.push((change.tag(), change.value().to_owned())),
        }
    }
    pieces
}
