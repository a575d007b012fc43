//! A backend that holds one task, accounts in memory, and the router over them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use app::{api::error::ApiError, ports::backend::Backend};
use async_trait::async_trait;
use axum::{Router, routing::get};
use domain::{
    explanation::StateName,
    fault::Code,
    id::{EntryId, RecordId, Seq, TaskId, UserId},
    intent::{Done, Intent},
    record::RecordList,
    snapshot::{Draft, LibraryEntry, Snapshot},
    task::{Kind, Phase, SCHEMA},
    time::Timestamp,
};
use tokio_util::sync::CancellationToken;
use tower_sessions::{MemoryStore, SessionStore};
use uuid::Uuid;

use crate::{
    accounts::{
        Desk,
        directory::{Account, Directory, DirectoryError},
        name::Name,
    },
    live::Live,
    serve::{
        Web,
        health::{Health, Part, Report, Work},
        origin::Origins,
        router,
    },
};

/// All that stands behind the web.
#[derive(Clone)]
pub struct World {
    pub backend: Arc<Scripted>,
    pub sessions: Arc<dyn SessionStore>,
    pub desk: Arc<Desk>,
    pub live: Live,
    pub shutdown: CancellationToken,
    pub origins: Origins,
    pub listener: Part,
}

impl World {
    pub fn new() -> Self {
        Self {
            backend: Arc::default(),
            sessions: Arc::new(MemoryStore::default()),
            desk: Arc::new(Desk::new(Arc::new(Memory::default()))),
            live: Live::default(),
            shutdown: CancellationToken::new(),
            origins: Origins::new(&[], "127.0.0.1:3000".parse().unwrap()),
            listener: Part::Ok,
        }
    }

    pub fn router(&self) -> Router {
        router(Web {
            backend: self.backend.clone(),
            desk: self.desk.clone(),
            sessions: self.sessions.clone(),
            live: self.live.clone(),
            health: Arc::new(Steady(self.listener)),
            origins: self.origins.clone(),
            shell: "<!doctype html><p>Status unknown".to_owned(),
            assets: Router::new().route("/pkg/app.js", get(|| async { "js" })),
            metrics: None,
            shutdown: self.shutdown.clone(),
        })
    }
}

/// Answers with the task it was given, and does what its title says.
#[derive(Default)]
pub struct Scripted {
    pub task: Mutex<Option<(UserId, Snapshot)>>,
}

impl Scripted {
    /// Puts a task there, as it is at `seq`.
    pub fn put(&self, owner: UserId, task: TaskId, seq: Seq) {
        *self.task.lock().unwrap() = Some((owner, snapshot(task, seq)));
    }
}

#[async_trait]
impl Backend for Scripted {
    async fn records(&self) -> Result<RecordList, ApiError> {
        Ok(RecordList::default())
    }

    async fn tasks(&self, _: UserId) -> Result<Vec<Snapshot>, ApiError> {
        panic!("the worst that a backend can do")
    }

    async fn task(&self, owner: UserId, task: TaskId) -> Result<Snapshot, ApiError> {
        let held = self.task.lock().unwrap().clone();
        held.filter(|(of, held)| *of == owner && held.task_id == task)
            .map(|(_, held)| held)
            .ok_or(Code::NotFound.into())
    }

    async fn draft(&self, _: UserId, _: TaskId, _: u32) -> Result<Draft, ApiError> {
        Err(ApiError::from(Code::Unavailable).retry_after(1500))
    }

    async fn events(&self, _: UserId, _: TaskId, _: Seq) -> Result<domain::course::Timeline, ApiError> {
        Ok(domain::course::Timeline::default())
    }

    async fn command(&self, _: UserId, intent: Intent) -> Result<Done, ApiError> {
        intent.wish.check()?;
        Err(ApiError::from(Code::StaleVersion).with_current(snapshot(intent.task_id, 7)))
    }

    async fn library(&self, _: UserId) -> Result<Vec<LibraryEntry>, ApiError> {
        Ok(vec![])
    }

    async fn entry(&self, _: UserId, _: EntryId) -> Result<LibraryEntry, ApiError> {
        Err(Code::NotFound.into())
    }

    async fn now(&self) -> Option<Timestamp> {
        None
    }
}

fn snapshot(task_id: TaskId, seq: Seq) -> Snapshot {
    let at = Timestamp::from_unix_millis(1_700_000_000_000).unwrap();
    Snapshot {
        schema: SCHEMA,
        task_id,
        kind: Kind::Explanation,
        record_id: RecordId::parse("wheel-throwing").unwrap(),
        title: "Wheel throwing".to_owned(),
        question: "What should I bring?".to_owned(),
        seq,
        state: StateName::Created,
        phase: Phase::Pending,
        active: None,
        next_try_at: None,
        problem: None,
        notice: None,
        evidence: vec![],
        drafts: vec![],
        draft_version: None,
        proposal: None,
        outcome: None,
        under_way: None,
        accepted_at: None,
        looked_at: None,
        created_at: at,
        updated_at: at,
        server_time: at,
    }
}

/// Accounts in memory.
#[derive(Default)]
struct Memory(Mutex<HashMap<String, Account>>);

#[async_trait]
impl Directory for Memory {
    async fn add(&self, name: &Name, hash: &str) -> Result<Option<UserId>, DirectoryError> {
        let mut accounts = self.0.lock().unwrap();
        if accounts.contains_key(name.key()) {
            return Ok(None);
        }
        let user_id = UserId(Uuid::from_u128(accounts.len() as u128 + 1));
        let account = Account { user_id, name: name.as_str().to_owned(), passphrase_hash: hash.to_owned() };
        accounts.insert(name.key().to_owned(), account);
        Ok(Some(user_id))
    }

    async fn find(&self, name: &Name) -> Result<Option<Account>, DirectoryError> {
        Ok(self.0.lock().unwrap().get(name.key()).cloned())
    }
}

struct Steady(Part);

#[async_trait]
impl Health for Steady {
    async fn report(&self) -> Report {
        Report {
            database: Part::Ok,
            migrations: Part::Ok,
            listener: self.0,
            worker: Part::Off,
            work: Work::default(),
            warnings: vec![],
        }
    }
}
