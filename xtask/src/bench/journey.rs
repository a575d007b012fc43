//! How long a learner waits from Start to the draft, one task after another.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use super::{learner::Learner, machine, server::Server};
use crate::{build, leftovers, place, say, tools};

pub fn bench(args: &[String]) -> Result<()> {
    let count = choose(args)?;
    let mooring = build::build()?;
    tools::postgres::ensure()?;
    let data = place::target().join("bench");
    leftovers::remove(&data)?;
    let outcome = Server::start(&mooring, &data, &[]).and_then(|server| measure(&server, count));
    leftovers::remove(&data)?;
    report(outcome?);
    Ok(())
}

fn choose(args: &[String]) -> Result<u32> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        [] => Ok(200),
        ["--count", count] => count.parse().ok().filter(|count| 0 < *count).context("--count takes a number above 0"),
        _ => bail!("bench takes `journey` and `--count N`, `engine`, or `client`; `cargo xtask help` says more"),
    }
}

fn measure(server: &Server, count: u32) -> Result<Vec<Duration>> {
    let mut learner = Learner::sign_up(server.address(), 1)?;
    let record = learner.a_record()?;
    // The first few pay for caches and connections that a running server has.
    let warm_up = 10.min(count);
    say::step(&format!("{count} journeys from Start to the draft, one after another"), || {
        let mut times = Vec::new();
        for _ in 0..warm_up + count {
            let start = Instant::now();
            let task = learner.start(&record)?;
            learner.watch(&task)?.until("awaiting_review", &["created", "evidence_saved"])?;
            times.push(start.elapsed());
        }
        Ok(times.split_off(warm_up as usize))
    })
}

fn report(mut times: Vec<Duration>) {
    times.sort();
    let at = |share: usize| times.get((times.len() * share / 100).min(times.len() - 1)).copied().unwrap_or_default();
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    println!();
    for (name, time) in [("min", at(0)), ("p50", at(50)), ("p95", at(95)), ("max", at(100))] {
        println!("{name}  {:>10}", ms(time));
    }
    println!("\nStart to awaiting review, fixture source, simulated model, {} tasks", times.len());
    println!("on {}", machine::describe());
}
