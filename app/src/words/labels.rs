//! Names of things on the screen. Roles and names are handles for people who listen to the page and
//! for tests: changing one changes the contract.

use domain::{
    freshness::Link,
    snapshot::{Author, Draft},
};

use super::{
    sending::AtStake,
    times::{self, Zone},
};

pub const BRAND: &str = "Mooring";
pub const TAGLINE: &str = "Tasks that survive a closed tab.";
pub const SKIP: &str = "Skip to the content";
pub const LOADING: &str = "Mooring is loading. Nothing that this device has kept is lost.";

pub const START_A_TASK: &str = "Start a task";
pub const WORKSHOP_RECORD: &str = "Workshop record";
pub const QUESTION: &str = "Question";
pub const QUESTION_HINT: &str = "What would you like explained?";
pub const START: &str = "Start";
pub const EVIDENCE: &str = "Evidence";
pub const DRAFT: &str = "Draft";
pub const TO_EVIDENCE: &str = "Go to the evidence";
pub const SAVE_EDIT: &str = "Save edit";
pub const NEW_DRAFT: &str = "Ask for a new draft";
pub const LOOK_AGAIN: &str = "Look again";
pub const CANCEL_TASK: &str = "Cancel task";
pub const TRY_AGAIN: &str = "Try again";
pub const LIBRARY: &str = "Library";
pub const TASKS: &str = "Tasks";
pub const TASK: &str = "Task";
pub const ABOUT: &str = "How it works";
pub const SIGN_IN: &str = "Sign in";
pub const SIGN_UP: &str = "Sign up";
pub const SIGN_OUT: &str = "Sign out";
pub const NAME: &str = "Name";
pub const PASSPHRASE: &str = "Passphrase";
pub const WAITING: &str = "Waiting on this device";
pub const WHAT_HAPPENED: &str = "What happened";
pub const FULL_LOG: &str = "The full log";
pub const WHAT_IS_DIFFERENT: &str = "What is different";
pub const PICK_UP: &str = "Pick up where you left off";
pub const OPEN: &str = "Open";
pub const NEW_TASK: &str = "New task";
pub const OPEN_IN_LIBRARY: &str = "Open in library";
pub const OPEN_THAT_TASK: &str = "Open that task";
pub const START_ANOTHER: &str = "Start another anyway";
pub const READ_BOTH: &str = "Read both in full";
pub const SEND_NOW: &str = "Send now";
pub const DISCARD: &str = "Discard";
pub const COPY: &str = "Copy the text";
pub const SHOW_TEXT: &str = "Show the text";
pub const DISCARD_FOR_GOOD: &str = "Discard it for good";
pub const KEEP_IT: &str = "Keep it";
pub const DISCARD_CHANGES: &str = "Discard my changes";
pub const USE_IT: &str = "Use this text";
pub const STAY: &str = "Stay signed in";
pub const PROGRESS: &str = "Progress";
pub const VERSIONS: &str = "Versions";
pub const ACCOUNT: &str = "Account";
pub const OPEN_TASK: &str = "Open the task";
pub const NOTE: &str = "What you found out (optional)";
pub const WAS_SAVED: &str = "It was saved";
pub const SAVE_NOW: &str = "It was not saved: save it now";
pub const SAVE_STOP: &str = "It was not saved: stop here";
pub const NEXT_STEP: &str = "Next step";
pub const CRASH_TITLE: &str = "This page broke";
pub const CRASH: &str = "Nothing that this device has kept is lost, and your tasks are safe on the server.";
pub const RELOAD: &str = "Reload";

/// The four steps of the journey.
pub const STEPS: [&str; 4] = ["Look up", "Draft", "Review", "Save"];

/// How far a step is, for those who listen.
pub fn step_is(how_far: &str) -> &'static str {
    match how_far {
        "done" => ", done",
        "now" => ", now",
        "bad" => ", failed",
        _ => ", not yet",
    }
}

/// A mark in a record.
pub fn yes_or_no(answer: bool) -> &'static str {
    if answer { "yes" } else { "no" }
}

/// What the tab is called.
pub fn tab(page: &str) -> String {
    format!("{page} · {BRAND}")
}

pub fn accept(version: u32) -> String {
    format!("Accept version {version}")
}

pub fn keep_mine(version: u32) -> String {
    format!("Keep mine as version {version}")
}

pub fn sign_out_anyway(at_stake: AtStake) -> String {
    format!("Sign out and discard {}", at_stake.words())
}

/// What the header says about the way to the server.
pub fn link(link: Link, now: Option<domain::time::Timestamp>, zone: Zone) -> String {
    match link {
        Link::Unknown => "Not connected yet".to_owned(),
        Link::Connecting => "Connecting".to_owned(),
        Link::Up => "Up to date".to_owned(),
        Link::Reconnecting => "Reconnecting".to_owned(),
        Link::Lost { since: Some(since) } => format!("No answer since {}", times::at(since, now, zone)),
        Link::Lost { since: None } => "No answer".to_owned(),
    }
}

/// The kind of the link, in a class name.
pub fn link_kind(link: Link) -> &'static str {
    match link {
        Link::Unknown | Link::Connecting => "unknown",
        Link::Up => "good",
        Link::Reconnecting => "waiting",
        Link::Lost { .. } => "lost",
    }
}

/// Who wrote a version, in a word or two.
pub fn writer(draft: &Draft) -> &'static str {
    match (draft.author, draft.simulated) {
        (Author::Learner, _) => "you",
        (Author::Model, true) => "simulated model",
        (Author::Model, false) => "model",
    }
}

/// A chip: "1 simulated model", "2 you".
pub fn chip(draft: &Draft) -> String {
    format!("{} {}", draft.version, writer(draft))
}

/// "version 2, by you".
pub fn version_by(draft: &Draft) -> String {
    let by = match (draft.author, draft.simulated) {
        (Author::Learner, _) => "by you".to_owned(),
        (Author::Model, true) => "by a simulated model".to_owned(),
        (Author::Model, false) => format!("by {}", draft.produced_by),
    };
    let counted = draft
        .usage
        .map(|usage| format!(" ({} tokens read, {} written)", usage.read, usage.written))
        .unwrap_or_default();
    format!("version {}, {by}{counted}", draft.version)
}

/// The same before the program is there.
pub fn link_before() -> String {
    "Connecting".to_owned()
}
