//! What lies outside, on a script: the source, the model and the library do what the step says, count,
//! and can hold a call at a gate.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering::SeqCst},
};

use async_trait::async_trait;
use domain::{
    id::{EntryId, OpId, SourceVersion, TaskId, UserId},
    record::Observation,
    snapshot::LibraryEntry,
};
use server::{
    library::{Found, Library, LibraryError, Save, Saved, postgres::PostgresLibrary},
    model::{Drafted, ModelError, Prompt},
    sources::SourceError,
};
use tokio::sync::Notify;

use crate::doubles::{CountingModel, CountingSource, Turn};

/// What a look at the source finds.
#[derive(Clone, Copy, Debug)]
pub enum Sees {
    Same,
    /// A newer version than ever before.
    Moved,
    /// Other content under the same version.
    Slipped,
    Missing,
    Withdrawn,
    TimedOut,
    /// Asks to wait.
    Busy,
    Malformed,
}

/// What the model answers.
#[derive(Clone, Copy, Debug)]
pub enum Says {
    Text,
    CutOff,
    Empty,
    TimedOut,
    Busy,
    Malformed,
}

/// How the library answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    Known,
    /// It is out of reach, and nothing was done.
    Away,
    /// It was done, but the answer is lost.
    Lost,
}

/// A call at which somebody dies or freezes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    Source,
    Model,
    /// Before the library has done anything.
    LibraryBefore,
    /// After the library has done it, before the answer is heard.
    LibraryAfter,
}

/// What the outside does during one step.
#[derive(Clone, Copy, Debug)]
pub struct Script {
    pub sees: Sees,
    pub says: Says,
    pub library: Answers,
    /// What the record is by then: version and content.
    pub record: (u32, u32),
}

/// The longest wait that anybody asks for.
const ASKED: std::time::Duration = std::time::Duration::from_secs(90);

impl Script {
    pub fn look(&self) -> Result<Observation, SourceError> {
        let (version, content) = self.record;
        match self.sees {
            Sees::Same | Sees::Moved | Sees::Slipped => Ok(Observation {
                title: format!("The record, edition {version}"),
                content: format!("Version {version}, content {content}."),
                source_version: SourceVersion(version.to_string()),
            }),
            Sees::Missing => Err(SourceError::Missing),
            Sees::Withdrawn => Err(SourceError::Withdrawn),
            Sees::TimedOut => Err(SourceError::TimedOut),
            Sees::Busy => Err(SourceError::Busy(ASKED)),
            Sees::Malformed => Err(SourceError::Malformed("half a record".to_owned())),
        }
    }

    /// The text tells what was asked, so that another prompt gives another draft.
    pub fn draft(&self, prompt: &Prompt) -> Result<Drafted, ModelError> {
        match self.says {
            Says::Text | Says::CutOff => Ok(Drafted {
                text: format!("{}|{}|{}|{}", prompt.title, prompt.question, prompt.content, prompt.source_version),
                incomplete: matches!(self.says, Says::CutOff),
                usage: None,
            }),
            Says::Empty => Err(ModelError::Empty),
            Says::TimedOut => Err(ModelError::TimedOut),
            Says::Busy => Err(ModelError::RateLimited { wait: Some(ASKED), said: String::new() }),
            Says::Malformed => Err(ModelError::Malformed("half a reply".to_owned())),
        }
    }
}

/// How it goes now, and where somebody waits for leave to go on.
type Plan = (Script, Option<(Gate, Arc<Notify>)>);

/// What the source, the model and the library share.
#[derive(Clone, Default)]
pub struct Outside {
    now: Arc<Mutex<Option<Plan>>>,
    /// Somebody has come to the gate.
    pub arrived: Arc<Notify>,
}

impl Outside {
    /// From now on it goes like this. A call at the gate waits until it is told to go.
    pub fn plays(&self, script: Script, gate: Option<Gate>) -> Arc<Notify> {
        let go = Arc::new(Notify::new());
        *self.now.lock().unwrap() = Some((script, gate.map(|gate| (gate, go.clone()))));
        go
    }

    fn script(&self) -> Script {
        self.now.lock().unwrap().as_ref().expect("a script was given before the first call").0
    }

    /// The gate, for the first that comes to it.
    fn at(&self, gate: Gate) -> Option<Arc<Notify>> {
        let mut now = self.now.lock().unwrap();
        let (_, planned) = now.as_mut()?;
        let (_, go) = planned.take_if(|(at, _)| *at == gate)?;
        self.arrived.notify_one();
        Some(go)
    }

    fn turn<T, E>(&self, gate: Gate, outcome: Result<T, E>) -> Turn<T, E> {
        let turn = outcome.map_or_else(Turn::Fail, Turn::Answer);
        match self.at(gate) {
            Some(go) => turn.when(&go),
            None => turn,
        }
    }

    pub fn source(&self) -> CountingSource {
        let outside = self.clone();
        CountingSource::scripted(move |_, _| outside.turn(Gate::Source, outside.script().look()))
    }

    pub fn model(&self) -> CountingModel {
        let outside = self.clone();
        CountingModel::scripted(move |_, prompt| outside.turn(Gate::Model, outside.script().draft(prompt)))
    }

    pub fn library(&self, inner: PostgresLibrary) -> ScriptedLibrary {
        ScriptedLibrary { inner, outside: self.clone(), calls: Arc::default() }
    }
}

/// Calls to the library, by kind: find, save, withdraw.
pub type LibraryCalls = [u64; 3];

/// The real library, on the script.
#[derive(Clone)]
pub struct ScriptedLibrary {
    inner: PostgresLibrary,
    outside: Outside,
    calls: Arc<[AtomicU64; 3]>,
}

impl ScriptedLibrary {
    pub fn calls(&self) -> LibraryCalls {
        [0, 1, 2].map(|kind| self.calls[kind].load(SeqCst))
    }

    async fn call<T>(
        &self,
        kind: usize,
        done: impl Future<Output = Result<T, LibraryError>> + Send,
    ) -> Result<T, LibraryError> {
        self.calls[kind].fetch_add(1, SeqCst);
        // A call goes by the script of the moment when it is let go.
        if let Some(go) = self.outside.at(Gate::LibraryBefore) {
            go.notified().await;
        }
        let answers = self.outside.script().library;
        if answers == Answers::Away {
            return Err(away());
        }
        let answer = done.await;
        if let Some(go) = self.outside.at(Gate::LibraryAfter) {
            go.notified().await;
        }
        if answers == Answers::Lost { Err(away()) } else { answer }
    }
}

fn away() -> LibraryError {
    LibraryError(sqlx::Error::PoolTimedOut)
}

#[async_trait]
impl Library for ScriptedLibrary {
    async fn save(&self, save: &Save) -> Result<Saved, LibraryError> {
        self.call(1, self.inner.save(save)).await
    }

    async fn find(&self, task: TaskId, op: OpId) -> Result<Found, LibraryError> {
        self.call(0, self.inner.find(task, op)).await
    }

    async fn withdraw(&self, task: TaskId, op: OpId) -> Result<Found, LibraryError> {
        self.call(2, self.inner.withdraw(task, op)).await
    }

    async fn list(&self, owner: UserId) -> Result<Vec<LibraryEntry>, LibraryError> {
        self.inner.list(owner).await
    }

    async fn read(&self, owner: UserId, entry: EntryId) -> Result<Option<LibraryEntry>, LibraryError> {
        self.inner.read(owner, entry).await
    }
}
