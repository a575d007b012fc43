//! How explanations are remembered: their payload, and what they gather in tables of their own.

mod head; // one task's row, as the rules see it
mod snapshot; // the picture that learners get
mod start; // the first row of a task
mod texts; // what was gathered, read back
mod timeline; // the log, read back
mod transition; // from one state to the next
mod withdrawal; // a save, taken back

pub use head::{Head, Loaded};
pub use start::{BeforeStart, NewTask, Started};
pub use texts::AtTheDoor;
pub use transition::Transition;
