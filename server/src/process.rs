//! All of it, put together: what `serve`, `work` and `migrate` start, and how they stop.

mod asked; // whom the steps ask
mod database; // whose Postgres, and bringing it up to date
mod health; // how the parts are doing
mod records; // keeping the list of records

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use axum::Router;
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::CancellationToken;

use self::{database::Opened, health::ProcessHealth};
use crate::{
    accounts::{Desk, directory::PgDirectory, sessions::PgSessions},
    announce::Announcer,
    assets::{NoSite, Site},
    backend::StoreBackend,
    calls::CallLog,
    config::{Migrate, Serve, Work, database::DatabaseArgs, lab::LabArgs, records::RecordsArgs, work::WorkArgs},
    database::OpenError,
    embedded::EmbeddedError,
    faults::{Faults, PlanError},
    library::{Library, postgres::PostgresLibrary},
    live::Live,
    neighbours::{Hearing, Neighbours},
    records::RecordsError,
    serve::{self, Web, health::disk, origin::Origins},
    sources::{fixture::FixtureSource, mcp::McpSource},
    store::{ProcessId, Store},
    telemetry::{self, TelemetryError},
    worker::{Notes, Settings, Worker, explanation::Explaining},
};

/// Why a process did not start, or ended badly: a sentence for whoever started it.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("nothing can listen on {addr}: {source}")]
    Listen { addr: SocketAddr, source: std::io::Error },
    #[error("the plan of faults is not understood: {0}")]
    Faults(#[from] PlanError),
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
    #[error("the server ended: {0}")]
    Serve(std::io::Error),
    #[error(transparent)]
    Site(#[from] NoSite),
    #[error("there is no folder for the data: name one with --data-dir")]
    NoDataDir,
    #[error(transparent)]
    Records(#[from] RecordsError),
    #[error("{0}")]
    Asked(String),
    #[error("the call log {path} cannot be opened: {source}")]
    CallLog { path: PathBuf, source: std::io::Error },
}

/// How long a stop waits for steps to be handed back.
const GRACE: Duration = Duration::from_secs(5);

/// What every process that touches tasks has.
struct Parts {
    opened: Opened,
    store: Store,
    library: Arc<dyn Library>,
    announcer: Announcer,
    live: Live,
    faults: Faults,
    calls: Option<CallLog>,
    /// A source with a session of its own, to be ended when nobody asks it any more.
    tools: Option<McpSource>,
    process: ProcessId,
    hearing: Hearing,
    stop: CancellationToken,
    running: JoinSet<()>,
}

/// The web server, and a worker beside it unless it is left out.
pub async fn run_serve(args: Serve) -> Result<(), StartError> {
    // Who asks it to stop is heard from here on, before anybody can see that there is a server.
    let asked_to_stop = tokio::spawn(serve::asked_to_stop());
    let metrics = telemetry::metrics()?;
    let site = Site::open(args.lab.site())?;
    let document = site.document(args.web.devices_keep());
    let mut parts = Parts::open(&args.database, &args.lab).await?;
    let listener =
        TcpListener::bind(args.web.addr).await.map_err(|source| StartError::Listen { addr: args.web.addr, source })?;
    let addr = listener.local_addr().map_err(StartError::Serve)?;
    let worker = if args.no_worker { None } else { Some(parts.work(&args.work).await?) };
    parts.meet(worker.is_some());
    let sessions = PgSessions::new(parts.opened.main.clone());
    parts.running.spawn(sessions.clone().keep_swept(parts.stop.clone()));
    parts.running.spawn(telemetry::upkeep(metrics.clone(), parts.stop.clone()));
    let backend = StoreBackend {
        store: parts.store.clone(),
        library: Arc::clone(&parts.library),
        announcer: parts.announcer.clone(),
        faults: parts.faults.clone(),
        process: parts.process.clone(),
        terms: args.terms.terms(),
        lease: args.work.lease,
    };
    let web = Web {
        backend: Arc::new(backend),
        desk: Arc::new(Desk::new(Arc::new(PgDirectory::new(parts.opened.main.clone())))),
        sessions: Arc::new(sessions),
        live: parts.live.clone(),
        health: Arc::new(ProcessHealth::new(&parts, worker, warnings(&args))),
        origins: Origins::new(&args.web.public_urls(), addr),
        shell: document.html,
        assets: site.router::<()>(&document.build, args.web.devices_keep(), &serve::pages::ADDRESSES),
        metrics: Some(metrics),
        shutdown: parts.stop.clone(),
    };
    let router: Router = serve::router(web);
    let stop = parts.stop.clone();
    let asked = async move {
        if let Ok(Err(error)) = asked_to_stop.await {
            tracing::error!(%error, "signals cannot be heard; the server runs on until it is killed");
            std::future::pending::<()>().await;
        }
        stop.cancel();
    };
    tracing::info!(%addr, "listening");
    println!("Mooring is at http://{addr}");
    let serving = serve::serve(listener, router, parts.stop.clone());
    let (served, ()) = tokio::join!(serving, asked_or(asked, &parts.stop));
    parts.close().await;
    served.map_err(StartError::Serve)
}

/// A worker alone.
pub async fn run_work(args: Work) -> Result<(), StartError> {
    let mut parts = Parts::open(&args.database, &args.lab).await?;
    parts.work(&args.work).await?;
    parts.meet(true);
    tracing::info!(
        process = parts.process.name,
        "working; a process without a web counts nothing, ask one that serves"
    );
    let heard = serve::asked_to_stop().await.map_err(StartError::Serve);
    parts.close().await;
    heard
}

/// The tables alone.
pub async fn run_migrate(args: Migrate) -> Result<(), StartError> {
    let opened = Opened::open(&args.database).await?;
    opened.close().await;
    println!("The tables are up to date.");
    Ok(())
}

/// The records, for an MCP client.
pub async fn run_records(args: RecordsArgs) -> Result<(), StartError> {
    let source = args.records().map_or_else(FixtureSource::embedded, FixtureSource::from_dir);
    let Some(addr) = args.http else { return Ok(crate::records::over_stdio(source).await?) };
    let stop = CancellationToken::new();
    let asked = stop.clone();
    let asked_to_stop = async move {
        if let Err(error) = serve::asked_to_stop().await {
            tracing::error!(%error, "signals cannot be heard; the server runs on until it is killed");
            std::future::pending::<()>().await;
        }
        asked.cancel();
    };
    let serving = async {
        let served = crate::records::over_http(source, addr, stop.clone()).await;
        // Nobody need ask it to stop where it could not start.
        stop.cancel();
        served
    };
    // In this order: who asks it to stop is heard before anybody can see that there is a server.
    let ((), served) = tokio::join!(biased; asked_or(asked_to_stop, &stop), serving);
    Ok(served?)
}

/// What an operator should know, whatever state the parts are in.
fn warnings(args: &Serve) -> Vec<String> {
    let disk = data_dir(&args.database).as_deref().and_then(disk::warning);
    disk.into_iter().chain(args.lab.lab.then(|| LAB.to_owned())).collect()
}

/// Said at the start, and by `/readyz` for as long as it is so.
const LAB: &str = "lab mode: faults may be planned; this is no place for real learners";

impl Parts {
    async fn open(database: &DatabaseArgs, lab: &LabArgs) -> Result<Self, StartError> {
        let plan = lab.faults().map(str::parse).transpose()?;
        if lab.lab {
            tracing::warn!(faults = lab.faults().unwrap_or("none"), "{LAB}");
        }
        let calls = lab.call_log().map(open_call_log).transpose()?;
        let opened = Opened::open(database).await?;
        let live = Live::default();
        let faults = plan.map_or_else(Faults::default, |plan| Faults::new(plan, Store::new(opened.main.clone())));
        Ok(Self {
            store: Store::new(opened.main.clone()),
            library: Arc::new(PostgresLibrary::new(opened.library.clone())),
            announcer: Announcer::new(live.clone()),
            live,
            faults,
            calls,
            tools: None,
            process: this_process(),
            hearing: Hearing::default(),
            stop: CancellationToken::new(),
            running: JoinSet::new(),
            opened,
        })
    }

    async fn work(&mut self, args: &WorkArgs) -> Result<Arc<Worker>, StartError> {
        let (source, model) = (self.source(args)?, self.model(args)?);
        let first = records::keep_first(&self.store, &*source).await;
        self.running.spawn(records::keep(self.store.clone(), Arc::clone(&source), first, self.stop.clone()));
        let worker = Arc::new(Worker {
            store: self.store.clone(),
            kinds: vec![Arc::new(Explaining { source, model, library: Arc::clone(&self.library) })],
            announcer: self.announcer.clone(),
            faults: self.faults.clone(),
            process: self.process.clone(),
            settings: Settings {
                lease: args.lease,
                poll: args.poll,
                concurrency: args.concurrency,
                step_timeout: args.step_timeout,
                grace: GRACE,
            },
            jitter: rand::random,
            notes: Notes::default(),
        });
        self.running.spawn(Arc::clone(&worker).run(self.stop.clone()));
        Ok(worker)
    }

    fn meet(&mut self, works: bool) {
        let neighbours = Neighbours {
            store: self.store.clone(),
            announcer: self.announcer.clone(),
            process: self.process.clone(),
            works,
            direct_url: self.opened.direct_url.clone(),
            hearing: self.hearing.clone(),
        };
        self.running.spawn(neighbours.run(self.stop.clone()));
    }

    async fn close(mut self) {
        self.stop.cancel();
        let all = async { while self.running.join_next().await.is_some() {} };
        if tokio::time::timeout(GRACE * 2, all).await.is_err() {
            self.running.abort_all();
        }
        if let Some(tools) = &self.tools
            && tokio::time::timeout(GRACE, tools.end()).await.is_err()
        {
            tracing::warn!("the MCP server's session did not end in time and is dropped");
        }
        self.opened.close().await;
    }
}

fn open_call_log(path: &Path) -> Result<CallLog, StartError> {
    CallLog::open(path).map_err(|source| StartError::CallLog { path: path.to_owned(), source })
}

fn this_process() -> ProcessId {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[expect(clippy::disallowed_methods, reason = "a process has no one who could name it")]
    let id = uuid::Uuid::new_v4();
    ProcessId { id, name: format!("{host}-{}", std::process::id()) }
}

fn data_dir(database: &DatabaseArgs) -> Option<PathBuf> {
    if database.url().is_some() { None } else { database.data_dir() }
}

/// Waits for the signal, or for the server's own end.
async fn asked_or(asked: impl Future<Output = ()>, stop: &CancellationToken) {
    tokio::select! {
        () = asked => {}
        () = stop.cancelled() => {}
    }
}
