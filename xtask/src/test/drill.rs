//! The short drill: every named boundary once, on the real program and a real Postgres.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};

use super::{Choice, tally::Part};
use crate::{build, drill, place, process, say, tools};

pub fn part(choice: Choice) -> Result<Part> {
    let mooring = build::build()?;
    tools::postgres::ensure()?;
    let out = place::target().join("drill-report");
    let report = out.join("drill-report.json");
    let _ = fs::remove_file(&report);
    let mut command = drill::command(&mooring);
    command.arg("--out").arg(&out);
    if !choice.full {
        command.arg("--short");
    }
    let outcome = say::step("Testing: drill", || process::run(&mut command));
    if process::is_stopping() {
        outcome?;
        return Ok(Part::new("drill"));
    }
    let (passed, failed) = counts(&report).unwrap_or_default();
    Ok(Part::of("drill", passed, failed, outcome.is_ok()))
}

fn counts(report: &Path) -> Result<(u64, u64)> {
    let text = fs::read_to_string(report).context("the drill wrote no report")?;
    let report: serde_json::Value = serde_json::from_str(&text)?;
    let number = |name: &str| report[name].as_u64().unwrap_or_default();
    Ok((number("passed"), number("different")))
}
