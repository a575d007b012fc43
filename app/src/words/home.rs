//! Starting, listing, reading, signing in: what pages around a task say.

use domain::{record::Evidence, snapshot::LibraryEntry, time::Timestamp};

use super::{
    said::{Said, say},
    times::{self, Zone},
};

pub const NO_TASK_TITLE: Said = Said("No task yet");
pub const NO_TASK: Said = Said("Choose a record and ask a question. The task goes on when you close this page.");
pub const NO_TASK_AND_NO_ANSWER: Said =
    Said("The server does not answer just now. What you start is kept on this device and sent when it does.");
pub const NO_TASKS: Said = Said("You have not started a task yet.");
pub const NO_ENTRIES: Said = Said("Nothing is saved yet. What you accept is kept here.");
pub const LOADING_LIST: Said = Said("Asking the server.");
pub const LIST_WAITS: Said =
    Said("The server does not answer just now. This comes as soon as it does. Nothing is lost.");
pub const CHOOSE_RECORD: Said = Said("Choose a record");
pub const RECORD_HINT: Said = Said("The name of the record, as its source calls it.");
pub const RECORDS_COMING: Said = Said("Asking the server for the records");
pub const SIMILAR_TITLE: Said = Said("This is open already");
pub const NOT_SURE_WHO: Said = Said("The server has not said yet who is signed in here.");
pub const SIGN_IN_LEAD: Said = Said("Ask about a workshop record, close the tab, come back on any device.");
pub const HAVE_NO_ACCOUNT: Said = Said("No account yet?");
pub const HAVE_ACCOUNT: Said = Said("Already have an account?");
pub const PASSPHRASE_HINT: Said = Said("At least 8 characters. A short sentence is good.");
pub const SIGNING_IN: Said = Said("Asking the server.");
pub const MISSING_TITLE: Said = Said("Nothing is here");
pub const MISSING: Said = Said("This address leads nowhere. Your tasks are where they were.");
pub const HOME: Said = Said("To the start");
pub const BROKEN_TITLE: Said = Said("This part of the page broke");
pub const BROKEN: Said = Said("Reload the page. Nothing that this device has kept is lost.");
pub const UNSAVED: Said = Said("You have changes that are in no version yet.");
pub const LOOKING: Said = Said("Looking for your tasks. The server is asked.");
pub const SAVE_FIRST: Said = Said("Save your edit first, then you can accept it.");
pub const CHOOSE_FIRST: Said = Said("A newer version has come. Save your edit: then you see both texts and choose.");
pub const MOVED_ON: Said = Said("There is a newer text than the one you began with. Yours is left as it is.");
pub const KEPT: Said = Said("You typed this and did not send it. It is in no version.");
pub const EARLIER: Said = Said("This is an earlier version. It can be read, not changed.");
pub const EARLIER_COMING: Said = Said("Asking the server for this version.");
pub const SETTLE_TITLE: Said = Said("What a person must find out");
pub const NO_EVIDENCE: Said = Said("No evidence yet.");
pub const NO_DRAFT: Said = Said("No draft yet.");
pub const NO_EVENTS: Said = Said("The timeline has not arrived.");

pub const OTHER_DRAFT: Said =
    Said("Another text of this draft is kept on this device. It was typed in another tab or at another time.");
pub const OTHER_QUESTION: Said =
    Said("Another question is kept on this device. It was typed in another tab or at another time.");

/// What a person can do about an uncertain outcome.
pub fn settle(save_intended: bool) -> &'static str {
    if save_intended {
        say!("Look into your library: is the text there? Then say what you found. Looking again does no harm.")
    } else {
        say!("Nothing was to be saved, so nothing can be in your library. Looking again does no harm.")
    }
}

/// "record version 7, seen 10:41". A source may show another text under the version it had before.
pub fn seen(evidence: &Evidence, now: Option<Timestamp>, zone: Zone) -> String {
    let (version, marked) = evidence.source_version.named();
    let though = if marked { say!(" (its text has changed, its number has not)") } else { "" };
    // A source without versions: the beginning of a hash of the text stands for one.
    let which = match version.strip_prefix("sha256:") {
        Some(mark) => say!("a record without version numbers, its text known as {}", mark),
        None => say!("record version {}", version),
    };
    say!("{}{}, seen {}", which, though, times::at(evidence.observed_at, now, zone))
}

