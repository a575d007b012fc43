//! What the worker asks, how often it looks, and how much it does at once.

use std::{path::PathBuf, time::Duration};

use super::{mcp::McpArgs, openai::OpenAiArgs, values};
use crate::{model::openai::Settings as OpenAiSettings, sources::mcp::Settings as McpSettings};

/// The worker's choices. Only what works can be named.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Work")]
pub struct WorkArgs {
    /// Where records come from.
    #[arg(long, env = "MOORING_SOURCE", value_enum, default_value = "fixture")]
    pub source: SourceKind,

    /// A folder of records to use in place of those that Mooring carries.
    #[arg(long, env = "MOORING_RECORDS", value_name = "DIR")]
    records: Option<PathBuf>,

    /// Who writes drafts.
    #[arg(long, env = "MOORING_MODEL", value_enum, default_value = "simulated")]
    pub model: ModelKind,

    /// How long the simulated model takes to think.
    #[arg(long, env = "MOORING_MODEL_DELAY", value_name = "TIME", default_value = "0s", value_parser = values::delay)]
    pub model_delay: Duration,

    /// How long a worker that falls silent keeps its task.
    #[arg(long, env = "MOORING_LEASE", value_name = "TIME", default_value = "10s", value_parser = values::lease)]
    pub lease: Duration,

    /// How often to look for due work that nobody announced.
    #[arg(long, env = "MOORING_POLL", value_name = "TIME", default_value = "1200ms", value_parser = values::wait)]
    pub poll: Duration,

    /// Tasks that this process works on at once.
    #[arg(long, env = "MOORING_CONCURRENCY", value_name = "N", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub concurrency: u32,

    /// How long one call to a source or a model may take.
    #[arg(long, env = "MOORING_STEP_TIMEOUT", value_name = "TIME", default_value = "60s", value_parser = values::wait)]
    pub step_timeout: Duration,

    #[command(flatten)]
    mcp: McpArgs,

    #[command(flatten)]
    openai: OpenAiArgs,
}

/// Which adapter shows records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum SourceKind {
    /// Files that Mooring carries, or those in --records.
    Fixture,
    /// An MCP server that is started as a child process.
    McpStdio,
    /// An MCP server at an address, over streamable HTTP.
    McpHttp,
}

/// Which model writes drafts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ModelKind {
    /// Deterministic, and says that it is simulated.
    Simulated,
    /// Any server that speaks as OpenAI's chat completions do.
    Openai,
}

impl WorkArgs {
    /// The folder of records, if one is given.
    pub fn records(&self) -> Option<&PathBuf> {
        self.records.as_ref().filter(|dir| !dir.as_os_str().is_empty())
    }

    /// The MCP server that is the source, where one is.
    pub fn mcp(&self) -> Result<Option<McpSettings>, String> {
        match self.source {
            SourceKind::Fixture => Ok(None),
            SourceKind::McpStdio => self.mcp.over_stdio(self.records()).map(Some),
            SourceKind::McpHttp => self.mcp.over_http().map(Some),
        }
    }

    /// The model's server, where there is one.
    pub fn openai(&self) -> Result<Option<OpenAiSettings>, String> {
        match self.model {
            ModelKind::Simulated => Ok(None),
            ModelKind::Openai => self.openai.settings().map(Some),
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        values::folder(self.records())?;
        self.mcp()?;
        self.openai().map(drop)
    }
}
