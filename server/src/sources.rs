//! Where records come from: a port, and one adapter per kind of source.
//!
//! To add a source: implement [`Source`] in a file of its own, give every way it can fail a
//! variant of [`SourceError`], name it in the configuration, and run the contract suite on it.

pub mod fixture; // records in files
pub mod logged; // any of them, with its calls written down
pub mod mcp; // any MCP server with read-only tools
pub mod record; // a record as machines hand it over

use std::{borrow::Cow, time::Duration};

use async_trait::async_trait;
use domain::{
    fault::Problem,
    id::RecordId,
    record::{Observation, RecordList},
};

/// A read-only source of records. Calls may be repeated; the caller bounds their time.
#[async_trait]
pub trait Source: Send + Sync + 'static {
    /// Which source, as evidence names it: `fixture`, or a server's own name as it was last met.
    fn name(&self) -> Cow<'_, str>;

    /// Which adapter: `fixture`, `mcp-stdio`, `mcp-http`.
    fn adapter(&self) -> &'static str;

    /// The records on offer; not `complete` where the source cannot list them.
    async fn list(&self) -> Result<RecordList, SourceError>;

    /// One record as it is now.
    async fn look_up(&self, record: &RecordId) -> Result<Observation, SourceError>;
}

/// A title, a version or an error's words, as they can be stored, shown and logged: one line of at most 200 characters.
pub fn one_line(raw: &str) -> String {
    raw.trim().chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

/// Why a source did not show a record. What it says of the other side was cleaned of secrets.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SourceError {
    #[error("the source has no record of that name")]
    Missing,
    #[error("the record was withdrawn")]
    Withdrawn,
    #[error("the source cannot be reached: {0}")]
    Unreachable(String),
    #[error("the source did not answer in time")]
    TimedOut,
    #[error("the source asks to wait {0:?}")]
    Busy(Duration),
    #[error("the reply is over {limit} bytes")]
    TooLarge { limit: usize },
    #[error("the reply was not understood: {0}")]
    Malformed(String),
    #[error("the source refused: {0}")]
    Refused(String),

    // of sources that run beside us and offer tools
    #[error("the source cannot be started: {0}")]
    CannotStart(String),
    #[error("the source refused the handshake: {0}")]
    HandshakeRefused(String),
    #[error("the connection to the source was lost: {0}")]
    ConnectionLost(String),
    #[error("the source has no tool {0}")]
    ToolUnknown(String),
    #[error("the tool {0} is not marked read-only, and not allowed by name")]
    ToolNotReadOnly(String),
    #[error("the tool refused the arguments: {0}")]
    ArgumentsRefused(String),
    #[error("the tool failed: {0}")]
    ToolFailed(String),
}

impl SourceError {
    /// The record is not there, as opposed to: could not be asked for.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing | Self::Withdrawn)
    }

    /// Never what another try cannot mend: malformed data, refused permission.
    pub fn worth_retrying(&self) -> bool {
        match self {
            Self::Unreachable(_)
            | Self::TimedOut
            | Self::Busy(_)
            | Self::CannotStart(_)
            | Self::ConnectionLost(_)
            | Self::ToolFailed(_) => true,
            Self::Missing
            | Self::Withdrawn
            | Self::TooLarge { .. }
            | Self::Malformed(_)
            | Self::Refused(_)
            | Self::HandshakeRefused(_)
            | Self::ToolUnknown(_)
            | Self::ToolNotReadOnly(_)
            | Self::ArgumentsRefused(_) => false,
        }
    }

    /// What the source itself asked for.
    pub fn asked_to_wait(&self) -> Option<Duration> {
        match self {
            Self::Busy(wait) => Some(*wait),
            _ => None,
        }
    }

    /// The problem a learner is told of. The other side's own words stay in the log.
    pub fn problem(&self) -> Problem {
        match self {
            Self::Missing => Problem::new("record_not_found"),
            Self::Withdrawn => Problem::new("record_withdrawn"),
            Self::Unreachable(_) => Problem::new("source_unreachable"),
            Self::TimedOut => Problem::new("source_timed_out"),
            Self::Busy(_) => Problem::new("source_busy"),
            Self::TooLarge { limit } => Problem::new("reply_too_large").with("limit", limit),
            Self::Malformed(_) => Problem::new("reply_malformed"),
            Self::Refused(_) => Problem::new("source_refused"),
            Self::CannotStart(_) => Problem::new("source_cannot_start"),
            Self::HandshakeRefused(_) => Problem::new("source_handshake_refused"),
            Self::ConnectionLost(_) => Problem::new("source_connection_lost"),
            Self::ToolUnknown(_) => Problem::new("tool_unknown"),
            Self::ToolNotReadOnly(_) => Problem::new("tool_not_read_only"),
            Self::ArgumentsRefused(_) => Problem::new("tool_arguments_refused"),
            Self::ToolFailed(_) => Problem::new("tool_failed"),
        }
    }
}
