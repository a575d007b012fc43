//! The places of the application: the ways between them, lists with their filters, and what is empty.

use domain::snapshot::LibraryEntry;

use super::{
    home,
    said::{Said, say},
    times::Zone,
};

pub const PLACES: Said = Said("Places");
pub const HOME: Said = Said("Home");
pub const LAST_TASK: Said = Said("Your last task");

pub const SHOW: Said = Said("Show");
pub const ALL: Said = Said("All");
pub const NEEDS_ME: Said = Said("Needs me");
pub const RUNNING: Said = Said("Running");
pub const FINISHED: Said = Said("Finished");
pub const FAILED: Said = Said("Failed");

pub const NONE_NEEDS_ME: Said = Said("Nothing needs you just now.");
pub const NONE_RUNNING: Said = Said("Nothing is running.");
pub const NONE_FINISHED: Said = Said("Nothing is finished yet.");
pub const NONE_FAILED: Said = Said("Nothing has failed.");

pub const NOT_STARTED: Said = Said("Not started");
pub const LAST_KNOWN: Said = Said("This is what this device knew last. The server has not confirmed it.");

pub const DOWNLOAD: Said = Said("Download");
pub const SHARE: Said = Said("Share");
pub const COPIED: Said = Said("Copied.");
pub const NOT_COPIED: Said = Said("It could not be copied. Select the text and copy it by hand.");

/// In the library, while an accept has no answer.
pub const ACCEPT_WAITS: Said = Said("What you accepted waits on this device. It comes here once the server has it.");

/// In the library, while an accept was refused and its learner has not dealt with it.
pub const ACCEPT_REFUSED: Said =
    Said("Something that you accepted was not saved. Nothing of it is lost: its task says why.");

pub const SIGNED_OUT_TITLE: Said = Said("You are signed out");
pub const SIGNED_OUT: Said = Said("Nothing of yours is left on this device. Your tasks are safe on the server.");

/// What a saved explanation is called as a file. Its title, without what file systems do not like.
pub fn file_name(title: &str) -> String {
    let plain: String = title.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(80).collect();
    if name.is_empty() { "Mooring.txt".to_owned() } else { format!("{}.txt", name.trim()) }
}

/// A saved explanation as a file: which record, what was asked, the text as it was saved, and since when. A file
/// is read in another year, too: its date is a whole one.
pub fn as_file(entry: &LibraryEntry, zone: Zone) -> String {
    let asked =
        entry.question.as_ref().map(|question| format!("{}\n", say!("You asked: {}", question))).unwrap_or_default();
    format!("{}\n{asked}\n{}\n\n({})\n", entry.title, entry.text, home::saved(entry, None, zone))
}
