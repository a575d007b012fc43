//! The first kind of task: look a record up, draft an explanation, wait for the learner, save.

pub mod state;

pub use state::{DraftRef, EvidenceRef, Known, State, StateName, Task};
