//! How recovery works, for a learner and for an instructor.

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

/// Each state with what it means, in the order of the journey.
pub const STATES: [(&str, &str); 11] = [
    ("Waiting to start", "The server has the task. While a process works on it: looking up the record."),
    ("Evidence found", "The record was read and kept. While a process works on it: generating the draft."),
    ("Awaiting review", "A version is ready to be read, edited and accepted."),
    ("Looking again", "The record is read once more, because you asked or because time has passed."),
    ("Saving", "You accepted a version; it is on its way to your library."),
    ("Saved", "It is in your library. The task never moves again."),
    ("Record not found", "The source has no such record, or it was withdrawn. You can try again."),
    ("Source not reached", "The source did not answer within the tries. You can try again."),
    ("Draft not written", "The model did not deliver. The evidence is kept and you can try again."),
    ("Outcome uncertain", "Something may have happened and cannot be found out by a program. A person looks."),
    ("Cancelled", "You stopped it. Nothing further is started."),
];

pub const ADAPTERS_TITLE: &str = "What is used, and what is simulated";

pub const ADAPTERS: &str = "Each piece of evidence names the source and the adapter that read it, and each draft names what \
                            wrote it. A simulated model is called simulated on every draft that it wrote: it composes text \
                            from the record by fixed rules and understands nothing. The example records are fictional.";

/// What the task that was opened last on this device used.
pub fn used(adapters: &[String], writers: &[String]) -> String {
    if adapters.is_empty() && writers.is_empty() {
        return "On this device nothing has been seen yet.".to_owned();
    }
    let or_none = |names: &[String]| if names.is_empty() { "none yet".to_owned() } else { names.join(", ") };
    format!("In the current task: read through {}; drafted by {}.", or_none(adapters), or_none(writers))
}
