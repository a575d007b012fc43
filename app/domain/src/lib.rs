//! The core: what a task is, what may happen to it, and what must be done next.
//!
//! Pure data and pure functions, shared by the server and the browser. No clock, no network, no
//! storage: time, randomness and identity arrive as arguments.

pub mod approval; // what exactly a learner says yes to
pub mod course; // how the steps of a task went
pub mod explanation; // the first kind of task: look up, draft, review, save
pub mod fault; // bad news, in codes that both sides know
pub mod freshness; // how far a device may trust what it shows
pub mod id; // names for things
pub mod intent; // a wish made on a device, and the answer to it
pub mod lease; // the right to work on a task, for a while
pub mod operation; // a promise to touch the outside world at most once
pub mod outbox; // wishes not yet answered
pub mod record; // what a source can be asked for, and what it answered
pub mod retry; // how often, how long, how far apart
pub mod snapshot; // what the server says is true
pub mod task; // what every kind of task has
pub mod text; // words that people and models write, and their hashes
pub mod time; // instants, always given, never taken
