//! A real Postgres of our own, for a machine where nobody set one up.
//!
//! Server programs found on the machine run on the data folder: loopback only, a random password,
//! never as root. Processes on one data folder share the server: each holds a seat (see [`seat`]),
//! and the one that leaves the last seat stops it. A seat is a kernel lock, so a killed process
//! leaves it too, and whoever comes next takes the running server over.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions as _, Connection as _, PgConnection, postgres::PgConnectOptions};
use tokio::task::JoinHandle;

mod account; // who the server runs as
mod cluster; // initdb, start, stop
mod home; // where the cluster lies
mod postmaster; // is the server of this folder alive?
mod programs; // initdb, pg_ctl and postgres on this machine
mod seat; // who uses the server

use self::{
    cluster::Cluster,
    home::Home,
    seat::{Gate, Seat},
};

/// How often a user looks whether the server is still there.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Why there is no embedded Postgres, in a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    #[error(
        "Mooring found no PostgreSQL server programs (initdb, postgres). Install PostgreSQL 14 or newer, or set \
         MOORING_POSTGRES_BIN to the folder that holds them."
    )]
    NoPrograms,
    #[error("MOORING_POSTGRES_BIN names {0}, which does not hold initdb, pg_ctl and postgres.")]
    BadProgramsFolder(PathBuf),
    #[error(
        "The data in {data} was written by PostgreSQL {wanted}, but this machine has only {found}. Install PostgreSQL \
         {wanted}, or set MOORING_POSTGRES_BIN to the folder that holds its programs."
    )]
    NoFittingPrograms { data: PathBuf, wanted: u32, found: String },
    #[error("PostgreSQL does not run as root, and this machine has no account postgres or nobody to run it as.")]
    NoAccount,
    #[error("The account {account} can reach neither the data folder {data} nor {fallback}.")]
    OutOfReach { account: String, data: PathBuf, fallback: PathBuf },
    #[error("Another process has been starting or stopping PostgreSQL in {0} for too long.")]
    Busy(PathBuf),
    #[error("{what} failed: {said} (the server's log is in {log})")]
    Program { what: &'static str, said: String, log: PathBuf },
    #[error("could not {what} {path}: {source}")]
    Io { what: &'static str, path: PathBuf, source: io::Error },
    #[error("the embedded PostgreSQL does not take connections: {0}")]
    Connect(#[from] sqlx::Error),
    #[error("the set-up of the embedded PostgreSQL was interrupted")]
    Interrupted,
}

impl EmbeddedError {
    fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { what, path: path.to_owned(), source }
    }
}

/// A seat at the data folder's server. [`Embedded::release`] gives it back; dropping it does too,
/// without waiting for the server to stop.
pub struct Embedded {
    url: String,
    cluster: Cluster,
    seat: Option<Seat>,
    keeper: JoinHandle<()>,
    /// Set before the seat is given back: the keeper must not start what is being stopped.
    leaving: Arc<AtomicBool>,
}

impl std::fmt::Debug for Embedded {
    /// Without the URL: it holds the password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Embedded").field("home", &self.cluster.home().path()).finish_non_exhaustive()
    }
}

/// Starts the server of `data_dir`, or joins the one that runs.
pub async fn start(data_dir: &Path) -> Result<Embedded, EmbeddedError> {
    let data_dir = data_dir.to_owned();
    let (cluster, seat, gate, port) = blocking(move || {
        let home = Home::of(&data_dir)?;
        let gate = Gate::close(home.path())?;
        let seat = Seat::take(home.path())?;
        let cluster = Cluster::prepare(home)?;
        let port = cluster.ensure_running()?;
        Ok((cluster, seat, gate, port))
    })
    .await?;

    let port = opened(&cluster, port).await?;
    let url = cluster.url(port, "mooring")?;
    drop(gate);

    let leaving = Arc::new(AtomicBool::new(false));
    let keeper = tokio::spawn(keep(cluster.clone(), Arc::clone(&leaving)));
    Ok(Embedded { url, cluster, seat: Some(seat), keeper, leaving })
}

