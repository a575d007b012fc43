//! Tasks a second from start to saved, how long each took, what each cost, and the floor under it.

use std::{path::Path, process, time::Duration};

use anyhow::Result;

use super::{
    Choice,
    cluster::{Cluster, ELSEWHERE, Written},
    cpu,
    figures::{Figures, Goal},
    floor,
    load::{self, Journey, Run},
};
use crate::{
    bench::{learner::Learner, server::Server},
    say,
};

/// Tasks at 1 in flight.
const ALONE: u32 = 50;

/// What was used up meanwhile.
struct Cost {
    transactions: i64,
    wal_bytes: i64,
    server: Option<Duration>,
    postgres: Option<Duration>,
    load_generator: Option<Duration>,
}

pub fn measure(mooring: &Path, data: &Path, choice: &Choice, round: u32, figures: &mut Figures) -> Result<()> {
    let server = Server::start(mooring, data, &[])?;
    let cluster = Cluster::of(data)?;
    let first = round * 1000;
    let learners = (first..first + choice.in_flight).map(|nth| Learner::sign_up(server.address(), nth));
    let mut learners = learners.collect::<Result<Vec<_>>>()?;
    let [one, ..] = &mut learners[..] else { return Ok(()) };
    let record = one.a_record()?;
    // The first pay for connections, and for statements that each of them prepares once, which a running server has.
    load::run(&mut learners, &record, choice.in_flight * 10)?;

    let (run, cost) = counted(&server, &cluster, || load::run(&mut learners, &record, choice.tasks))?;
    let tasks_a_second = f64::from(choice.tasks) / run.took.as_secs_f64();
    say::note(&format!("{} tasks at {} in flight: {tasks_a_second:.0} tasks/s", choice.tasks, choice.in_flight));
    let (alone, cost_alone) = counted(&server, &cluster, || load::run(&mut learners[..1], &record, ALONE))?;
    // Last: Postgres clears up after it for a while.
    let floor = floor::measure(&cluster)?;
    if floor.is_none() {
        say::note("no floor: there is no pgbench beside PostgreSQL's server programs");
    }
    if cost.server.is_none() {
        say::note("no CPU time: this system does not show it in /proc");
    }
    let label = format!("{} in flight", choice.in_flight);
    figures.add(&format!("{label}: start to saved"), Some(tasks_a_second), "tasks/s", None);
    let ratio = floor.as_ref().map(|floor| tasks_a_second / floor.tasks);
    figures.add(&format!("{label}: share of the floor"), ratio, "", Some(Goal::AtLeast(0.25)));
    figures.add("the floor: the journey as bare SQL", floor.as_ref().map(|floor| floor.tasks), "tasks/s", None);
    figures.add("single-row commits at 16", floor.as_ref().map(|floor| floor.single_rows), "/s", None);
    times(figures, &label, &run.journeys, Goal::AtMost(20.0), None);
    costs(figures, &label, &cost, choice.tasks);

    times(figures, "1 in flight", &alone.journeys, Goal::AtMost(20.0), Some(Goal::AtMost(12.0)));
    costs(figures, "1 in flight", &cost_alone, ALONE);
    Ok(())
}

/// Counts around a load; asking for the counts is not counted.
fn counted(server: &Server, cluster: &Cluster, load: impl FnOnce() -> Result<Run>) -> Result<(Run, Cost)> {
    let mut client = cluster.connect(ELSEWHERE)?;
    let used = || (cpu::of(server.pid()), cpu::of_family(cluster.postmaster), cpu::of(process::id()));
    let written = Written::so_far(&mut client)?;
    let (server_before, postgres_before, own_before) = used();
    let run = load()?;
    let (server_after, postgres_after, own_after) = used();
    let after = Written::so_far(&mut client)?;
    let between = |before: Option<Duration>, after: Option<Duration>| Some(after?.saturating_sub(before?));
    let cost = Cost {
        transactions: after.transactions - written.transactions,
        wal_bytes: after.wal_bytes - written.wal_bytes,
        server: between(server_before, server_after),
        postgres: between(postgres_before, postgres_after),
        load_generator: between(own_before, own_after),
    };
    Ok((run, cost))
}

fn times(figures: &mut Figures, label: &str, journeys: &[Journey], answered: Goal, to_review: Option<Goal>) {
    type Time = fn(&Journey) -> Duration;
    let kinds: [(&str, Time, [Option<Goal>; 2]); 3] = [
        ("start to awaiting review", |it| it.start_to_review, [to_review, None]),
        ("accept answered", |it| it.accept_answered, [None, Some(answered)]),
        ("accept to saved", |it| it.accept_to_saved, [None, None]),
    ];
    for (name, time, goals) in kinds {
        let mut times: Vec<Duration> = journeys.iter().map(time).collect();
        times.sort();
        for (share, goal) in [50, 95].into_iter().zip(goals) {
            let at = times.get((times.len() * share / 100).min(times.len().saturating_sub(1)));
            figures.add(&format!("{label}: {name}, p{share}"), at.map(|time| ms(*time)), "ms", goal);
        }
    }
}

fn costs(figures: &mut Figures, label: &str, cost: &Cost, tasks: u32) {
    let each = |total: f64| total / f64::from(tasks);
    // Exact far beyond what a run can write.
    #[expect(clippy::cast_precision_loss, reason = "counts of one run are small")]
    let (transactions, wal_bytes) = (cost.transactions as f64, cost.wal_bytes as f64);
    // To a tenth: a background write or two is among them.
    let commits = (each(transactions) * 10.0).round() / 10.0;
    figures.add(&format!("{label}: writing commits a task"), Some(commits), "", Some(Goal::AtMost(8.0)));
    figures.add(&format!("{label}: WAL a task"), Some(each(wal_bytes)), "bytes", None);
    for (name, used) in
        [("server", cost.server), ("Postgres", cost.postgres), ("load generator (apart)", cost.load_generator)]
    {
        figures.add(&format!("{label}: CPU a task, {name}"), used.map(|used| each(ms(used))), "ms", None);
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
