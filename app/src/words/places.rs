//! The places of the application: the ways between them, lists with their filters, and what is empty.

use domain::{snapshot::LibraryEntry, time::Timestamp};

use super::{home, times::Zone};

pub const PLACES: &str = "Places";
pub const HOME: &str = "Home";
pub const LAST_TASK: &str = "Your last task";

pub const SHOW: &str = "Show";
pub const ALL: &str = "All";
pub const NEEDS_ME: &str = "Needs me";
pub const RUNNING: &str = "Running";
pub const FINISHED: &str = "Finished";
pub const FAILED: &str = "Failed";

pub const NONE_NEEDS_ME: &str = "Nothing needs you just now.";
pub const NONE_RUNNING: &str = "Nothing is running.";
pub const NONE_FINISHED: &str = "Nothing is finished yet.";
pub const NONE_FAILED: &str = "Nothing has failed.";

pub const HERE_ONLY: &str = "Waiting on this device";
pub const NOT_STARTED: &str = "Not started";
pub const LAST_KNOWN: &str = "This is what this device knew last. The server has not confirmed it.";

pub const ASKED: &str = "You asked";
pub const DOWNLOAD: &str = "Download";
pub const SHARE: &str = "Share";
pub const COPIED: &str = "Copied.";
pub const NOT_COPIED: &str = "It could not be copied. Select the text and copy it by hand.";

pub const SIGNED_OUT_TITLE: &str = "You are signed out";
pub const SIGNED_OUT: &str = "Nothing of yours is left on this device. Your tasks are safe on the server.";

/// What a saved explanation is called as a file. Its title, without what file systems do not like.
pub fn file_name(title: &str) -> String {
    let plain: String = title.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(80).collect();
    if name.is_empty() { "Mooring.txt".to_owned() } else { format!("{}.txt", name.trim()) }
}

/// A saved explanation as a file: which record, what was asked, the text as it was saved, and since when.
pub fn as_file(entry: &LibraryEntry, now: Option<Timestamp>, zone: Zone) -> String {
    let asked = entry.question.as_ref().map(|question| format!("{ASKED}: {question}\n")).unwrap_or_default();
    format!("{}\n{asked}\n{}\n\n({})\n", entry.title, entry.text, home::saved(entry, now, zone))
}
