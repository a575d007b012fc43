//! The rules of the core: tables of what may happen, and laws that hold for every history.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed, and says where")]

mod world; // tasks in every state

mod course; // a log in, the account of its steps out
mod diagram; // the README draws the states as they are
mod laws; // what holds for every history
mod lifecycle; // every state against every command
mod silent_change; // a source that forgets to raise its version
