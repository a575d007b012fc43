//! How the steps of an explanation went, told from its log alone.
//!
//! The rules are not repeated here: the log is replayed, and what was due before and after each
//! event says which step the event is about. A step is known by its operation, which neither a
//! crash nor another try changes.

mod parts; // the account so far
mod told; // what each event says of it

use self::{parts::Parts, told::Was};
use super::{
    event::Logged,
    evolve::{born, evolve},
};
use crate::{
    course::StepAccount,
    id::{OpId, TaskId},
    lease::Attempt,
};

/// A line of the log: an event, and who spoke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub logged: Logged,
    /// None where a learner spoke.
    pub attempt: Option<Attempt>,
    /// The learner's operation, or the step's.
    pub op_id: Option<OpId>,
}

/// The account of each step, in the order of the journey. `held`: somebody works on the task now,
/// by a live lease, which no log can say.
pub fn course(id: TaskId, log: &[Line], held: bool) -> Vec<StepAccount> {
    let Some((first, rest)) = log.split_first() else { return Vec::new() };
    let Some(mut task) = born(id, &first.logged) else { return Vec::new() };
    let mut parts = Parts::default();
    parts.open(&task, first);
    for line in rest {
        let was = Was::of(&task);
        task = evolve(task, &line.logged);
        parts.hear(&was, &task, line);
        parts.open(&task, line);
    }
    parts.end(held)
}
