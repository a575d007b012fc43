//! The real server, asked by the generated types of the server functions, at their addresses.
//!
//! Invariant: a call ends in a typed answer of ours or in [`ApiError::nobody_answered`]. An answer
//! in a form that this build does not know is no answer: what waits is kept for a build that does.
//!
//! The generated calls are not used: each would carry the whole way to the server once more, and a
//! phone would download it.

use std::rc::Rc;

use domain::{
    course::Timeline,
    id::{EntryId, Seq, TaskId},
    intent::{Done, Intent, Wish},
    record::RecordList,
    snapshot::{Draft, Snapshot, Who},
    task::SCHEMA,
};
use futures::future::LocalBoxFuture;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use server_fn::ServerFn;

use super::{
    account::{SignIn, SignOut, SignUp, WhoAmI},
    command::{AcceptTask, CancelTask, EditTask, RedraftTask, ReopenTask, RetryTask, SettleTask, StartTask},
    error::ApiError,
    reading::{ListLibrary, ListRecords, ListTasks, ReadDraft, ReadEntry, ReadEvents, ReadTask},
    reply::{EntryReply, LibraryReply},
};
use crate::{
    json,
    ports::server::{Answered, Post, Reply, Server, Unread},
};

/// Asks the server that this page came from.
pub struct Wire(pub Rc<dyn Post>);

#[expect(non_upper_case_globals, reason = "it reads as the field that it fills")]
const schema: Option<u32> = Some(SCHEMA);

/// The form that an answer says it has.
#[derive(Deserialize)]
struct Form {
    schema: u32,
}

/// The list comes under a name.
#[derive(Deserialize)]
struct Tasks {
    tasks: Vec<Snapshot>,
}

impl Wire {
    fn ask<F: ServerFn + Serialize>(&self, call: &F) -> LocalBoxFuture<'static, Result<String, ApiError>> {
        self.send(F::PATH, serde_json::to_string(call).ok())
    }

    /// The text of an answer of ours in the form that this build knows.
    fn send(&self, path: &'static str, body: Option<String>) -> LocalBoxFuture<'static, Result<String, ApiError>> {
        let answer = body.map(|body| self.0.post(path, body));
        Box::pin(async move {
            let Answered { status, text } = match answer {
                Some(answer) => answer.await.ok_or_else(ApiError::nobody_answered)?,
                None => return Err(ApiError::nobody_answered()),
            };
            if read::<Form>(&text)?.schema != SCHEMA {
                return Err(ApiError::newer_server());
            }
            if (400..600).contains(&status) { Err(read(&text)?) } else { Ok(text) }
        })
    }
}

/// Somebody else's page is no answer.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    json::read(text).map_err(|_| ApiError::nobody_answered())
}

/// What is asked for, read from the text of the answer.
fn reply<T: DeserializeOwned>(text: LocalBoxFuture<'static, Result<String, ApiError>>) -> Reply<T> {
    Box::pin(async move { read(&text.await?) })
}

/// What is asked for, to be read by whoever asked.
fn unread<T: DeserializeOwned>(text: LocalBoxFuture<'static, Result<String, ApiError>>) -> Reply<Unread<T>> {
    Box::pin(async move { Ok(Unread::new(text.await?)) })
}

impl Server for Wire {
    fn sign_up(&self, name: String, passphrase: String) -> Reply<Who> {
        reply(self.ask(&SignUp { schema, name, passphrase }))
    }

    fn sign_in(&self, name: String, passphrase: String) -> Reply<Who> {
        reply(self.ask(&SignIn { schema, name, passphrase }))
    }

    fn sign_out(&self) -> Reply<Who> {
        reply(self.ask(&SignOut { schema }))
    }

    fn who(&self) -> Reply<Who> {
        reply(self.ask(&WhoAmI { schema }))
    }

    fn records(&self) -> Reply<RecordList> {
        reply(self.ask(&ListRecords { schema }))
    }

    fn tasks(&self) -> Reply<Vec<Snapshot>> {
        let text = self.ask(&ListTasks { schema });
        Box::pin(async move { Ok(read::<Tasks>(&text.await?)?.tasks) })
    }

    fn task(&self, task_id: TaskId) -> Reply<Snapshot> {
        reply(self.ask(&ReadTask { schema, task_id }))
    }

    fn draft(&self, task_id: TaskId, version: u32) -> Reply<Draft> {
        reply(self.ask(&ReadDraft { schema, task_id, version }))
    }

    fn events(&self, task_id: TaskId, after_seq: Seq) -> Reply<Unread<Timeline>> {
        unread(self.ask(&ReadEvents { schema, task_id, after_seq }))
    }

    fn library(&self) -> Reply<Unread<LibraryReply>> {
        unread(self.ask(&ListLibrary { schema }))
    }

    fn entry(&self, entry_id: EntryId) -> Reply<Unread<EntryReply>> {
        unread(self.ask(&ReadEntry { schema, entry_id }))
    }

    fn command(&self, Intent { op_id, task_id, as_user, wish }: Intent) -> Reply<Done> {
        reply(match wish {
            Wish::Start { record_id, question, even_if_similar } => {
                self.ask(&StartTask { schema, op_id, task_id, as_user, record_id, question, even_if_similar })
            }
            Wish::Edit { base_version, text } => {
                self.ask(&EditTask { schema, op_id, task_id, as_user, base_version, text })
            }
            Wish::Accept { draft_version, draft_hash, seen_source_version } => self.ask(&AcceptTask {
                schema,
                op_id,
                task_id,
                as_user,
                draft_version,
                draft_hash,
                seen_source_version,
            }),
            Wish::Redraft { base_version } => self.ask(&RedraftTask { schema, op_id, task_id, as_user, base_version }),
            Wish::Reopen => self.ask(&ReopenTask { schema, op_id, task_id, as_user }),
            Wish::Retry => self.ask(&RetryTask { schema, op_id, task_id, as_user }),
            Wish::Cancel => self.ask(&CancelTask { schema, op_id, task_id, as_user }),
            Wish::Settle { verdict, note } => self.ask(&SettleTask { schema, op_id, task_id, as_user, verdict, note }),
        })
    }
}
