//! Any source, whose calls are written down before they are answered: a witness for drills.

use std::{borrow::Cow, sync::Arc};

use async_trait::async_trait;
use domain::{
    id::RecordId,
    record::{Observation, RecordList},
};

use super::{Source, SourceError};
use crate::calls::{Call, CallLog};

/// A source and the log of its calls.
pub struct LoggedSource {
    inner: Arc<dyn Source>,
    log: CallLog,
}

impl LoggedSource {
    pub fn new(inner: Arc<dyn Source>, log: CallLog) -> Self {
        Self { inner, log }
    }

    /// A call that cannot be counted is not made: the count would lie.
    fn count(&self, record: Option<&RecordId>) -> Result<(), SourceError> {
        let call = Call::Source { record: record.map(ToString::to_string), process: std::process::id() };
        self.log.write(&call).map_err(|error| SourceError::Unreachable(format!("the call log: {error}")))
    }
}

#[async_trait]
impl Source for LoggedSource {
    fn name(&self) -> Cow<'_, str> {
        self.inner.name()
    }

    fn adapter(&self) -> &'static str {
        self.inner.adapter()
    }

    async fn list(&self) -> Result<RecordList, SourceError> {
        self.count(None)?;
        self.inner.list().await
    }

    async fn look_up(&self, record: &RecordId) -> Result<Observation, SourceError> {
        self.count(Some(record))?;
        self.inner.look_up(record).await
    }
}
