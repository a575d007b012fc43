//! Any model, whose calls are written down before they are answered: a witness for drills.

use std::sync::Arc;

use async_trait::async_trait;
use domain::text::Hash;

use super::{Drafted, Model, ModelError, Prompt};
use crate::calls::{Call, CallLog};

/// A model and the log of its calls.
pub struct LoggedModel {
    inner: Arc<dyn Model>,
    log: CallLog,
}

impl LoggedModel {
    pub fn new(inner: Arc<dyn Model>, log: CallLog) -> Self {
        Self { inner, log }
    }

    /// A call that cannot be counted is not made: the count would lie.
    fn count(&self, prompt: &Prompt) -> Result<(), ModelError> {
        let Prompt { title, question, content, source_version } = prompt;
        // A hash tells whether two prompts were the same, and nothing of what a learner asked.
        let prompt = Hash::of(&[title, question, content, source_version].map(String::as_str).join("\0")).to_string();
        let call = Call::Model { prompt, process: std::process::id() };
        self.log.write(&call).map_err(|error| ModelError::Unreachable(format!("the call log: {error}")))
    }
}

#[async_trait]
impl Model for LoggedModel {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn simulated(&self) -> bool {
        self.inner.simulated()
    }

    async fn draft(&self, prompt: &Prompt) -> Result<Drafted, ModelError> {
        self.count(prompt)?;
        self.inner.draft(prompt).await
    }
}
