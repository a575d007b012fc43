//! What one row happens on: its databases, its servers as processes of their own, and the log of calls.

use std::{path::PathBuf, time::Duration};

mod server; // one process, started again when it dies

pub use self::server::{Door, Signal};
use self::server::{Launch, Server};
use super::{
    DrillError,
    plan::{ARMED, Arm, Fault, Row},
    postgres::{
        cluster::{Cluster, Databases},
        rows::Rows,
    },
};
use crate::{
    calls::{self, Call},
    faults::Boundary,
};

/// What `faults` writes into the log when a planned fault acts.
const ACTED: &str = "a planned fault acts";

/// What a worker writes into the log when its attempt is over before its work is.
const TURNED_AWAY: &str = "an attempt ended early";

/// A row's stage.
pub struct Stage<'a> {
    cluster: &'a Cluster,
    databases: Databases,
    pub rows: Rows,
    folder: PathBuf,
    servers: Vec<Server>,
    faults: Vec<Fault>,
    lease: Duration,
}

impl<'a> Stage<'a> {
    /// Makes databases and a folder, and starts the servers.
    pub async fn set(
        cluster: &'a Cluster,
        row: &Row,
        lease: Duration,
        id: &str,
        folder: PathBuf,
    ) -> Result<Self, DrillError> {
        let io = |source| DrillError::Io { path: folder.clone(), source };
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(io)?;
        }
        std::fs::create_dir_all(&folder).map_err(io)?;
        let databases = cluster.make(id, row.setting.library_apart).await?;
        let rows = cluster.rows(&databases).await?;
        let mut stage =
            Self { cluster, databases, rows, folder, servers: Vec::new(), faults: row.faults.clone(), lease };
        for n in 1..=row.servers {
            let launch = stage.launch(row, n)?;
            stage.servers.push(Server::start(launch));
        }
        Ok(stage)
    }

    fn launch(&self, row: &Row, n: usize) -> Result<Launch, DrillError> {
        let io = |source| DrillError::Io { path: PathBuf::from("this program"), source };
        let mut variables = vec![
            ("MOORING_LAB", "1".to_owned()),
            ("MOORING_FAULTS", row.faults()),
            ("MOORING_CALL_LOG", self.calls_path().display().to_string()),
            ("DATABASE_URL", self.cluster.url_of(&self.databases.main)),
            ("MOORING_ADDR", "127.0.0.1:0".to_owned()),
            ("MOORING_LEASE", format!("{}ms", self.lease.as_millis())),
            ("MOORING_POLL", "100ms".to_owned()),
            ("MOORING_POOL", "5".to_owned()),
            ("MOORING_LOG", "info,sqlx=warn,tower_sessions=error,tower_sessions_core=error".to_owned()),
            ("MOORING_MODEL_DELAY", format!("{}ms", row.setting.model_delay.as_millis())),
            ("MOORING_CONCURRENCY", if row.setting.one_at_a_time { "1" } else { "16" }.to_owned()),
            ("MOORING_FRESHNESS", if row.setting.always_look_again { "0s" } else { "24h" }.to_owned()),
        ];
        if let Some(library) = &self.databases.library {
            variables.push(("MOORING_LIBRARY_URL", self.cluster.url_of(library)));
            // A library that is away shall be given up soon.
            variables.extend([("MOORING_BACKOFF", "50ms".to_owned()), ("MOORING_BACKOFF_CAP", "1s".to_owned())]);
        }
        let arms = row.arm == Arm::AtFirstDeath;
        Ok(Launch {
            program: std::env::current_exe().map_err(io)?,
            variables,
            log: self.folder.join(format!("server-{n}.log")),
            restart: row.servers == 1,
            arm: arms.then(|| (self.rows.clone(), self.armed())),
        })
    }

    /// Arms what waits for it: its next pass is the one that counts.
    pub async fn arm(&self) -> Result<(), DrillError> {
        for boundary in self.armed() {
            self.rows.arm(boundary, ARMED).await?;
        }
        Ok(())
    }

    fn armed(&self) -> Vec<Boundary> {
        self.faults.iter().filter(|fault| fault.nth == ARMED).map(|fault| fault.boundary).collect()
    }

    /// Where the servers are to be asked.
    pub fn doors(&self) -> Vec<Door> {
        self.servers.iter().map(Server::door).collect()
    }

    fn calls_path(&self) -> PathBuf {
        self.folder.join("calls.jsonl")
    }

    /// The calls so far.
    pub fn calls(&self) -> Result<Vec<Call>, DrillError> {
        let path = self.calls_path();
        calls::read(&path).map_err(|source| DrillError::Io { path, source })
    }

    /// How many planned faults have acted, by the servers' own logs.
    pub fn faults_acted(&self) -> usize {
        self.servers.iter().map(|server| server.lines(ACTED)).sum()
    }

    /// Whether each fault's boundary was reached as often as it takes, by the counts in the database.
    pub async fn reached(&self) -> Result<bool, DrillError> {
        for fault in &self.faults {
            if self.rows.reached(fault.boundary).await? < fault.nth {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn deaths(&self) -> u64 {
        self.servers.iter().map(Server::deaths).sum()
    }

    /// Why a server ended that nobody killed.
    pub fn broken(&self) -> Option<String> {
        self.servers.iter().find_map(Server::broken)
    }

    /// The server that has met the fault at `boundary`.
    pub fn struck_at(&self, boundary: Boundary) -> Option<usize> {
        let at = boundary.as_str();
        self.servers.iter().position(|s| s.any_line(|line| line.contains(ACTED) && line.contains(at)))
    }

    /// The server whose process has this number.
    pub fn with_pid(&self, pid: u32) -> Option<usize> {
        self.servers.iter().position(|server| server.pid() == Some(pid))
    }

    pub fn signal(&self, server: usize, signal: Signal) {
        if let Some(server) = self.servers.get(server) {
            server.signal(signal);
        }
    }

    /// Gives a process that was silent the time to be turned away, so that it can do no harm unseen. How a
    /// worker says so may change; what it does meanwhile is witnessed all the same.
    pub async fn let_thaw(&self) {
        let turned_away = || self.servers.iter().any(|server| server.lines(TURNED_AWAY) > 0);
        let _ = tokio::time::timeout(self.lease * 3, async {
            while !turned_away() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await;
    }

    pub async fn take_library_away(&self) -> Result<(), DrillError> {
        match &self.databases.library {
            Some(library) => self.cluster.take_away(library).await,
            None => Ok(()),
        }
    }

    pub async fn bring_library_back(&self) -> Result<(), DrillError> {
        match &self.databases.library {
            Some(library) => self.cluster.bring_back(library).await,
            None => Ok(()),
        }
    }

    /// Ends the servers where they stand; databases, logs and calls stay to be read.
    pub async fn end(&mut self) {
        for server in &mut self.servers {
            server.end().await;
        }
    }

    /// Takes everything down. The logs stay if somebody wants to read them.
    pub async fn strike(mut self, keep_logs: bool) -> Result<(), DrillError> {
        self.end().await;
        self.rows.close().await;
        self.cluster.remove(&self.databases).await?;
        if !keep_logs {
            let path = self.folder;
            std::fs::remove_dir_all(&path).map_err(|source| DrillError::Io { path, source })?;
        }
        Ok(())
    }
}
