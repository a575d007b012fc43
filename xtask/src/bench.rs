//! `cargo xtask bench`: how long a learner waits from Start to the draft, seen from outside, over
//! HTTP and the event stream, one task after another.

use std::{
    fs,
    net::{Ipv4Addr, TcpListener},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};

mod client; // a learner made of HTTP

use self::client::Learner;
use crate::{build, leftovers, place, process, run, say, tools};

pub fn bench(args: &[String]) -> Result<()> {
    let count = choose(args)?;
    let mooring = build::build()?;
    tools::postgres::ensure()?;
    let data = place::target().join("bench");
    leftovers::remove(&data)?;
    let outcome = measure(&mooring, &data, count);
    leftovers::remove(&data)?;
    report(outcome?);
    Ok(())
}

fn choose(args: &[String]) -> Result<u32> {
    let args: Vec<&str> = args.iter().map(String::as_str).filter(|arg| *arg != "journey").collect();
    match args[..] {
        [] => Ok(200),
        ["--count", count] => count.parse().ok().filter(|count| 0 < *count).context("--count takes a number above 0"),
        _ => bail!("bench takes `journey` and `--count N`"),
    }
}

fn measure(mooring: &std::path::Path, data: &std::path::Path, count: u32) -> Result<Vec<Duration>> {
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
    let address = format!("127.0.0.1:{port}");
    let mut server = process::start(
        Command::new(mooring).args(["serve", "--addr", &address, "--log", "warn", "--data-dir"]).arg(data),
    )?;
    while !run::is_ready(&address) {
        if let Some(status) = server.ended()? {
            bail!("Mooring ended before it was ready ({status})");
        }
        thread::sleep(Duration::from_millis(20));
    }
    let learner = Learner::sign_up(&address)?;
    let record = learner.a_record()?;
    // The first few pay for caches and connections that a running server has.
    let warm_up = 10.min(count);
    say::step(&format!("{count} journeys from Start to the draft, one after another"), || {
        let mut times = Vec::new();
        for nth in 0..warm_up + count {
            let start = Instant::now();
            let task = learner.start(&record, nth)?;
            learner.wait_for_draft(&task)?;
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
    println!("on {}", machine());
}

fn machine() -> String {
    let cores = thread::available_parallelism().map_or(0, usize::from);
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        about.lines().find_map(|line| line.strip_prefix("model name")).map(|rest| rest.trim_matches([' ', '\t', ':']));
    let system = process::ask(Command::new("uname").arg("-srm")).unwrap_or_default();
    format!("{cores} cores, {}, {system}", model.unwrap_or("unknown processor"))
}
