//! How recovery works, for a learner and for an instructor.

use domain::{
    explanation::StateName,
    snapshot::{Author, Snapshot},
};

use super::said::{Said, say};

pub const TITLE: Said = Said("How Mooring works");

pub const LEAD: Said = Said(
    "You ask about a workshop record. Mooring looks the record up, writes a draft from it, and waits \
     for you. You edit and accept; the accepted version is saved to your library, once.",
);

/// Headings with their paragraphs.
pub fn parts() -> [(Said, Said); 6] {
    [
        (
            Said("When you close the tab"),
            Said(
                "The task lives on the server, in a database. Closing the tab, losing the network or switching to another device \
                 changes nothing: open Mooring again and the same task is there.",
            ),
        ),
        (
            Said("When the server stops"),
            Said(
                "Each step is written down before it is begun and after it is done. If the server stops in the middle of one, \
                 whoever takes over finds out first what may have happened, and repeats only what is safe to repeat.",
            ),
        ),
        (
            Said("Status unknown"),
            Said(
                "A page that was just opened shows what this device remembers, and says that it is not confirmed. Only an answer of \
                 the server makes it certain. “Saved” is never said before that.",
            ),
        ),
        (
            Said("What waits on this device"),
            Said(
                "A change is written on this device under a number of its own before it is sent. If no answer comes, the same \
                 number is sent again, and the server does it once.",
            ),
        ),
        (
            Said("Accepting a version"),
            Said(
                "You accept one named version and its exact text. If another version became current meanwhile, nothing is saved: \
                 you see both texts and choose.",
            ),
        ),
        (
            Said("What is stored here"),
            Said(
                "The current task, the last known status, unsent texts and waiting changes. Never a passphrase or a token. Signing \
                 out removes it.",
            ),
        ),
    ]
}

pub const STATES_TITLE: Said = Said("The states of a task");

pub const STATES: Said = Said(
    "The drawing shows the states and the ways between them. Below it stands, for each state, where a task may go from there.",
);

/// A state and what it means.
pub fn state(name: StateName) -> (&'static str, &'static str) {
    let (title, meaning) = match name {
        StateName::Created => (
            Said("Waiting to start"),
            Said("The server has the task. While it is being worked on: looking up the record."),
        ),
        StateName::EvidenceSaved => (
            Said("Evidence found"),
            Said("The record was read and kept. While it is being worked on: generating the draft."),
        ),
        StateName::AwaitingReview => {
            (Said("Awaiting review"), Said("A version is ready to be read, edited and accepted."))
        }
        StateName::Rechecking => {
            (Said("Looking again"), Said("The record is read once more, because you asked or because time has passed."))
        }
        StateName::Accepted => (Said("Saving"), Said("You accepted a version; it is on its way to your library.")),
        StateName::Saved => (Said("Saved"), Said("It is in your library. The task never moves again.")),
        StateName::SourceMissing => {
            (Said("Record not found"), Said("The source has no such record, or it was withdrawn. You can try again."))
        }
        StateName::SourceUnavailable => {
            (Said("Source not reached"), Said("The source did not answer within the tries. You can try again."))
        }
        StateName::DraftFailed => {
            (Said("Draft not written"), Said("The model did not deliver. The evidence is kept and you can try again."))
        }
        StateName::NeedsChecking => (
            Said("Outcome uncertain"),
            Said(
                "Something may have happened and cannot be found out by a program. A person looks; looking again leads back \
                 to where the task was.",
            ),
        ),
        StateName::Cancelled => (Said("Cancelled"), Said("You stopped it. Nothing further is started.")),
    };
    (title.words(), meaning.words())
}

/// Before the states that may follow; for one that none follows.
pub fn next(ends: bool) -> &'static str {
    if ends { say!("This is an end.") } else { say!("Next:") }
}

pub const ADAPTERS_TITLE: Said = Said("What is used, and what is simulated");

pub const ADAPTERS: Said = Said(
    "Which source and which model are used is chosen where Mooring is started. What was really used is \
     written on what came of it: each piece of evidence names its source, and each \
     draft names what wrote it. A simulated model is called simulated on every draft \
     that it wrote: it composes text from the record by fixed rules and understands nothing. The \
     example records are fictional.",
);

/// How an adapter reads.
fn through(adapter: &str) -> &str {
    match adapter {
        "fixture" => say!("read from the example records that come with Mooring"),
        "mcp-stdio" => say!("read through MCP from a local program"),
        "mcp-http" => say!("read through MCP over the network"),
        other => other,
    }
}

/// What the task that was last opened on this device used, a line each.
pub fn used(task: Option<&Snapshot>) -> Vec<String> {
    let Some(task) = task else {
        return vec![say!("No task is known on this device yet, so there is nothing to name.").to_owned()];
    };
    let read = task.evidence.iter().map(|e| say!("The record was {} ({}).", through(&e.adapter), e.adapter));
    let written = task.drafts.iter().filter(|d| d.author == Author::Model).map(|draft| {
        match (draft.simulated, draft.produced_by.as_str()) {
            // That is its name, too.
            (true, "simulated") => say!("The draft was written by a simulated model.").to_owned(),
            (true, name) => say!("The draft was written by a simulated model: {}.", name),
            (false, name) => say!("The draft was written by a model: {}.", name),
        }
    });
    let mut lines: Vec<String> = Vec::new();
    for line in read.chain(written) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if lines.is_empty() {
        lines.push(say!("For the current task nothing has been read or written yet.").to_owned());
    } else {
        lines.insert(0, say!("For the current task:").to_owned());
    }
    lines
}
