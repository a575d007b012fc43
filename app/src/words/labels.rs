//! Names of things on the screen. Roles and names are handles for people who listen to the page and
//! for tests: changing one changes the contract.

use domain::{
    freshness::Link,
    snapshot::{Author, Draft},
};

use super::{
    said::{Said, say},
    sending::AtStake,
    times::{self, Zone},
};

pub const BRAND: &str = "Mooring";
pub const TAGLINE: Said = Said("Tasks that survive a closed tab.");
pub const SKIP: Said = Said("Skip to the content");
pub const LOADING: Said = Said("Mooring is loading. Nothing that this device has kept is lost.");

pub const START_A_TASK: Said = Said("Start a task");
pub const WORKSHOP_RECORD: Said = Said("Workshop record");
pub const QUESTION: Said = Said("Question");
pub const QUESTION_HINT: Said = Said("What would you like explained?");
pub const START: Said = Said("Start");
pub const EVIDENCE: Said = Said("Evidence");
pub const DRAFT: Said = Said("Draft");
pub const TO_EVIDENCE: Said = Said("Go to the evidence");
pub const SAVE_EDIT: Said = Said("Save edit");
pub const NEW_DRAFT: Said = Said("Ask for a new draft");
pub const LOOK_AGAIN: Said = Said("Look again");
pub const CANCEL_TASK: Said = Said("Cancel task");
pub const TRY_AGAIN: Said = Said("Try again");
pub const LIBRARY: Said = Said("Library");
pub const TASKS: Said = Said("Tasks");
pub const TASK: Said = Said("Task");
pub const ABOUT: Said = Said("How it works");
pub const SIGN_IN: Said = Said("Sign in");
pub const SIGN_UP: Said = Said("Sign up");
pub const SIGN_OUT: Said = Said("Sign out");
pub const NAME: Said = Said("Name");
pub const PASSPHRASE: Said = Said("Passphrase");
pub const WAITING: Said = Said("Waiting on this device");
pub const WHAT_HAPPENED: Said = Said("What happened");
pub const FULL_LOG: Said = Said("The full log");
pub const WHAT_IS_DIFFERENT: Said = Said("What is different");
pub const PICK_UP: Said = Said("Pick up where you left off");
pub const OPEN: Said = Said("Open");
pub const NEW_TASK: Said = Said("New task");
pub const OPEN_IN_LIBRARY: Said = Said("Open in library");
pub const OPEN_THAT_TASK: Said = Said("Open that task");
pub const START_ANOTHER: Said = Said("Start another anyway");
pub const READ_BOTH: Said = Said("Read both in full");
pub const SEND_NOW: Said = Said("Send now");
pub const DISCARD: Said = Said("Discard");
pub const COPY: Said = Said("Copy the text");
pub const SHOW_TEXT: Said = Said("Show the text");
pub const DISCARD_FOR_GOOD: Said = Said("Discard it for good");
pub const KEEP_IT: Said = Said("Keep it");
pub const DISCARD_CHANGES: Said = Said("Discard my changes");
pub const USE_IT: Said = Said("Use this text");
pub const STAY: Said = Said("Stay signed in");
pub const PROGRESS: Said = Said("Progress");
pub const VERSIONS: Said = Said("Versions");
pub const ACCOUNT: Said = Said("Account");
pub const OPEN_TASK: Said = Said("Open the task");
pub const NOTE: Said = Said("What you found out (optional)");
pub const WAS_SAVED: Said = Said("It was saved");
pub const SAVE_NOW: Said = Said("It was not saved: save it now");
pub const SAVE_STOP: Said = Said("It was not saved: stop here");
pub const NEXT_STEP: Said = Said("Next step");
pub const CRASH_TITLE: Said = Said("This page broke");
pub const CRASH: Said = Said("Nothing that this device has kept is lost, and your tasks are safe on the server.");
pub const RELOAD: Said = Said("Reload");

/// The four steps of the journey.
pub fn steps() -> [&'static str; 4] {
    [say!("Look up"), say!("a step" => "Draft"), say!("Review"), say!("Save")]
}

/// How far a step is, for those who listen.
pub fn step_is(how_far: &str) -> &'static str {
    match how_far {
        "done" => say!(", done"),
        "now" => say!(", now"),
        "bad" => say!(", failed"),
        "missed" => say!(", not reached"),
        _ => say!(", not yet"),
    }
}

/// A mark in a record.
pub fn yes_or_no(answer: bool) -> &'static str {
    if answer { say!("yes") } else { say!("no") }
}

/// What the tab is called.
pub fn tab(page: &str) -> String {
    format!("{page} · {BRAND}")
}

pub fn accept(version: u32) -> String {
    say!("Accept version {}", version)
}

pub fn keep_mine(version: u32) -> String {
    say!("Keep mine as version {}", version)
}

pub fn sign_out_anyway(at_stake: AtStake) -> String {
    say!("Sign out and discard {}", at_stake.words())
}

/// What the header says about the way to the server; `asks` while an answer about the task on the page is waited for.
pub fn link(link: Link, asks: bool, now: Option<domain::time::Timestamp>, zone: Zone) -> String {
    match link {
        Link::Unknown => say!("Not connected yet").to_owned(),
        Link::Connecting => say!("Connecting").to_owned(),
        Link::Up if asks => say!("Checking").to_owned(),
        Link::Up => say!("Up to date").to_owned(),
        Link::Reconnecting => say!("Reconnecting").to_owned(),
        Link::Lost { since: Some(since) } => say!("No answer since {}", times::since(since, now, zone)),
        Link::Lost { since: None } => say!("No answer").to_owned(),
    }
}

/// The kind of the link, in a class name.
pub fn link_kind(link: Link, asks: bool) -> &'static str {
    match link {
        Link::Unknown | Link::Connecting => "unknown",
        Link::Up if asks => "unknown",
        Link::Up => "good",
        Link::Reconnecting => "waiting",
        Link::Lost { .. } => "lost",
    }
}

/// Who wrote a version, in a word or two.
pub fn writer(draft: &Draft) -> &'static str {
    match (draft.author, draft.simulated) {
        (Author::Learner, _) => say!("you"),
        (Author::Model, true) => say!("simulated model"),
        (Author::Model, false) => say!("model"),
    }
}

/// A chip: "1 simulated model", "2 you".
pub fn chip(draft: &Draft) -> String {
    format!("{} {}", draft.version, writer(draft))
}

/// "version 2, by you".
pub fn version_by(draft: &Draft) -> String {
    let by = match (draft.author, draft.simulated) {
        (Author::Learner, _) => say!("by you").to_owned(),
        (Author::Model, true) => say!("by a simulated model").to_owned(),
        (Author::Model, false) => say!("by {}", draft.produced_by),
    };
    let counted =
        draft.usage.map(|usage| say!(" ({} tokens read, {} written)", usage.read, usage.written)).unwrap_or_default();
    say!("version {}, {}{}", draft.version, by, counted)
}

/// In the place of these, while the field holds an edit that the server does not have.
pub const EDIT_WAITS: Said = Said("your edit, not confirmed yet");

/// What the header says about the way to the server before the program is there.
pub fn link_before() -> String {
    say!("Connecting").to_owned()
}
