//! Server functions: who asks, what, and hand over. Thin on purpose.
//!
//! Every endpoint is pinned and takes flat JSON, so that a client from last week and a script can
//! call it. A request may leave `schema` out; an unknown one is refused.

pub mod account; // sign up, in, out; who am I
#[cfg(feature = "ssr")]
pub mod actor; // who asks, and whom the host provides to answer
pub mod command; // what a learner may ask of a task
pub mod error; // the one answer that is not a success
pub mod reading; // records, tasks, drafts, timelines, the library
pub mod reply; // the successes, as they cross the wire
pub mod wire; // the real server, for the screens
