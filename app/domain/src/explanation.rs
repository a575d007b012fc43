//! The first kind of task: look a record up, draft an explanation, wait for the learner, save.
//!
//! Read in this order: what is true ([`state`]), what happened ([`event`]), what is asked
//! ([`command`]), what may happen next ([`decide()`]), how it changes what is true ([`evolve()`]),
//! what must be done about it ([`effect`]), and how it went ([`course()`]).

pub mod command;
pub mod course;
pub mod decide;
pub mod effect;
pub mod event;
pub mod evolve;
pub mod state;
mod withdraw;

pub use command::{Command, Looked};
pub use course::course;
pub use decide::{Decision, decide};
pub use effect::{Effect, Step};
pub use event::{Event, Recheck};
pub use evolve::{evolve, replay};
pub use state::{DraftRef, EvidenceRef, Known, State, StateName, Task};
