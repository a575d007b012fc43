//! `cargo xtask bench client`: what a learner's phone downloads and feels, in a real browser whose
//! processor is slowed down, beside the goals.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use anyhow::{Context as _, Result, bail};

use super::machine;
use crate::{
    build::{self, budget},
    leftovers, place, process, say, tools,
};

/// What a kind of figure is judged by: its goals at shares of the measurements.
struct Goal {
    what: &'static str,
    unit: &'static str,
    /// Per cent of the measurements, and what they should not exceed.
    at: &'static [(usize, f64)],
}

const GOALS: [Goal; 7] = [
    Goal { what: "dead network: last known task", unit: "ms", at: &[(50, 750.0), (95, 750.0)] },
    Goal { what: "network back, with the online event: confirmed", unit: "ms", at: &[(50, 1_000.0), (95, 5_000.0)] },
    Goal { what: "network back, without any event: confirmed", unit: "ms", at: &[(50, 1_000.0), (95, 5_000.0)] },
    // The usual bound for a page that feels fast.
    Goal { what: "first visit: largest paint", unit: "ms", at: &[(75, 2_500.0)] },
    Goal { what: "typing: input to next frame", unit: "ms", at: &[(98, 100.0)] },
    Goal { what: "idle minute: storage writes", unit: "", at: &[(100, 3.0)] },
    Goal { what: "hidden minute: requests", unit: "", at: &[(100, 0.0)] },
];

pub fn bench(args: &[String]) -> Result<()> {
    let rounds = choose(args)?;
    let mooring = build::build()?;
    tools::postgres::ensure()?;
    let end2end = place::root().join("end2end");
    tools::npm::install(&end2end)?;
    let browser = tools::browser::Browser::ensure()?;
    let (data, out) = (place::target().join("bench-client"), place::target().join("bench-client.jsonl"));
    leftovers::remove(&data)?;
    let _ = fs::remove_file(&out);
    let load = machine::load();

    let mut command = Command::new("npx");
    command
        .args(["playwright", "test", "--config=bench.config.ts", "--reporter=line"])
        .current_dir(end2end)
        .env("MOORING_BINARY", mooring)
        .env("MOORING_STORIES_DATA", &data)
        .env("MOORING_BENCH_OUT", &out)
        .env("MOORING_BENCH_ROUNDS", rounds.to_string());
    if let Some(chromium) = browser.chromium {
        command.env("MOORING_CHROMIUM", chromium);
    }
    let outcome = say::step("A phone four times slower than this machine", || process::run(&mut command));
    leftovers::remove(&data)?;
    outcome?;

    first_load()?;
    felt(&read(&out)?);
    println!("\nChromium at 360 x 740 with its processor slowed down four times, {rounds} rounds,");
    println!("on {}", machine::describe());
    if let Some(load) = load {
        println!("load average before: {load}");
    }
    Ok(())
}

fn choose(args: &[String]) -> Result<u32> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        [] => Ok(20),
        ["--rounds", count] => count.parse().ok().filter(|count| 0 < *count).context("--rounds takes a number above 0"),
        _ => bail!("`bench client` takes `--rounds N` and nothing else"),
    }
}

fn read(out: &Path) -> Result<BTreeMap<String, Vec<f64>>> {
    let text = fs::read_to_string(out).context("the browser has measured nothing")?;
    let mut figures: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in text.lines() {
        let figure: serde_json::Value = serde_json::from_str(line)?;
        let (Some(what), Some(value)) = (figure["what"].as_str(), figure["value"].as_f64()) else {
            bail!("the browser has noted something that is no figure: {line}");
        };
        figures.entry(what.to_owned()).or_default().push(value);
    }
    for values in figures.values_mut() {
        values.sort_by(f64::total_cmp);
    }
    Ok(figures)
}

/// Bytes of each file that a first visit downloads before it shows anything of a task.
fn first_load() -> Result<()> {
    let parts = budget::first_load()?;
    println!("\n{:<50} {:>9}  budget, and how much of it is used", "first load, bytes in brotli", "");
    let line = |name: &str, bytes: u64, budget: u64| {
        #[expect(clippy::cast_precision_loss, reason = "a share, to two places")]
        let used = bytes as f64 / budget as f64;
        let missed = if bytes <= budget { "" } else { " MISSED" };
        println!("{name:<50} {bytes:>9}  {budget} ({used:.2}){missed}");
    };
    for part in &parts {
        line(part.name, part.bytes_brotli, part.budget);
    }
    line("in all", parts.iter().map(|part| part.bytes_brotli).sum(), budget::GOAL);
    Ok(())
}

fn felt(figures: &BTreeMap<String, Vec<f64>>) {
    println!("\n{:<50} {:>5} {:>9} {:>9} {:>9}  goal, and how much of it is used", "", "count", "p50", "p95", "max");
    for (what, values) in figures {
        let [middle, high, most] = [50, 95, 100].map(|share| at(values, share));
        let goal = GOALS.iter().find(|goal| goal.what == what);
        let unit = goal.map_or("ms", |goal| goal.unit);
        println!(
            "{what:<50} {:>5} {middle:>9.0} {high:>9.0} {most:>9.0}  {}",
            values.len(),
            goal.map_or(String::new(), |goal| judged(goal, unit, values)),
        );
    }
    for goal in GOALS.iter().filter(|goal| !figures.contains_key(goal.what)) {
        println!("{:<50} not measured", goal.what);
    }
}

fn judged(goal: &Goal, unit: &str, values: &[f64]) -> String {
    let parts = goal.at.iter().map(|(share, most)| {
        let seen = at(values, *share);
        let used = if *most == 0.0 { String::new() } else { format!(" ({:.2})", seen / most) };
        let missed = if seen <= *most { "" } else { " MISSED" };
        format!("p{share} {most:.0} {unit}{used}{missed}")
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The smallest value that this share of them does not exceed.
fn at(sorted: &[f64], per_cent: usize) -> f64 {
    let place = (sorted.len() * per_cent).div_ceil(100).max(1) - 1;
    sorted.get(place).copied().unwrap_or(f64::NAN)
}

#[test]
fn a_share_is_the_value_that_it_does_not_exceed() {
    let values = [1.0, 2.0, 3.0, 4.0];
    let shares = [50, 75, 95, 100].map(|share| at(&values, share).to_string());
    assert_eq!(shares, ["2", "3", "4", "4"]);
    assert!(at(&[], 50).is_nan());
}

#[test]
fn a_missed_goal_is_named() {
    let goal = Goal { what: "", unit: "ms", at: &[(50, 1.0), (100, 8.0)] };
    assert_eq!(judged(&goal, "ms", &[2.0, 4.0]), "p50 1 ms (2.00) MISSED, p100 8 ms (0.50)");
}
