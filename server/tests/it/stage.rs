//! A database of its own for each test, and the parts of Mooring on it: the real store, the real
//! library and the real worker, with a source and a model that count.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use app::{api::error::ApiError, ports::backend::Backend};
use domain::{
    course::Timeline,
    explanation::StateName,
    id::{OpId, TaskId, UserId},
    intent::{Done, Intent, Wish},
    retry::Terms,
    snapshot::{EventLine, Snapshot},
};
use server::{
    announce::Announcer,
    backend::StoreBackend,
    database::{Database, Way, migrate, open},
    embedded::{self, Embedded},
    faults::Faults,
    library::postgres::PostgresLibrary,
    store::{ProcessId, Store},
    worker::{Notes, Settings, Worker, explanation::Explaining},
};
use sqlx::{Connection as _, PgConnection, PgPool, postgres::PgPoolOptions};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::doubles::{CountingModel, CountingSource, SwitchedLibrary};

/// Everything that a test of the engine needs.
pub struct Stage {
    pub url: String,
    pub db: Database,
    pub pool: PgPool,
    pub store: Store,
    pub source: CountingSource,
    pub model: CountingModel,
    pub library: SwitchedLibrary,
    pub backend: Arc<StoreBackend>,
    pub lease: Duration,
    /// How often workers look for work that no word came of.
    pub poll: Duration,
    announcer: Announcer,
    process: ProcessId,
    /// Kept till the end: the last one out stops the server.
    pub postgres: Embedded,
}

/// A worker that runs until it is dropped or told to stop.
pub struct Working {
    stop: CancellationToken,
    run: JoinHandle<()>,
}

impl Working {
    pub fn begin(worker: Worker) -> Self {
        Self::begin_shared(Arc::new(worker))
    }

    /// For a test that also looks at the worker.
    pub fn begin_shared(worker: Arc<Worker>) -> Self {
        let stop = CancellationToken::new();
        let run = tokio::spawn(worker.run(stop.clone()));
        Self { stop, run }
    }

    /// Stops it gracefully and waits for its end.
    pub async fn stop(self) {
        self.stop.cancel();
        self.run.await.unwrap();
    }

    /// Drops it where it stands, as a crash would.
    pub fn crash(self) {
        self.run.abort();
    }
}

/// How often something is tried: `small` always, `full` by `cargo xtask test --full`.
pub fn rounds(small: usize, full: usize) -> usize {
    if std::env::var_os("MOORING_TEST_FULL").is_some() { full } else { small }
}

/// The learner whose tasks a test is about.
pub const QUESTION: &str = "What should I bring?";

impl Stage {
    pub async fn new() -> Self {
        Self::on(Terms::default()).await
    }

    /// With terms of its own, such as a short budget.
    pub async fn on(terms: Terms) -> Self {
        Self::at(&shared_folder(), terms).await
    }

    /// With a Postgres of its own in `folder`, for a test that kills it.
    pub async fn at(folder: &Path, terms: Terms) -> Self {
        let (postgres, url) = fresh_database(folder).await;
        let db = open(&url, Way::Direct, 12).await.unwrap();
        Self::over(postgres, url, db, terms).await
    }

    /// With a transaction pooler between the parts and their database; `pooler` gives its address.
    pub async fn behind(pooler: impl FnOnce(&str) -> String) -> Self {
        let (postgres, url) = fresh_database(&shared_folder()).await;
        let db = open(&pooler(&url), Way::Pooled, 12).await.unwrap();
        Self::over(postgres, url, db, Terms::default()).await
    }

