//! The first kind of task: look a record up, draft an explanation, wait for the learner, save.
//!
//! Read in this order: what is true ([`state`]), what happened ([`event`]), what is asked
//! ([`command`]), what may happen next ([`decide()`]), how it changes what is true ([`evolve()`]),
//! and what must be done about it ([`effect`]).

pub mod command;
pub mod decide;
pub mod effect;
pub mod event;
pub mod evolve;
pub mod state;
mod withdraw;

pub use command::{Command, Looked};
pub use decide::{Decision, decide};
pub use effect::{Effect, Step};
pub use event::Event;
pub use evolve::{evolve, replay};
pub use state::{DraftRef, EvidenceRef, Known, State, StateName, Task};
