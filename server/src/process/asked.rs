//! Whom the steps ask: the source and the model that the configuration names.

use std::sync::Arc;

use super::{Parts, StartError};
use crate::{
    config::work::{ModelKind, WorkArgs},
    model::{Model, logged::LoggedModel, simulated::SimulatedModel},
    sources::{Source, fixture::FixtureSource, logged::LoggedSource, mcp::McpSource},
};

impl Parts {
    pub(super) fn source(&mut self, args: &WorkArgs) -> Result<Arc<dyn Source>, StartError> {
        let source: Arc<dyn Source> = match args.mcp().map_err(StartError::Asked)? {
            None => Arc::new(args.records().map_or_else(FixtureSource::embedded, FixtureSource::from_dir)),
            Some(settings) => {
                let server = McpSource::new(settings);
                self.running.spawn(server.clone().end_at(self.stop.clone()));
                Arc::new(server)
            }
        };
        Ok(match &self.calls {
            Some(log) => Arc::new(LoggedSource::new(source, log.clone())),
            None => source,
        })
    }

    pub(super) fn model(&self, args: &WorkArgs) -> Arc<dyn Model> {
        let model: Arc<dyn Model> = match args.model {
            ModelKind::Simulated => Arc::new(SimulatedModel::with_delay(args.model_delay)),
        };
        match &self.calls {
            Some(log) => Arc::new(LoggedModel::new(model, log.clone())),
            None => model,
        }
    }
}
