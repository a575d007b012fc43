//! What a source can be asked for, and what it answered.

pub mod fields; // what a record with fields says, in its order

use serde::{Deserialize, Serialize};

use crate::{
    id::{RecordId, SourceVersion},
    text::Hash,
    time::Timestamp,
};

/// A line in the list of records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordSummary {
    pub record_id: RecordId,
    pub title: String,
    pub version: SourceVersion,
}

/// The records that a source offers; `complete` means that there are no others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordList {
    pub records: Vec<RecordSummary>,
    pub complete: bool,
}

/// One record as a source showed it. When it was seen is said by the database's clock, not here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    pub title: String,
    /// The text that was seen; for a record with fields, a JSON object of them.
    pub content: String,
    pub source_version: SourceVersion,
}

impl Observation {
    /// At most this many bytes of content are taken as evidence.
    pub const LIMIT: usize = 64_000;
}

/// What was seen, where, by whom and when: stored, and shown to the learner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Which source: `fixture`, or the name of an MCP server.
    pub source: String,
    /// Which adapter saw it: `fixture`, `mcp-stdio`, `mcp-http`.
    pub adapter: String,
    pub source_version: SourceVersion,
    pub content: String,
    pub content_hash: Hash,
    pub observed_at: Timestamp,
}
