//! What a device promises, one file per promise: native, with a fake device and scripted answers.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests say so what must hold")]

mod build; // a newer build takes over when nothing can be lost
mod chain; // what builds on each other ends where the learner ended
mod decided; // a decision after a clash lets nothing go too early
mod difference; // what is different between two texts
mod fake; // a tab and a server that do as they are told
mod faults; // storage that is blocked, full, cut, emptied, or written by another build
mod follow; // the stream is believed while it speaks
mod hold; // what the device has no room for stays with the tab
mod kept; // what is remembered, and what is not
mod languages; // every sentence is there in every language
mod leaving; // who leaves with something that is nowhere else is asked
mod pages; // pages as text
mod places; // lists with their filters, what is saved, and the ways between them
mod pressed; // wishes are written before they are sent and done once
mod probing; // a network that comes back is found, and not stormed
mod progress; // the steps, and how long they take
mod returned; // a reopened tab knows what it does not know
mod session; // one learner's things are never another's
mod shell; // one document for everybody
mod still; // who does not look costs nothing, and who slept knows nothing
mod tabs; // several tabs, one effect
mod texts; // several tabs, several texts
mod timeline; // what happened, in words and with its log
mod words; // the screen says what is true, and no more
