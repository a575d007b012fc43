//! What the tools take and give. The schemas that clients read are made from these types.

use std::collections::BTreeMap;

use domain::record::{RecordList, fields::Fields};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::sources::record::Record;

/// Which record.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The record's ID, as `list_records` gives it.
    pub record_id: String,
}

/// Nothing to say.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// The records on offer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Listed {
    pub records: Vec<Line>,
    /// There are no other records.
    pub complete: bool,
}

/// A record's line in the list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Line {
    pub record_id: String,
    pub version: String,
    pub title: String,
}

/// One record as it is now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Shown {
    pub record_id: String,
    /// Changes whenever the record changes.
    pub version: String,
    pub title: String,
    /// What the record says to people, in the order in which it says it.
    #[schemars(with = "BTreeMap<String, Value>")]
    pub fields: Fields,
}

impl From<RecordList> for Listed {
    fn from(list: RecordList) -> Self {
        let line = |record: domain::record::RecordSummary| Line {
            record_id: record.record_id.to_string(),
            version: record.version.0,
            title: record.title,
        };
        Self { records: list.records.into_iter().map(line).collect(), complete: list.complete }
    }
}

impl From<Record> for Shown {
    fn from(record: Record) -> Self {
        Self {
            record_id: record.record_id.to_string(),
            version: record.version.0,
            title: record.title,
            fields: record.fields,
        }
    }
}