    async fn over(postgres: Embedded, url: String, db: Database, terms: Terms) -> Self {
        migrate(&db, &db).await.unwrap();
        // The tests' own questions go straight to the database.
        let pool = PgPoolOptions::new().max_connections(12).connect(&url).await.unwrap();
        let (store, announcer, process) = (Store::new(db.clone()), Announcer::default(), process("stage"));
        let lease = Duration::from_secs(10);
        let library = SwitchedLibrary::new(PostgresLibrary::new(db.clone()));
        let backend = StoreBackend {
            store: store.clone(),
            library: Arc::new(library.clone()),
            announcer: announcer.clone(),
            faults: Faults::default(),
            process: process.clone(),
            terms,
            lease,
        };
        Self {
            url,
            pool,
            db,
            store,
            source: CountingSource::new(),
            model: CountingModel::new(),
            library,
            backend: Arc::new(backend),
            lease,
            poll: Duration::from_millis(100),
            announcer,
            process,
            postgres,
        }
    }

    /// A worker beside the backend, which hears of new work at once.
    pub fn work(&self) -> Working {
        self.work_as(self.process.clone(), self.announcer.clone(), self.lease)
    }

    /// A worker in what might be another process: no word reaches it, it polls.
    pub fn work_apart(&self, name: &str, lease: Duration) -> Working {
        self.work_as(process(name), Announcer::default(), lease)
    }

    fn work_as(&self, process: ProcessId, announcer: Announcer, lease: Duration) -> Working {
        let worker = self.worker();
        Working::begin(Worker { process, announcer, settings: Settings { lease, ..worker.settings }, ..worker })
    }

    /// The worker of `work`, not yet begun, for a test that changes a part of it.
    pub fn worker(&self) -> Worker {
        Worker {
            store: self.store.clone(),
            kinds: vec![self.explaining(&self.model)],
            announcer: self.announcer.clone(),
            faults: Faults::default(),
            process: self.process.clone(),
            settings: Settings {
                lease: self.lease,
                poll: self.poll,
                concurrency: 16,
                step_timeout: Duration::from_secs(20),
                grace: Duration::from_secs(5),
            },
            jitter: || 0.5,
            notes: Notes::default(),
        }
    }

    /// The steps of an explanation, with a model of the test's own.
    pub fn explaining(&self, model: &CountingModel) -> Arc<Explaining> {
        Arc::new(Explaining {
            source: Arc::new(self.source.clone()),
            model: Arc::new(model.clone()),
            library: Arc::clone(&self.backend.library),
        })
    }

    /// An account, without the passphrase that these tests have no use for.
    pub async fn learner(&self, name: &str) -> UserId {
        let id: Uuid = sqlx::query_scalar(
            "insert into account (name, name_key, passphrase_hash, created_at)
             values ($1, $1, '', mooring_now()) returning user_id",
        )
        .bind(name)
        .fetch_one(&self.pool)
        .await
        .unwrap();
        UserId(id)
    }

    pub async fn ask(&self, owner: UserId, task: TaskId, wish: Wish) -> Result<Done, ApiError> {
        self.ask_as(owner, task, new_op(), wish).await
    }

    pub async fn ask_as(&self, owner: UserId, task: TaskId, op_id: OpId, wish: Wish) -> Result<Done, ApiError> {
        self.backend.command(owner, Intent { op_id, task_id: task, as_user: None, wish }).await
    }

    pub async fn start(&self, owner: UserId) -> TaskId {
        let task = new_task();
        self.ask(owner, task, start(QUESTION)).await.unwrap();
        task
    }

    /// A task of whose start no worker hears.
    pub async fn start_unheard(&self, owner: UserId) -> TaskId {
        let backend = StoreBackend { announcer: Announcer::default(), ..StoreBackend::clone(&self.backend) };
        let (task, wish) = (new_task(), start("Does anybody hear of this?"));
        backend.command(owner, Intent { op_id: new_op(), task_id: task, as_user: None, wish }).await.unwrap();
        task
    }

    /// Word that there may be work.
    pub fn hear_of_work(&self) {
        self.announcer.maybe_due();
    }

    /// A task about this record, with a question that no other task asks.
    pub async fn start_about(&self, owner: UserId, record: &str) -> TaskId {
        let task = new_task();
        let question = format!("{QUESTION} ({task})");
        let wish = Wish::Start { record_id: record.to_owned(), question, even_if_similar: false };
        self.ask(owner, task, wish).await.unwrap();
        task
    }

