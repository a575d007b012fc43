//! `cargo xtask bench engine`: what a task costs through HTTP, signed in, beside what the same
//! Postgres does for bare SQL in the same run; how soon a killed server's tasks move on; what an
//! idle one asks. Ratios hold on a noisy machine, single figures do not.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

mod cluster; // the Postgres beside it
mod cpu; // time that processes have used
mod figures; // medians and goals
mod floor; // bare SQL
mod idle; // queries with nothing to do
mod load; // tasks, some at once
mod recovery; // after a kill
mod throughput; // tasks a second, and what each costs

use self::figures::Figures;
use super::machine;
use crate::{build, leftovers, place, say, tools};

/// How much of it.
struct Choice {
    tasks: u32,
    in_flight: u32,
    repeat: u32,
    only: Option<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Load,
    Idle,
    Recovery,
}

pub fn bench(args: &[String]) -> Result<()> {
    let choice = choose(args)?;
    let mooring = build::build()?;
    tools::postgres::ensure()?;
    let data = place::target().join("bench-engine");
    leftovers::remove(&data)?;
    let (mut figures, load) = (Figures::default(), machine::load());
    let outcome = (1..=choice.repeat).try_for_each(|nth| round(&mooring, &data, &choice, nth, &mut figures));
    leftovers::remove(&data)?;
    outcome?;
    figures.print();
    println!("\nThrough HTTP, signed in, fixture source, simulated model; the load generator waits on event streams.");
    println!("on {}", machine::describe());
    if let Some(load) = load {
        println!("load average before: {load}");
    }
    Ok(())
}

fn choose(args: &[String]) -> Result<Choice> {
    let mut choice = Choice { tasks: 300, in_flight: 16, repeat: 3, only: None };
    for pair in args.chunks(2) {
        let [flag, value] = pair else { bail!("{} wants a value", pair.concat()) };
        let number = || value.parse().ok().filter(|n| 0 < *n).with_context(|| format!("{flag} takes a number above 0"));
        match flag.as_str() {
            "--tasks" => choice.tasks = number()?,
            "--in-flight" => choice.in_flight = number()?,
            "--repeat" => choice.repeat = number()?,
            "--only" => choice.only = Some(part(value)?),
            other => bail!("`{other}` means nothing to `bench engine`; `cargo xtask help` shows what does"),
        }
    }
    Ok(choice)
}

fn part(name: &str) -> Result<Part> {
    match name {
        "load" => Ok(Part::Load),
        "idle" => Ok(Part::Idle),
        "recovery" => Ok(Part::Recovery),
        other => bail!("--only takes load, idle or recovery, not `{other}`"),
    }
}

fn round(mooring: &Path, data: &Path, choice: &Choice, nth: u32, figures: &mut Figures) -> Result<()> {
    let wanted = |part| choice.only.is_none_or(|only| only == part);
    say::step(&format!("Round {nth} of {}", choice.repeat), || {
        if wanted(Part::Load) {
            throughput::measure(mooring, data, choice, nth, figures)?;
        }
        if wanted(Part::Idle) {
            idle::measure(mooring, data, figures)?;
        }
        if wanted(Part::Recovery) {
            recovery::measure(mooring, data, nth, figures)?;
        }
        Ok(())
    })
}

#[test]
fn choices_are_numbers_above_nothing() {
    let choose = |text: &str| choose(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
    assert!(choose("--tasks 20 --only load").is_ok_and(|it| it.tasks == 20 && it.only == Some(Part::Load)));
    for wrong in ["--tasks 0", "--tasks", "--tasks many", "--only nothing", "--most 3"] {
        assert!(choose(wrong).is_err(), "{wrong}");
    }
}
