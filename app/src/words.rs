//! Every sentence that a person sees. Wording is a function of what is known: what happened, what
//! is safe, what to do. Nothing here decides anything.

pub mod about; // how recovery works
pub mod apart; // a screen that is still to come
pub mod asking; // before what cannot be taken back
pub mod boot; // before the program is there
pub mod home; // starting, listing, the library, signing in
pub mod labels; // names of things on the screen; the accessible names are part of the contract
pub mod language; // which languages there are
pub mod places; // ways between pages, lists and their filters
pub mod problem; // what went wrong with a step, and notices beside a state
pub mod program; // the program itself
pub mod progress; // how long steps take
pub mod refusal; // why a request was not done
pub mod said; // a sentence in the language of whoever reads it
pub mod sending; // how far a wish on this device has come
pub mod status; // how a task stands
pub mod timeline; // what happened
pub mod times; // instants, as people say them

use self::said::say;

/// "one change", "2 changes".
pub fn changes(n: usize) -> String {
    say!("one change" | "{n} changes" % n)
}

/// "one unsent text", "2 unsent texts".
pub fn texts(n: usize) -> String {
    say!("one unsent text" | "{n} unsent texts" % n)
}

/// Two sentences, one after the other.
pub fn two(first: &str, then: &str) -> String {
    say!("{} {}", first, then)
}

/// A sentence as a part of another: "the source took too long".
pub fn inside(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches(['.', '。']).chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// A sentence with its first letter in upper case.
pub fn capital(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
