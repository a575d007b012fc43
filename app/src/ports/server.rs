//! The server as the screens see it. [`crate::api::wire`] makes real calls; tests script answers.

use domain::{
    course::Timeline,
    id::{EntryId, Seq, TaskId},
    intent::{Done, Intent},
    record::RecordList,
    snapshot::{Draft, LibraryEntry, Snapshot, Who},
};
use futures::future::LocalBoxFuture;

use crate::api::error::ApiError;

/// An answer to come. Dropping it gives the call up.
pub type Reply<T> = LocalBoxFuture<'static, Result<T, ApiError>>;

/// Everything that a device may ask for.
pub trait Server {
    fn sign_up(&self, name: String, passphrase: String) -> Reply<Who>;
    fn sign_in(&self, name: String, passphrase: String) -> Reply<Who>;
    fn sign_out(&self) -> Reply<Who>;
    fn who(&self) -> Reply<Who>;

    fn records(&self) -> Reply<RecordList>;
    fn tasks(&self) -> Reply<Vec<Snapshot>>;
    fn task(&self, task: TaskId) -> Reply<Snapshot>;
    fn draft(&self, task: TaskId, version: u32) -> Reply<Draft>;
    fn events(&self, task: TaskId, after_seq: Seq) -> Reply<Timeline>;
    fn library(&self) -> Reply<Vec<LibraryEntry>>;
    fn entry(&self, entry: EntryId) -> Reply<LibraryEntry>;

    fn command(&self, intent: Intent) -> Reply<Done>;
}