/// The port at which our database is open. A server that was told to stop by whoever left last still calls
/// itself ready for a moment, and then refuses: another one follows it.
async fn opened(cluster: &Cluster, mut port: u16) -> Result<u16, EmbeddedError> {
    let deadline = Instant::now() + cluster::PATIENCE;
    loop {
        match create_database(&cluster.url(port, "postgres")?).await {
            Err(EmbeddedError::Connect(error)) if is_not_now(&error) && Instant::now() < deadline => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                let again = cluster.clone();
                port = blocking(move || again.ensure_running()).await?;
            }
            outcome => return outcome.map(|()| port),
        }
    }
}

/// `cannot_connect_now`: it is starting or stopping.
fn is_not_now(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(sqlx::error::DatabaseError::code).as_deref() == Some("57P03")
}

impl Embedded {
    /// `postgres://mooring:PASSWORD@127.0.0.1:PORT/mooring`. It holds the password: never log it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The server's own process, for tests that kill it.
    pub fn server_pid(&self) -> Option<i32> {
        postmaster::read(&self.cluster.home().cluster()).map(|found| found.pid)
    }

    /// Gives the seat back, and stops the server if it was the last one.
    pub async fn release(mut self) -> Result<(), EmbeddedError> {
        self.dismiss_keeper();
        let (cluster, seat) = (self.cluster.clone(), self.seat.take());
        blocking(move || leave(&cluster, seat, Wait::UntilStopped)).await
    }

    fn dismiss_keeper(&self) {
        self.leaving.store(true, Ordering::SeqCst);
        self.keeper.abort();
    }

    /// [`Self::release`], and removes the cluster, wherever it lies. For throw-away data folders.
    pub async fn remove(self) -> Result<(), EmbeddedError> {
        let home = self.cluster.home().clone();
        self.release().await?;
        blocking(move || home.remove()).await
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        self.dismiss_keeper();
        if let Err(error) = leave(&self.cluster, self.seat.take(), Wait::No) {
            tracing::warn!(%error, "the embedded PostgreSQL was left running");
        }
    }
}

/// Whether to wait for the server's end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    UntilStopped,
    No,
}

/// Leaves under the gate, so that nobody takes a seat at a server that is about to stop.
fn leave(cluster: &Cluster, seat: Option<Seat>, wait: Wait) -> Result<(), EmbeddedError> {
    let Some(seat) = seat else { return Ok(()) };
    let _gate = Gate::close(cluster.home().path())?;
    if seat.is_last()? {
        cluster.stop(wait)?;
    }
    Ok(())
}

/// Starts a server that died under its users again, on the same port.
async fn keep(cluster: Cluster, leaving: Arc<AtomicBool>) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        if postmaster::is_running(&cluster.home().cluster()) {
            continue;
        }
        let (again, leaving) = (cluster.clone(), Arc::clone(&leaving));
        let outcome = blocking(move || {
            let _gate = Gate::close(again.home().path())?;
            if leaving.load(Ordering::SeqCst) { Ok(None) } else { again.ensure_running().map(Some) }
        })
        .await;
        match outcome {
            Ok(None) => return,
            Ok(Some(_)) => tracing::warn!("the embedded PostgreSQL had stopped and was started again"),
            Err(error) => tracing::error!(%error, "the embedded PostgreSQL has stopped and does not start"),
        }
    }
}

async fn create_database(url: &str) -> Result<(), EmbeddedError> {
    let options: PgConnectOptions = url.parse()?;
    let mut connection = PgConnection::connect_with(&options.disable_statement_logging()).await?;
    let there: bool = sqlx::query_scalar("select exists (select from pg_database where datname = 'mooring')")
        .fetch_one(&mut connection)
        .await?;
    if !there {
        sqlx::query("create database mooring").execute(&mut connection).await?;
    }
    connection.close().await?;
    Ok(())
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EmbeddedError> + Send + 'static,
) -> Result<T, EmbeddedError> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(EmbeddedError::Interrupted))
}
