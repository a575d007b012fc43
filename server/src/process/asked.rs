//! Whom the steps ask: the source and the model that the configuration names.

use std::sync::Arc;

use super::{Parts, StartError};
use crate::{
    config::work::WorkArgs,
    model::{Model, logged::LoggedModel, openai::OpenAiModel, simulated::SimulatedModel},
    sources::{Source, fixture::FixtureSource, logged::LoggedSource, mcp::McpSource},
};

impl Parts {
    pub(super) fn source(&mut self, args: &WorkArgs) -> Result<Arc<dyn Source>, StartError> {
        let source: Arc<dyn Source> = match args.mcp().map_err(StartError::Asked)? {
            None => Arc::new(args.records().map_or_else(FixtureSource::embedded, FixtureSource::from_dir)),
            Some(settings) => {
                let server = McpSource::new(settings);
                self.tools = Some(server.clone());
                Arc::new(server)
            }
        };
        Ok(match &self.calls {
            Some(log) => Arc::new(LoggedSource::new(source, log.clone())),
            None => source,
        })
    }

    pub(super) fn model(&self, args: &WorkArgs) -> Result<Arc<dyn Model>, StartError> {
        let model: Arc<dyn Model> = match args.openai().map_err(StartError::Asked)? {
            None => Arc::new(SimulatedModel::with_delay(args.model_delay)),
            Some(settings) => {
                Arc::new(OpenAiModel::new(settings).map_err(|error| StartError::Asked(error.to_string()))?)
            }
        };
        Ok(match &self.calls {
            Some(log) => Arc::new(LoggedModel::new(model, log.clone())),
            None => model,
        })
    }
}
