//! The Postgres that the measured server runs, reached beside it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};
use postgres::{Client, Config, NoTls};

use crate::leftovers;

/// Where it is, and how to get in.
pub struct Cluster {
    pub postmaster: u32,
    port: u16,
    password: String,
}

impl Cluster {
    /// The running one of a data folder: port and password lie in it.
    pub fn of(data: &Path) -> Result<Self> {
        let home = leftovers::homes(data).into_iter().next().context("the data folder has no Postgres")?;
        let read = |path: PathBuf| fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()));
        let running = read(home.join("cluster/postmaster.pid"))?;
        let line = |n: usize| running.lines().nth(n).map(str::trim).context("postmaster.pid is not whole");
        Ok(Self {
            postmaster: line(0)?.parse().context("postmaster.pid names no process")?,
            port: line(3)?.parse().context("postmaster.pid names no port")?,
            password: read(home.join("password"))?.trim().to_owned(),
        })
    }

    pub fn connect(&self, database: &str) -> Result<Client> {
        Config::new()
            .host("127.0.0.1")
            .port(self.port)
            .user("mooring")
            .password(&self.password)
            .dbname(database)
            .connect(NoTls)
            .with_context(|| format!("cannot connect to the database {database}"))
    }

    /// One of PostgreSQL's programs, told where to go.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("PGHOST", "127.0.0.1").env("PGPORT", self.port.to_string());
        command.env("PGUSER", "mooring").env("PGPASSWORD", &self.password);
        command
    }
}

/// What the cluster has written so far. Asked from a database of its own, so that the question is not
/// among the answers: it writes nothing.
#[derive(Clone, Copy)]
pub struct Written {
    pub transactions: i64,
    pub wal_bytes: i64,
}

impl Written {
    pub fn so_far(client: &mut Client) -> Result<Self> {
        // Only a transaction that writes takes a number.
        let row = client.query_one(
            "select pg_snapshot_xmax(pg_current_snapshot())::text::bigint, (pg_current_wal_lsn() - '0/0')::bigint",
            &[],
        )?;
        Ok(Self { transactions: row.get(0), wal_bytes: row.get(1) })
    }
}

/// Transactions in the server's own database so far, reading ones too.
pub fn transactions(client: &mut Client) -> Result<i64> {
    let row = client
        .query_one("select xact_commit + xact_rollback from pg_stat_database where datname = $1", &[&DATABASE])?;
    Ok(row.get(0))
}

/// The server's own database.
pub const DATABASE: &str = "mooring";

/// Always there, and nobody works in it.
pub const ELSEWHERE: &str = "postgres";
