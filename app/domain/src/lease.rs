//! The right to work on a task, for a while.

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// Which attempt is speaking. It only ever grows, and every write by a worker carries it: a
/// worker that was frozen for an hour speaks with an old number and is not heard.
pub type Attempt = u32;

/// What a learner may know of work under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Active {
    pub step: String,
    /// How often this step has failed so far.
    pub tries: u32,
    pub lease_until: Timestamp,
}
