//! `mooring drill`: real servers on a real Postgres are struck at every named boundary, and what came of it is
//! asked of witnesses outside the workflow.
//!
//! Invariant: what a row expects is written down before it is played; whatever differs, or was not observed, makes
//! the drill fail. Whether a fault really acted is one of the facts.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use futures::{StreamExt as _, stream};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::SliceRandom as _};

mod journey; // what the learner of a row does
mod learner; // a client that repeats until it is answered
mod plan; // the rows, and what they expect
mod postgres; // databases, and the witnesses in them
mod pulse; // how long the machine stood still
mod report; // to take home
mod stage; // databases and servers of one row
mod verdict; // expected against observed
mod witness; // who is asked afterwards

use self::{
    plan::Row,
    postgres::cluster::Cluster,
    pulse::Pulse,
    report::{Line, Report},
    stage::Stage,
    verdict::Observed,
};
use crate::{
    config::drill::DrillArgs,
    database::{OpenError, SqlError},
    embedded::EmbeddedError,
    serve::asked_to_stop,
};

/// No row takes longer; one that does is a finding.
const PATIENCE: Duration = Duration::from_mins(3);

/// How often a row is played that a machine standing still may have spoilt. The report says so.
const PLAYS: usize = 4;

/// Why a drill ended badly: a sentence for whoever started it.
#[derive(Debug, thiserror::Error)]
pub enum DrillError {
    #[error("{different} of {rows} rows went otherwise than expected")]
    Different { different: usize, rows: usize },
    #[error("no row's name contains {only:?}; the boundaries are {boundaries}")]
    NothingMatches { only: String, boundaries: String },
    #[error("there is no folder for the data: name one with --data-dir")]
    NoDataDir,
    #[error("stopped")]
    Stopped,
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    #[error("the database does not answer: {0}")]
    Connect(SqlError),
    #[error("the database does not answer")]
    NoAnswer,
    #[error(transparent)]
    Migrate(OpenError),
    #[error("a witness in the database could not be asked: {0}")]
    Witness(#[from] SqlError),
    #[error("could not use {path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("the learner's client could not be made: {0}")]
    Client(reqwest::Error),
    #[error("nobody answered {path} in time: {last}")]
    NoReply { path: String, last: String },
    #[error("{0}")]
    Unexpected(String),
}

/// One row to be played: which round, which row, and the chance it has.
#[derive(Clone)]
struct Turn {
    round: usize,
    n: usize,
    row: Row,
    seed: u64,
}

/// Plays the rows, shows how they go, and writes the report.
pub async fn run(args: DrillArgs) -> Result<(), DrillError> {
    let rows = chosen(&args)?;
    let seed = args.seed.unwrap_or_else(rand::random);
    let turns = turns(&rows, args.repeat, seed);
    let data_dir = args.data_dir().ok_or(DrillError::NoDataDir)?;
    let run = format!("drill_{:08x}", rand::random::<u32>());
    // Of its own, too: other drills may have the same rows on the same cluster at the same time.
    let logs = data_dir.join("rows").join(&run);
    println!("Drilling {} rows, {} at once, seed {seed}", turns.len(), args.jobs);
    let start = Instant::now();
    let cluster = Cluster::open(args.url(), &data_dir, run).await?;
    let played = tokio::select! {
        lines = play_all(&cluster, turns, &args, &logs) => Ok(lines),
        _ = asked_to_stop() => Err(DrillError::Stopped),
    };
    // Empty unless a row went otherwise.
    let _ = std::fs::remove_dir(&logs);
    let day = cluster.day_and_version().await;
    cluster.close().await?;
    let (rows, (date, postgres)) = (played?, day?);
    let report = Report {
        date,
        version: env!("CARGO_PKG_VERSION"),
        build: if cfg!(debug_assertions) { "debug" } else { "release" },
        cores: std::thread::available_parallelism().map_or(0, usize::from),
        postgres,
        seed,
        lease: humantime::format_duration(args.lease).to_string(),
        seconds: start.elapsed().as_secs_f64(),
        passed: 0,
        different: 0,
        rows,
        left_out: plan::left_out(),
    }
    .closed();
    report.write(&args.out)?;
    println!(
        "{} rows as expected, {} different; the report is in {}",
        report.passed,
        report.different,
        args.out.join("drill-report.md").display()
    );
    report.verdict()
}

fn chosen(args: &DrillArgs) -> Result<Vec<(usize, Row)>, DrillError> {
    let fits =
        |row: &Row| (!args.short || row.short) && args.only.as_deref().is_none_or(|only| row.name().contains(only));
    let rows: Vec<_> = (1..).zip(plan::rows(args.lease)).filter(|(_, row)| fits(row)).collect();
    if rows.is_empty() {
        let boundaries = crate::faults::Boundary::ALL.iter().map(|b| b.as_str()).collect::<Vec<_>>().join(", ");
        return Err(DrillError::NothingMatches { only: args.only.clone().unwrap_or_default(), boundaries });
    }
    Ok(rows)
}

/// Every row, `repeat` times, in an order and with pauses that follow from the seed.
fn turns(rows: &[(usize, Row)], repeat: u32, seed: u64) -> Vec<Turn> {
    let mut chance = StdRng::seed_from_u64(seed);
    let mut turns = Vec::new();
    for round in 1..=repeat as usize {
        let mut of_round: Vec<Turn> =
            rows.iter().map(|(n, row)| Turn { round, n: *n, row: row.clone(), seed: chance.random() }).collect();
        of_round.shuffle(&mut chance);
        turns.extend(of_round);
    }
    turns
}

/// All in one task: rows mostly wait, and whoever stops listening stops them all.
async fn play_all(cluster: &Cluster, turns: Vec<Turn>, args: &DrillArgs, logs: &Path) -> Vec<Line> {
    let all = turns.len();
    let playing = stream::iter(turns.into_iter().map(|turn| play(cluster, turn, args.lease, logs)));
    let mut playing = std::pin::pin!(playing.buffer_unordered(args.jobs as usize));
    let mut lines = Vec::with_capacity(all);
    while let Some(line) = playing.next().await {
        show(&line, lines.len() + 1, all);
        lines.push(line);
    }
    lines
}

/// Plays one row; again where it differs by nothing but what a machine that stood still can do.
async fn play(cluster: &Cluster, turn: Turn, lease: Duration, logs: &Path) -> Line {
    let start = Instant::now();
    let mut set_aside = Vec::new();
    loop {
        let id = format!("{}_{}_{}", turn.round, turn.n, set_aside.len());
        let (observed, pulse) = play_once(cluster, &turn, lease, &id, &logs.join(&id)).await;
        let differences = verdict::differences(&turn.row.expected, &observed);
        let excused = pulse.stood_still(lease) && verdict::only_pace_differs(&turn.row.expected, &observed);
        if differences.is_empty() || !excused || PLAYS <= set_aside.len() + 1 {
            return Line::new((turn.round, turn.n), &turn.row, &observed, start.elapsed(), set_aside);
        }
        let stood = pulse.longest().as_millis();
        set_aside.push(format!("the machine stood still for {stood} ms; {}", differences.join("; ")));
    }
}

async fn play_once(cluster: &Cluster, turn: &Turn, lease: Duration, id: &str, folder: &Path) -> (Observed, Pulse) {
    let pulse = Pulse::default();
    let mut stage = match Stage::set(cluster, &turn.row, lease, id, folder.to_owned()).await {
        Ok(stage) => stage,
        Err(error) => return (with_trouble(Observed::default(), &error), pulse),
    };
    let rows = stage.rows.clone();
    let observed = pulse.beside(&rows, witnessed(&mut stage, turn)).await;
    let differs = !verdict::differences(&turn.row.expected, &observed).is_empty();
    if differs {
        println!("        {}: logs are in {}", turn.row.name(), folder.display());
    }
    match stage.strike(differs).await {
        Ok(()) => (observed, pulse),
        Err(error) => (with_trouble(observed, &error), pulse),
    }
}

async fn witnessed(stage: &mut Stage<'_>, turn: &Turn) -> Observed {
    let travel = journey::travel(stage, &turn.row, StdRng::seed_from_u64(turn.seed));
    let way = tokio::time::timeout(PATIENCE, travel).await;
    stage.end().await;
    let way = way.unwrap_or_else(|_| Err(DrillError::Unexpected("the row did not come to an end".to_owned())));
    let seen = match way {
        Ok(way) => witness::ask(stage, &way).await,
        Err(error) => Err(error),
    };
    let observed = seen.unwrap_or_else(|error| with_trouble(Observed::default(), &error));
    match stage.broken() {
        Some(why) => with_trouble(observed, &DrillError::Unexpected(why)),
        None => observed,
    }
}

fn with_trouble(mut observed: Observed, error: &DrillError) -> Observed {
    observed.saw(verdict::TROUBLE, error);
    observed
}

fn show(line: &Line, nth: usize, all: usize) {
    let verdict = if line.passed() { "as expected" } else { "DIFFERENT" };
    println!("[{nth:>3}/{all}] {:<58} {verdict:<12} {:>5.1} s", line.name(), line.seconds);
    for difference in &line.differences {
        println!("        {difference}");
    }
    for play in &line.set_aside {
        println!("        played again: {play}");
    }
    // Whoever watches through a pipe wants to see it now.
    let _ = std::io::stdout().flush();
}
