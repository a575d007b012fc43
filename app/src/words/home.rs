//! Starting, listing, reading, signing in: what pages around a task say.

use domain::{record::Evidence, snapshot::LibraryEntry, time::Timestamp};

use super::times::{self, Zone};

pub const NO_TASK_TITLE: &str = "No task yet";
pub const NO_TASK: &str = "Choose a record and ask a question. The task goes on when you close this page.";
pub const NO_TASK_AND_NO_ANSWER: &str =
    "The server does not answer just now. What you start is kept on this device and sent when it does.";
pub const NO_TASKS: &str = "You have not started a task yet.";
pub const NO_ENTRIES: &str = "Nothing is saved yet. What you accept is kept here.";
pub const LOADING_LIST: &str = "Asking the server.";
pub const LIST_WAITS: &str = "The server does not answer just now. This comes as soon as it does. Nothing is lost.";
pub const CHOOSE_RECORD: &str = "Choose a record";
pub const RECORD_HINT: &str = "The name of the record, as its source calls it.";
pub const RECORDS_COMING: &str = "Asking the server for the records";
pub const SIMILAR_TITLE: &str = "This is open already";
pub const NOT_SURE_WHO: &str = "The server has not said yet who is signed in here.";
pub const SIGN_IN_LEAD: &str = "Ask about a workshop record, close the tab, come back on any device.";
pub const HAVE_NO_ACCOUNT: &str = "No account yet?";
pub const HAVE_ACCOUNT: &str = "Already have an account?";
pub const PASSPHRASE_HINT: &str = "At least 8 characters. A short sentence is good.";
pub const SIGNING_IN: &str = "Asking the server.";
pub const MISSING_TITLE: &str = "Nothing is here";
pub const MISSING: &str = "This address leads nowhere. Your tasks are where they were.";
pub const HOME: &str = "To the start";
pub const BROKEN_TITLE: &str = "This part of the page broke";
pub const BROKEN: &str = "Reload the page. Nothing that this device has kept is lost.";
pub const UNSAVED: &str = "You have changes that are in no version yet.";
pub const SAVE_FIRST: &str = "Save your edit first: only a version that is stored can be accepted.";
pub const MOVED_ON: &str = "There is a newer text than the one you began with. Yours is left as it is.";
pub const KEPT: &str = "You typed this and did not send it. It is in no version.";
pub const EARLIER: &str = "This is an earlier version. It can be read, not changed.";
pub const EARLIER_COMING: &str = "Asking the server for this version.";
pub const SETTLE_TITLE: &str = "What a person must find out";
pub const NO_EVIDENCE: &str = "No evidence yet.";
pub const NO_DRAFT: &str = "No draft yet.";
pub const NO_EVENTS: &str = "The timeline has not arrived.";

pub const OTHER_DRAFT: &str =
    "Another text of this draft is kept on this device. It was typed in another tab or at another time.";
pub const OTHER_QUESTION: &str =
    "Another question is kept on this device. It was typed in another tab or at another time.";

/// What a person can do about an uncertain outcome.
pub fn settle(save_intended: bool) -> &'static str {
    if save_intended {
        "Look into your library: is the text there? Then say what you found. Looking again does no harm."
    } else {
        "Nothing was to be saved, so nothing can be in your library. Looking again does no harm."
    }
}

/// "record version 7, seen 10:41". A source may show another text under the version it had before.
pub fn seen(evidence: &Evidence, now: Option<Timestamp>, zone: Zone) -> String {
    let (version, marked) = evidence.source_version.named();
    let though = if marked { " (its text has changed, its number has not)" } else { "" };
    // A source without versions: the beginning of a hash of the text stands for one.
    let which = match version.strip_prefix("sha256:") {
        Some(mark) => format!("a record without version numbers, its text known as {mark}"),
        None => format!("record version {version}"),
    };
    format!("{which}{though}, seen {}", times::at(evidence.observed_at, now, zone))
}

/// How an adapter reads.
pub fn through(adapter: &str) -> &str {
    match adapter {
        "fixture" => "read from the example records that come with Mooring",
        "mcp-stdio" => "read through MCP from a local program",
        "mcp-http" => "read through MCP over the network",
        other => other,
    }
}

/// Where evidence comes from.
pub fn source(evidence: &Evidence) -> String {
    let through = through(&evidence.adapter);
    format!("Source: {}, {through}. What the draft says in the same words is marked.", evidence.source)
}

pub fn earlier_evidence(n: usize) -> String {
    format!("Earlier evidence ({n})")
}

/// "version 2, saved 10:49".
pub fn saved(entry: &LibraryEntry, now: Option<Timestamp>, zone: Zone) -> String {
    format!("version {}, saved {}", entry.draft_version, times::at(entry.saved_at, now, zone))
}

/// Folded away below the text of a version.
pub fn changed_since(version: u32) -> String {
    format!("What changed since version {version}")
}

/// "2 to 3".
pub fn from_to(mine: u32, theirs: u32) -> String {
    format!("{mine} to {theirs}")
}

pub fn yours(version: u32) -> String {
    format!("Yours, written on version {version}")
}

pub fn current(version: u32) -> String {
    format!("Version {version}, current")
}

/// Too long for the server; said before it is sent.
pub fn length(bytes: usize, limit: usize) -> Option<String> {
    (bytes > limit).then(|| {
        format!("{bytes} of at most {limit} bytes. It is left as it is, but it can only be sent when it is shorter.")
    })
}

/// What is before the learner's eyes in a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InView {
    /// The text that would be accepted.
    Base,
    Typed,
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
            Self::Typed => Some(SAVE_FIRST.to_owned()),
            Self::Earlier(read) => {
                Some(format!("You are reading version {read}. Go back to version {version} to accept it."))
            }
            Self::Behind => {
                Some(format!("Version {version} has arrived. Leave the field to read it before you accept."))
            }
        }
    }
}

/// Beside the buttons of a review.
pub fn accept_note(version: u32, confirmed: bool) -> Option<String> {
    (!confirmed).then(|| format!("Accepting names version {version}; it is checked as soon as the server answers."))
}