    /// A task that waits for its learner, and the picture of it.
    pub async fn reviewed(&self, owner: UserId) -> Snapshot {
        let task = self.start(owner).await;
        self.until(owner, task, StateName::AwaitingReview).await
    }

    pub async fn snapshot(&self, owner: UserId, task: TaskId) -> Snapshot {
        self.backend.task(owner, task).await.unwrap()
    }

    /// Waits for a state, not for a time.
    pub async fn until(&self, owner: UserId, task: TaskId, state: StateName) -> Snapshot {
        self.until_seen(owner, task, state.as_str(), |snapshot| snapshot.state == state).await
    }

    pub async fn until_seen(
        &self,
        owner: UserId,
        task: TaskId,
        what: &str,
        seen: impl Fn(&Snapshot) -> bool,
    ) -> Snapshot {
        let mut last = None;
        for _ in 0..1500 {
            let snapshot = self.snapshot(owner, task).await;
            if seen(&snapshot) {
                return snapshot;
            }
            last = Some(snapshot.state);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("in 30 s the task did not come to {what}; it is {last:?}");
    }

    pub async fn events(&self, owner: UserId, task: TaskId) -> Vec<EventLine> {
        self.timeline(owner, task).await.events
    }

    pub async fn timeline(&self, owner: UserId, task: TaskId) -> Timeline {
        self.backend.events(owner, task, 0).await.unwrap()
    }

    /// The kinds of a task's events, in order.
    pub async fn kinds(&self, owner: UserId, task: TaskId) -> Vec<String> {
        self.events(owner, task).await.into_iter().map(|line| line.kind).collect()
    }

    /// Rows of the library for a task: the witness of a save.
    pub async fn entries(&self, task: TaskId) -> i64 {
        self.number("select count(*) from library.entry where task_id = $1", task).await
    }

    pub async fn number(&self, sql: &str, task: TaskId) -> i64 {
        sqlx::query_scalar(sql).bind(task.0).fetch_one(&self.pool).await.unwrap()
    }

    /// Moves the clock of the rules, for all processes on this database.
    pub async fn shift_clock(&self, by: &str) {
        sqlx::query("update clock set shift = shift + $1::text::interval").bind(by).execute(&self.pool).await.unwrap();
    }
}

pub fn new_task() -> TaskId {
    TaskId(fresh())
}

pub fn new_op() -> OpId {
    OpId(fresh())
}

#[expect(clippy::disallowed_methods, reason = "a test is its own device")]
fn fresh() -> Uuid {
    Uuid::now_v7()
}

pub fn process(name: &str) -> ProcessId {
    ProcessId { id: fresh(), name: name.to_owned() }
}

pub fn start(question: &str) -> Wish {
    Wish::Start { record_id: "wheel-throwing".to_owned(), question: question.to_owned(), even_if_similar: false }
}

/// An edit of the version that `seen` shows.
pub fn edit(seen: &Snapshot, text: &str) -> Wish {
    Wish::Edit { base_version: seen.draft_version.unwrap(), text: text.to_owned() }
}

/// The acceptance of exactly what `seen` shows.
pub fn accept(seen: &Snapshot) -> Wish {
    let draft = seen.current_draft().unwrap();
    Wish::Accept {
        draft_version: draft.version,
        draft_hash: draft.hash.clone(),
        seen_source_version: seen.newest_evidence().unwrap().source_version.clone(),
    }
}

/// Where the Postgres that the tests share has its data.
fn shared_folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("postgres")
}

/// A fresh database on the cluster in `folder`, and its address.
async fn fresh_database(folder: &Path) -> (Embedded, String) {
    let postgres = embedded::start(folder).await.unwrap();
    let name = format!("stage_{}", fresh().simple());
    let mut connection = PgConnection::connect(postgres.url()).await.unwrap();
    sqlx::raw_sql(&format!("create database {name}")).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    let (base, _) = postgres.url().rsplit_once('/').unwrap();
    let url = format!("{base}/{name}");
    (postgres, url)
}
