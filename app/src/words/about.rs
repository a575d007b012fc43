//! How recovery works, for a learner and for an instructor.

use domain::{
    explanation::StateName,
    snapshot::{Author, Snapshot},
};

use super::home;

pub const TITLE: &str = "How Mooring works";

pub const LEAD: &str = "You ask about a workshop record. Mooring looks the record up, writes a draft from it, and waits \
                        for you. You edit and accept; the accepted version is saved to your library, once.";

/// Headings with their paragraphs.
pub const PARTS: [(&str, &str); 6] = [
    (
        "When you close the tab",
        "The task lives on the server, in a database. Closing the tab, losing the network or switching to another device \
         changes nothing: open Mooring again and the same task is there.",
    ),
    (
        "When the server stops",
        "Each step is written down before it is begun and after it is done. A process that stops in the middle leaves a \
         lease that runs out; another one takes over, looks up what may have happened, and repeats only what is safe.",
    ),
    (
        "Status unknown",
        "A page that was just opened shows what this device remembers, and says that it is not confirmed. Only an answer of \
         the server makes it certain. “Saved” is never said before that.",
    ),
    (
        "What waits on this device",
        "A change is written on this device under a number of its own before it is sent. If no answer comes, the same \
         number is sent again, and the server does it once.",
    ),
    (
        "Accepting a version",
        "You accept one named version and its exact text. If another version became current meanwhile, nothing is saved: \
         you see both texts and choose.",
    ),
    (
        "What is stored here",
        "The current task, the last known status, unsent texts and waiting changes. Never a passphrase or a token. Signing \
         out removes it.",
    ),
];

pub const STATES_TITLE: &str = "The states of a task";

pub const STATES: &str = "From top to bottom runs the journey. Under each state stands where a task may go from there.";

/// A state and what it means.
pub fn state(name: StateName) -> (&'static str, &'static str) {
    match name {
        StateName::Created => {
            ("Waiting to start", "The server has the task. While a process works on it: looking up the record.")
        }
        StateName::EvidenceSaved => {
            ("Evidence found", "The record was read and kept. While a process works on it: generating the draft.")
        }
        StateName::AwaitingReview => ("Awaiting review", "A version is ready to be read, edited and accepted."),
        StateName::Rechecking => {
            ("Looking again", "The record is read once more, because you asked or because time has passed.")
        }
        StateName::Accepted => ("Saving", "You accepted a version; it is on its way to your library."),
        StateName::Saved => ("Saved", "It is in your library. The task never moves again."),
        StateName::SourceMissing => {
            ("Record not found", "The source has no such record, or it was withdrawn. You can try again.")
        }
        StateName::SourceUnavailable => {
            ("Source not reached", "The source did not answer within the tries. You can try again.")
        }
        StateName::DraftFailed => {
            ("Draft not written", "The model did not deliver. The evidence is kept and you can try again.")
        }
        StateName::NeedsChecking => (
            "Outcome uncertain",
            "Something may have happened and cannot be found out by a program. A person looks; looking again leads back \
             to where the task was.",
        ),
        StateName::Cancelled => ("Cancelled", "You stopped it. Nothing further is started."),
    }
}

/// Before the states that may follow; for one that none follows.
pub fn next(ends: bool) -> &'static str {
    if ends { "This is an end." } else { "Next:" }
}

pub const ADAPTERS_TITLE: &str = "What is used, and what is simulated";

pub const ADAPTERS: &str = "Which source and which model are used is chosen where Mooring is started. What was really used is \
                            written on what came of it: each piece of evidence names the source and the adapter that read \
                            it, and each draft names what wrote it. A simulated model is called simulated on every draft \
                            that it wrote: it composes text from the record by fixed rules and understands nothing. The \
                            example records are fictional.";

/// What the task that was last opened on this device used, a line each.
pub fn used(task: Option<&Snapshot>) -> Vec<String> {
    let Some(task) = task else {
        return vec!["No task is known on this device yet, so there is nothing to name.".to_owned()];
    };
    let read = task.evidence.iter().map(|e| format!("The record was {} ({}).", home::through(&e.adapter), e.adapter));
    let written = task.drafts.iter().filter(|d| d.author == Author::Model).map(|draft| {
        let simulated = if draft.simulated { "a simulated model" } else { "a model" };
        format!("The draft was written by {simulated}: {}.", draft.produced_by)
    });
    let mut lines: Vec<String> = Vec::new();
    for line in read.chain(written) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.is_empty() {
        lines.push("For the current task nothing has been read or written yet.".to_owned());
    } else {
        lines.insert(0, "For the current task:".to_owned());
    }
    lines
}
