//! The real thing, on a database that is empty when a stream begins: store, backend, workers and library, with the outside on a
//! script and a clock that only moves when it is told to.

use std::{
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

use app::ports::backend::Backend as _;
use domain::{
    id::{EntryId, OpId, TaskId, UserId},
    intent::Intent,
    operation::Answer,
    retry::Terms,
    snapshot::EventLine,
    time::Timestamp,
};
use server::{
    announce::Announcer,
    backend::StoreBackend,
    faults::Faults,
    library::postgres::PostgresLibrary,
    store::StoreError,
    worker::{Notes, Settings, Worker, explanation::Explaining},
};
use sqlx::types::Json;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    command::Reply,
    script::{Gate, Outside, Script, ScriptedLibrary},
    turn::JITTER,
    world::{Calls, LEASE},
};
use crate::{
    doubles::{CountingModel, CountingSource},
    stage::{Stage, process},
};

/// Nothing that is asked of this machine takes longer.
const BOUND: Duration = Duration::from_mins(1);

/// Longer than a worker takes what it has read for the present.
const BLINK: Duration = Duration::from_millis(30);

/// A turn of a real worker that waits at a gate. Dropped, it has crashed.
pub struct Waiting {
    turn: Pin<Box<dyn Future<Output = Result<bool, StoreError>>>>,
    go: Arc<tokio::sync::Notify>,
    stop: CancellationToken,
    since: Instant,
}

// What is only ever added to is taken away here as no role of Mooring's can: past its triggers.
const EMPTY: &str = "
    do $$
    begin
        perform set_config('session_replication_role', 'replica', true);
        execute (select 'truncate ' || string_agg(format('%I.%I', schemaname, tablename), ', ') || ' cascade'
                   from pg_tables
                  where schemaname in ('public', 'library') and tablename not in ('clock', '_sqlx_migrations'));
    end
    $$";

/// A line of the ledger.
#[derive(sqlx::FromRow)]
pub struct Line {
    task_id: Uuid,
    op_id: Uuid,
    pub kind: String,
    pub state: String,
    result: Option<Json<serde_json::Value>>,
}

impl Line {
    pub fn key(&self) -> (TaskId, OpId) {
        (TaskId(self.task_id), OpId(self.op_id))
    }

    /// Where one was recorded.
    pub fn answer(&self) -> Option<Answer> {
        serde_json::from_value(self.result.clone()?.0).ok()
    }
}

/// How far a turn came.
pub enum Came {
    /// It ended; false: nothing was due.
    Ended(bool),
    Waits(Waiting),
}

pub struct Real<'a> {
    pub stage: &'a Stage,
    pub learners: [UserId; 2],
    pub backend: StoreBackend,
    outside: Outside,
    workers: [Arc<Worker>; 2],
    source: CountingSource,
    model: CountingModel,
    library: ScriptedLibrary,
}

/// The names of the two workers, as the log keeps them.
pub const WORKERS: [&str; 2] = ["one", "two"];

/// When every stream begins. To the second, so that the database can add to it without rounding.
pub fn beginning() -> Timestamp {
    Timestamp::from_unix_millis(1_900_000_000_000).unwrap()
}

impl<'a> Real<'a> {
    pub async fn new(stage: &'a Stage, terms: Terms) -> Self {
        sqlx::raw_sql(EMPTY).execute(&stage.pool).await.unwrap();
        // With a clock that stands still between steps every instant can be foretold, and so compared.
        sqlx::raw_sql(
            "create or replace function mooring_now() returns timestamptz language sql volatile
                 as $$ select to_timestamp(1900000000) + shift from clock $$;
             alter table library.entry alter column saved_at set default mooring_now()",
        )
        .execute(&stage.pool)
        .await
        .unwrap();
        // Whether Postgres keeps what it has acknowledged is not the question here.
        let name = stage.url.rsplit_once('/').unwrap().1;
        let quick = format!("set synchronous_commit = off; alter database {name} set synchronous_commit = off");
        sqlx::raw_sql(&quick).execute(&stage.pool).await.unwrap();
        let learners = [stage.learner("ann").await, stage.learner("ben").await];
        let outside = Outside::default();
        let (source, model) = (outside.source(), outside.model());
        let library = outside.library(PostgresLibrary::new(stage.db.clone()));
        let backend = StoreBackend {
            store: stage.store.clone(),
            library: Arc::new(library.clone()),
            announcer: Announcer::default(),
            faults: Faults::default(),
            process: process("web"),
            terms,
            lease: LEASE,
        };
        let workers = WORKERS.map(|name| {
            Arc::new(Worker {
                store: stage.store.clone(),
                kinds: vec![Arc::new(Explaining {
                    source: Arc::new(source.clone()),
                    model: Arc::new(model.clone()),
                    library: Arc::new(library.clone()),
                })],
                announcer: Announcer::default(),
                faults: Faults::default(),
                process: process(name),
                settings: Settings {
                    lease: LEASE,
                    poll: BOUND,
                    concurrency: 1,
                    step_timeout: LEASE,
                    grace: Duration::from_secs(5),
                },
                jitter: || JITTER,
                notes: Notes::default(),
            })
        });
        Self { stage, learners, backend, outside, workers, source, model, library }
    }

