//! What the same Postgres does without Mooring: the whole journey as bare SQL, and single-row commits.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::cluster::{Cluster, ELSEWHERE};
use crate::{place, process, tools};

const DATABASE: &str = "floor";

/// A second each.
pub struct Floor {
    pub tasks: f64,
    pub single_rows: f64,
}

/// None where there is no `pgbench`: not every package of PostgreSQL has it.
pub fn measure(cluster: &Cluster) -> Result<Option<Floor>> {
    let Some(pgbench) = tools::postgres::program("pgbench") else { return Ok(None) };
    cluster.connect(ELSEWHERE)?.batch_execute(&format!("drop database if exists {DATABASE}"))?;
    cluster.connect(ELSEWHERE)?.batch_execute(&format!("create database {DATABASE}"))?;
    let schema = std::fs::read_to_string(workload("floor-schema.sql")).context("the floor's schema is missing")?;
    cluster.connect(DATABASE)?.batch_execute(&schema)?;
    let tasks = run(cluster, &pgbench, "floor.sql", 10)?;
    let single_rows = run(cluster, &pgbench, "single-row.sql", 5)?;
    Ok(Some(Floor { tasks, single_rows }))
}

fn run(cluster: &Cluster, pgbench: &Path, name: &str, seconds: u32) -> Result<f64> {
    let mut command = cluster.command(pgbench);
    command.args(["-n", "-c", "16", "-j", "2", "-T", &seconds.to_string(), "-f"]).arg(workload(name)).arg(DATABASE);
    let Some(said) = process::ask(&mut command) else { bail!("pgbench failed on {name}") };
    per_second(&said).with_context(|| format!("pgbench did not say how fast it was: {said}"))
}

/// `tps = 2001.5 (without initial connection time)`
fn per_second(said: &str) -> Option<f64> {
    said.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok())
}

fn workload(name: &str) -> PathBuf {
    place::root().join("xtask/bench").join(name)
}

#[test]
fn the_rate_is_read_as_pgbench_says_it() {
    let said = "number of failed transactions: 0 (0.000%)\ntps = 2001.504 (without initial connection time)";
    assert_eq!(per_second(said), Some(2001.504));
}
