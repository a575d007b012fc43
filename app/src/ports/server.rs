//! The server as the screens see it. [`crate::api::wire`] makes real calls; tests script answers.

use std::marker::PhantomData;

use domain::{
    course::Timeline,
    id::{EntryId, Seq, TaskId},
    intent::{Done, Intent},
    record::RecordList,
    snapshot::{Draft, Snapshot, Who},
};
use futures::future::LocalBoxFuture;
use serde::de::DeserializeOwned;

use crate::{
    api::{
        error::ApiError,
        reply::{EntryReply, LibraryReply},
    },
    json,
};

/// An answer to come. Dropping it gives the call up.
pub type Reply<T> = LocalBoxFuture<'static, Result<T, ApiError>>;

/// What came back, whoever it is from: the status, and the whole of the body.
pub struct Answered {
    pub status: u16,
    pub text: String,
}

/// The way to the server that this page came from.
pub trait Post {
    /// Posts JSON. None where nothing came back whole. Dropping it gives the call up, also half-way
    /// through the body.
    fn post(&self, path: &'static str, body: String) -> LocalBoxFuture<'static, Option<Answered>>;
}

/// An answer that whoever asked reads: how to read it loads with the screen that shows it.
pub struct Unread<T> {
    text: String,
    of: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Unread<T> {
    pub fn new(text: String) -> Self {
        Self { text, of: PhantomData }
    }

    /// Somebody else's page is no answer.
    pub fn read(self) -> Result<T, ApiError> {
        json::read(&self.text).map_err(|_| ApiError::nobody_answered())
    }
}

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
    fn events(&self, task: TaskId, after_seq: Seq) -> Reply<Unread<Timeline>>;
    fn library(&self) -> Reply<Unread<LibraryReply>>;
    fn entry(&self, entry: EntryId) -> Reply<Unread<EntryReply>>;

    fn command(&self, intent: Intent) -> Reply<Done>;
}
