//! Workers in processes of their own, whose source and model write each call down before they
//! answer it: what is written outlives any death of the process that called.
//!
//! The process is this test binary itself, asked for one test that is none.

use std::{
    env,
    fs::{self, File, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use domain::{
    id::RecordId,
    intent::Wish,
    record::{Observation, RecordList},
};
use serde::{Deserialize, Serialize};
use server::{
    announce::Announcer,
    database::{Way, open},
    faults::Faults,
    library::postgres::PostgresLibrary,
    model::{Drafted, Model, ModelError, Prompt},
    sources::{Source, SourceError},
    store::Store,
    worker::{Notes, Settings, Worker, explanation::Explaining},
};
use sqlx::PgPool;

use crate::{
    doubles::{drafted, observation},
    stage::{Stage, Working, process},
};

/// Set for the process: its orders, as JSON.
const ORDERS: &str = "MOORING_TEST_WITNESS";

/// What a process is to do.
#[derive(Clone, Serialize, Deserialize)]
pub struct Orders {
    pub url: String,
    pub log: PathBuf,
    pub lease_ms: u64,
    /// No call takes longer than this; how long it takes is drawn.
    pub source_ms: u64,
    pub model_ms: u64,
}

/// One call, as the other side wrote it down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// `ready` when a process has begun.
    pub what: String,
    pub record: String,
    /// Whether what is asked for had been stored already when the call came.
    pub stored: bool,
}

impl Orders {
    /// Everything is written into a file in `folder`.
    pub fn new(stage: &Stage, folder: &Path) -> Self {
        let log = folder.join("calls");
        File::create(&log).unwrap();
        Self { url: stage.url.clone(), log, lease_ms: 400, source_ms: 0, model_ms: 0 }
    }

    /// All calls so far, oldest first.
    pub fn calls(&self) -> Vec<Call> {
        fs::read_to_string(&self.log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// How often `what` was asked for a record.
    pub fn count(&self, what: &str, record: &str) -> usize {
        self.calls().iter().filter(|call| call.what == what && call.record == record).count()
    }

    pub fn begin(&self) -> Witness {
        let child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "witnessed::a_process_that_works_and_is_witnessed", "--nocapture"])
            .env(ORDERS, serde_json::to_string(self).unwrap())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Witness(child.unwrap())
    }
}

/// A process; killed when dropped.
pub struct Witness(Child);

impl Witness {
    pub fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    pub fn is_over(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A question that no other task asks. The model names the record of the prompt that it answers.
pub fn ask_about(record: &str) -> Wish {
    Wish::Start { record_id: record.to_owned(), question: format!("What of {record}?"), even_if_similar: false }
}

/// The record whose draft kills the process that asked for it.
pub const POISON: &str = "poison";

/// Source and model in one.
struct Other {
    orders: Orders,
    pool: PgPool,
}

impl Other {
    /// One line in one write: lines of several processes do not mix.
    fn write(&self, what: &str, record: &str, stored: bool) {
        let call = Call { what: what.to_owned(), record: record.to_owned(), stored };
        let line = format!("{}\n", serde_json::to_string(&call).unwrap());
        OpenOptions::new().append(true).open(&self.orders.log).unwrap().write_all(line.as_bytes()).unwrap();
    }

    async fn stored(&self, table: &str, record: &str) -> bool {
        let sql = format!("select exists (select from {table} join task using (task_id) where record_id = $1)");
        sqlx::query_scalar(&sql).bind(record).fetch_one(&self.pool).await.unwrap()
    }

    async fn take(most_ms: u64) {
        tokio::time::sleep(Duration::from_millis(most_ms).mul_f64(rand::random())).await;
    }
}

#[async_trait]
impl Source for Other {
    fn name(&self) -> std::borrow::Cow<'_, str> {
        "witness".into()
    }

    fn adapter(&self) -> &'static str {
        "fixture"
    }

    async fn list(&self) -> Result<RecordList, SourceError> {
        Ok(RecordList::default())
    }

    async fn look_up(&self, record: &RecordId) -> Result<Observation, SourceError> {
        self.write("look_up", record.as_str(), self.stored("evidence", record.as_str()).await);
        Self::take(self.orders.source_ms).await;
        Ok(observation(record, "1"))
    }
}

#[async_trait]
impl Model for Other {
    fn name(&self) -> &'static str {
        "witness"
    }

    fn simulated(&self) -> bool {
        true
    }

    async fn draft(&self, prompt: &Prompt) -> Result<Drafted, ModelError> {
        let record = prompt.question.trim_start_matches("What of ").trim_end_matches('?');
        self.write("draft", record, self.stored("draft", record).await);
        if record == POISON {
            std::process::abort();
        }
        Self::take(self.orders.model_ms).await;
        Ok(drafted(&format!("About {record}.")))
    }
}

/// Not a test: the process.
#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_works_and_is_witnessed() {
    let Ok(orders) = env::var(ORDERS) else { return };
    let orders: Orders = serde_json::from_str(&orders).unwrap();
    let db = open(&orders.url, Way::Direct, 8).await.unwrap();
    let other = || Other { orders: orders.clone(), pool: db.pool().clone() };
    let worker = Worker {
        store: Store::new(db.clone()),
        kinds: vec![Arc::new(Explaining {
            source: Arc::new(other()),
            model: Arc::new(other()),
            library: Arc::new(PostgresLibrary::new(db.clone())),
        })],
        announcer: Announcer::default(),
        faults: Faults::default(),
        process: process("witness"),
        settings: Settings {
            lease: Duration::from_millis(orders.lease_ms),
            poll: Duration::from_millis(20),
            concurrency: 16,
            step_timeout: Duration::from_secs(20),
            grace: Duration::from_secs(5),
        },
        jitter: rand::random,
        notes: Notes::default(),
    };
    let parent = rustix::process::getppid();
    let _working = Working::begin(worker);
    other().write("ready", "", false);
    // It does not outlive whoever began it.
    while rustix::process::getppid() == parent {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
