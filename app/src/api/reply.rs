//! The successes, as they cross the wire: each with its schema, flat where it is one thing.

use domain::{
    course::Timeline,
    id::UserId,
    intent::Done,
    operation::OpReceipt,
    record::{RecordList, RecordSummary},
    snapshot::{Draft, LibraryEntry, Snapshot, Who},
    task::SCHEMA,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WhoReply {
    pub schema: u32,
    pub user_id: UserId,
    pub name: String,
}

impl From<Who> for WhoReply {
    fn from(Who { user_id, name }: Who) -> Self {
        Self { schema: SCHEMA, user_id, name }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordsReply {
    pub schema: u32,
    pub records: Vec<RecordSummary>,
    pub complete: bool,
}

impl From<RecordList> for RecordsReply {
    fn from(RecordList { records, complete }: RecordList) -> Self {
        Self { schema: SCHEMA, records, complete }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TasksReply {
    pub schema: u32,
    pub tasks: Vec<Snapshot>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DraftReply {
    pub schema: u32,
    #[serde(flatten)]
    pub draft: Draft,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EventsReply {
    pub schema: u32,
    #[serde(flatten)]
    pub timeline: Timeline,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LibraryReply {
    pub schema: u32,
    pub entries: Vec<LibraryEntry>,
    /// What "today" is to be told by; null where the clock could not be read.
    pub server_time: Option<Timestamp>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EntryReply {
    pub schema: u32,
    #[serde(flatten)]
    pub entry: LibraryEntry,
    /// As in [`LibraryReply`].
    pub server_time: Option<Timestamp>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DoneReply {
    pub schema: u32,
    pub op: OpReceipt,
    pub task: Snapshot,
}

impl From<Done> for DoneReply {
    fn from(Done { op, task }: Done) -> Self {
        Self { schema: SCHEMA, op, task }
    }
}