    pub async fn set_clock(&self, now: Timestamp) {
        let shift = now.since(beginning()).as_micros().to_string();
        sqlx::query("update clock set shift = ($1 || ' microseconds')::interval")
            .bind(shift)
            .execute(&self.stage.pool)
            .await
            .unwrap();
    }

    /// One worker takes a turn, up to the gate.
    pub async fn turn(&self, worker: usize, script: Script, gate: Option<Gate>) -> Result<Came, String> {
        let go = self.outside.plays(script, gate);
        let (worker, stop) = (Arc::clone(&self.workers[worker]), CancellationToken::new());
        let stopped = stop.clone();
        let turn = Box::pin(async move { worker.turn(&stopped).await });
        self.goes(Waiting { turn, go, stop, since: Instant::now() }).await
    }

    /// A turn that waited goes on to its end.
    pub async fn thaw(&self, waiting: Waiting, script: Script) -> Result<(), String> {
        // What a worker has read a blink ago it takes for the present; here hours may have passed in it.
        tokio::time::sleep(BLINK.saturating_sub(waiting.since.elapsed())).await;
        self.outside.plays(script, None);
        waiting.go.notify_one();
        self.to_its_end(waiting).await
    }

    /// A turn that waits is told to stop.
    pub async fn stop(&self, waiting: Waiting) -> Result<(), String> {
        waiting.stop.cancel();
        self.to_its_end(waiting).await
    }

    async fn to_its_end(&self, waiting: Waiting) -> Result<(), String> {
        match self.goes(waiting).await? {
            Came::Ended(_) => Ok(()),
            Came::Waits(_) => Err("a turn waits at a gate that nobody set".to_owned()),
        }
    }

    async fn goes(&self, mut waiting: Waiting) -> Result<Came, String> {
        let bounded = tokio::time::timeout(BOUND, async {
            tokio::select! {
                biased;
                ended = &mut waiting.turn => Some(ended),
                () = self.outside.arrived.notified() => None,
            }
        });
        match bounded.await {
            Ok(Some(Ok(took))) => Ok(Came::Ended(took)),
            Ok(Some(Err(error))) => Err(format!("a turn failed: {error}")),
            Ok(None) => Ok(Came::Waits(waiting)),
            Err(_) => Err("a turn did not end".to_owned()),
        }
    }

    /// A command; none if the process died at the gate.
    pub async fn command(
        &self,
        owner: UserId,
        intent: Intent,
        script: Script,
        dies: Option<Gate>,
    ) -> Result<Reply, String> {
        self.outside.plays(script, dies);
        let command = self.backend.command(owner, intent);
        let bounded = tokio::time::timeout(BOUND, async {
            tokio::select! {
                biased;
                reply = command => Some(Box::new(reply)),
                () = self.outside.arrived.notified() => None,
            }
        });
        bounded.await.map_err(|_| "a command was not answered".to_owned())
    }

    /// What the other sides have counted.
    pub fn calls(&self) -> Calls {
        Calls { source: self.source.calls().begun(), model: self.model.calls().begun(), library: self.library.calls() }
    }

    pub async fn entry_names(&self) -> Vec<(TaskId, EntryId)> {
        let rows: Vec<(Uuid, Uuid)> =
            sqlx::query_as("select task_id, entry_id from library.entry").fetch_all(&self.stage.pool).await.unwrap();
        rows.into_iter().map(|(task, entry)| (TaskId(task), EntryId(entry))).collect()
    }

    pub async fn decisions(&self) -> Vec<((TaskId, OpId), bool)> {
        let rows: Vec<(Uuid, Uuid, String)> = sqlx::query_as("select task_id, op_id, outcome from library.decision")
            .fetch_all(&self.stage.pool)
            .await
            .unwrap();
        rows.into_iter().map(|(task, op, outcome)| ((TaskId(task), OpId(op)), outcome == "saved")).collect()
    }

    /// Attempt and seq of every task.
    pub async fn fences(&self) -> Vec<(TaskId, i32, i64)> {
        let rows: Vec<(Uuid, i32, i64)> =
            sqlx::query_as("select task_id, attempt, seq from task").fetch_all(&self.stage.pool).await.unwrap();
        rows.into_iter().map(|(task, attempt, seq)| (TaskId(task), attempt, seq)).collect()
    }

    /// The whole ledger.
    pub async fn ledger(&self) -> Vec<Line> {
        sqlx::query_as("select task_id, op_id, kind, state, result from operation order by task_id, op_id")
            .fetch_all(&self.stage.pool)
            .await
            .unwrap()
    }

    pub async fn timeline(&self, task: TaskId, after: u64) -> Vec<EventLine> {
        self.stage.store.timeline(task, after).await.unwrap().events
    }
}
