//! A server is killed with tasks in hand: how soon do they move on?
//!
//! Asked of the log, not of the server: a task has moved on when somebody has claimed it again.

use std::{
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use postgres::Client;

use super::{
    cluster::{Cluster, DATABASE},
    figures::{Figures, Goal},
};
use crate::{
    bench::{
        learner::Learner,
        server::{self, Server},
    },
    process, say,
};

const TASKS: u32 = 50;

/// All of them are held at once, and stay so until the kill.
const HELD: [&str; 4] = ["--concurrency", "64", "--model-delay", "30s"];
const EAGER: [&str; 2] = ["--concurrency", "64"];

const PATIENCE: Duration = Duration::from_secs(90);

pub fn measure(mooring: &Path, data: &Path, round: u32, figures: &mut Figures) -> Result<()> {
    let (moved, reviewed) = after_a_restart(mooring, data, round)?;
    add(figures, "killed and restarted", moved, reviewed);
    let (moved, reviewed) = beside_another(mooring, data, round)?;
    add(figures, "killed, another lives", moved, reviewed);
    Ok(())
}

fn add(figures: &mut Figures, label: &str, moved: Duration, reviewed: Duration) {
    let (moved, reviewed) = (moved.as_secs_f64(), reviewed.as_secs_f64());
    say::note(&format!("{label}: {TASKS} tasks moved on within {moved:.2} s"));
    figures.add(&format!("{label}: last of {TASKS} claimed again"), Some(moved), "s", Some(Goal::AtMost(3.0)));
    figures.add(&format!("{label}: last of {TASKS} awaiting review"), Some(reviewed), "s", None);
}

/// From the start of the next process.
fn after_a_restart(mooring: &Path, data: &Path, round: u32) -> Result<(Duration, Duration)> {
    let server = Server::start(mooring, data, &HELD)?;
    let held = Held::by(&server, data, round * 1000 + 500)?;
    server.kill()?;
    let since = Instant::now();
    let mut server = Server::begin(mooring, data, &EAGER)?;
    let times = held.move_on(since);
    server.wait_until_ready()?;
    times
}

/// From the kill.
fn beside_another(mooring: &Path, data: &Path, round: u32) -> Result<(Duration, Duration)> {
    let server = Server::start(mooring, data, &HELD)?;
    let mut held = Held::by(&server, data, round * 1000 + 501)?;
    let before = held.processes()?;
    let mut command = Command::new(mooring);
    command.args(["work", "--log", "warn", "--data-dir"]).arg(data).args(EAGER);
    server::on_its_own(&mut command);
    let other = process::start(&mut command)?;
    wait("the second process did not come", || Ok(before < held.processes()?))?;
    server.kill()?;
    let times = held.move_on(Instant::now());
    drop(other);
    times
}

/// Tasks that a worker holds, all in the middle of their draft.
struct Held {
    client: Client,
    tasks: Vec<String>,
}

impl Held {
    fn by(server: &Server, data: &Path, learner: u32) -> Result<Self> {
        let mut learner = Learner::sign_up(server.address(), learner)?;
        let record = learner.a_record()?;
        let tasks = (0..TASKS).map(|_| learner.start(&record)).collect::<Result<_>>()?;
        let mut held = Self { client: Cluster::of(data)?.connect(DATABASE)?, tasks };
        wait("not all tasks were taken", || {
            held.count("select count(*) from task where state = 'evidence_saved' and lease_until is not null and task_id::text = any($1)")
        })?;
        Ok(held)
    }

    fn move_on(mut self, since: Instant) -> Result<(Duration, Duration)> {
        wait("not all tasks were claimed again", || {
            self.count("select count(distinct task_id) from task_event where kind = 'claimed' and 1 < attempt and task_id::text = any($1)")
        })?;
        let moved = since.elapsed();
        wait("not all tasks came to their review", || {
            self.count("select count(*) from task where state = 'awaiting_review' and task_id::text = any($1)")
        })?;
        Ok((moved, since.elapsed()))
    }

    fn count(&mut self, query: &str) -> Result<bool> {
        let found: i64 = self.client.query_one(query, &[&self.tasks]).context("the tasks cannot be counted")?.get(0);
        Ok(found == i64::from(TASKS))
    }

    fn processes(&mut self) -> Result<i64> {
        Ok(self.client.query_one("select count(*) from process where works", &[])?.get(0))
    }
}

/// Looks every few milliseconds: little beside what is measured in seconds.
fn wait(else_say: &str, mut done: impl FnMut() -> Result<bool>) -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    while !done()? {
        if process::is_stopping() || deadline < Instant::now() {
            bail!("{else_say}");
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
