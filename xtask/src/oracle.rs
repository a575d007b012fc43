//! `cargo xtask oracle`: the engine on a real Postgres against the rules in memory, over many random steps.

use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail};

use crate::{place, process, say, tools};

/// Enough for every state and every kind of event to be reached, which the test then checks.
const STEPS: u64 = 10_000;

const TEST: &str = "oracle::mooring_and_the_rules_in_memory_give_the_same_answers_to_everything";

pub fn oracle(args: &[String]) -> Result<ExitCode> {
    let (steps, seed) = choose(args)?;
    tools::postgres::ensure()?;
    let mut command = Command::new("cargo");
    command
        .args(["test", "-p", "server", "--test", "it", "--quiet", "--", "--exact", TEST, "--nocapture"])
        .env("MOORING_ORACLE_STEPS", steps.to_string())
        .env("MOORING_ORACLE_SEED", seed.to_string())
        .current_dir(place::root());
    say::step(&format!("The oracle: {steps} steps, seed {seed}"), || process::run(&mut command))?;
    Ok(ExitCode::SUCCESS)
}

fn choose(args: &[String]) -> Result<(u64, u64)> {
    let (mut steps, mut seed) = (STEPS, 1);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let number: Option<u64> = rest.next().and_then(|word| word.parse().ok());
        match arg.as_str() {
            "--steps" => steps = number.filter(|steps| 0 < *steps).context("--steps takes a number above 0")?,
            "--seed" => seed = number.context("--seed takes a number")?,
            other => bail!("`{other}` means nothing to the oracle; it takes --steps N and --seed S"),
        }
    }
    Ok((steps, seed))
}

#[test]
fn the_oracle_takes_steps_and_a_seed() {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    assert_eq!(choose(&[]).unwrap(), (STEPS, 1));
    assert_eq!(choose(&words("--seed 7 --steps 300")).unwrap(), (300, 7));
    for wrong in ["--steps", "--steps 0", "--seed x", "300"] {
        assert!(choose(&words(wrong)).is_err(), "{wrong}");
    }
}