/// With the later look that saw the same: whoever asked for it reads here, near the button, what came of it.
pub fn seen_again(seen: String, again: Option<Timestamp>, now: Option<Timestamp>, zone: Zone) -> String {
    match again {
        Some(again) => say!("{}, and unchanged {}", seen, times::at(again, now, zone)),
        None => seen,
    }
}

/// Where evidence comes from.
pub fn source(evidence: &Evidence) -> String {
    let source = match (evidence.adapter.as_str(), evidence.source.as_str()) {
        ("fixture", _) | (_, "fixture" | "mooring-records") => say!("the example records that come with Mooring"),
        (_, other) => other,
    };
    say!("Source: {}.", source)
}

/// Beside it, while anything is marked.
pub const MARKED: Said = Said("What the draft says in the same words is marked.");

pub fn earlier_evidence(n: usize) -> String {
    say!("Earlier evidence ({})", n)
}

/// "version 2, saved 10:49".
pub fn saved(entry: &LibraryEntry, now: Option<Timestamp>, zone: Zone) -> String {
    say!("version {}, saved {}", entry.draft_version, times::at(entry.saved_at, now, zone))
}

/// In place of lines that two versions have in common, more than a few.
pub fn lines_the_same(lines: usize) -> String {
    say!("… {} lines are the same …", lines)
}

/// Folded away below the text of a version.
pub fn changed_since(version: u32) -> String {
    say!("What changed since version {}", version)
}

/// How to read the difference between an own text and the version that became current meanwhile.
pub fn from_to(theirs: u32) -> String {
    say!("What only yours says is crossed out, what only version {} says is underlined", theirs)
}

pub fn yours(version: u32) -> String {
    say!("Yours, written on version {}", version)
}

pub fn earlier(version: u32) -> String {
    say!("Version {}", version)
}

pub fn current(version: u32) -> String {
    say!("Version {}, current", version)
}

/// Too long for the server; said before it is sent.
pub fn length(bytes: usize, limit: usize) -> Option<String> {
    let over = bytes.checked_sub(limit).filter(|over| 0 < *over)?;
    // A plain letter is one byte, a Chinese character three.
    let thirds = over.div_ceil(3);
    Some(say!(
        "This is too long to be sent, by up to {0} letters. It is left as it is until you make it shorter.",
        over,
        thirds
    ))
}

/// What is before the learner's eyes in a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InView {
    /// The text that would be accepted.
    Base,
    Typed,
    /// The same, and a newer version has come than the one that it builds on.
    Overtaken,
    /// An earlier version is being read.
    Earlier(u32),
    /// The field shows an older text while something is composed in it.
    Behind,
}

impl InView {
    pub fn of(typed: bool, reading: Option<u32>, behind: bool) -> Self {
        match reading {
            _ if typed => Self::Typed,
            Some(version) => Self::Earlier(version),
            None if behind => Self::Behind,
            None => Self::Base,
        }
    }

    /// Why `version` cannot be accepted now: only a text that is on the screen can.
    pub fn hindrance(self, version: u32) -> Option<String> {
        match self {
            Self::Base => None,
            Self::Typed => Some(SAVE_FIRST.into()),
            Self::Overtaken => Some(CHOOSE_FIRST.into()),
            Self::Earlier(read) => {
                Some(say!("You are reading version {}. Go back to version {} to accept it.", read, version))
            }
            Self::Behind => {
                Some(say!("Version {} has arrived. Leave the field to read it before you accept.", version))
            }
        }
    }
}

/// Beside the buttons of a review.
pub fn accept_note(version: u32, confirmed: bool) -> Option<String> {
    (!confirmed)
        .then(|| say!("You can accept version {} now. It counts only if nothing newer has come meanwhile.", version))
}
