//! The stories: Playwright, a real browser, the real program, a real Postgres.

use std::{ffi::OsStr, fs, path::Path, process::Command};

use anyhow::{Context as _, Result};

use super::{Choice, tally::Part};
use crate::{build, leftovers, place, process, say, tools};

pub fn part(choice: Choice) -> Result<Part> {
    tell("stories", choice, &[], &[])
}

/// Tells stories and counts them.
pub fn tell(name: &'static str, choice: Choice, args: &[&str], settings: &[(&'static str, &OsStr)]) -> Result<Part> {
    let mooring = build::build()?;
    tools::postgres::ensure()?;
    let end2end = place::root().join("end2end");
    tools::npm::install(&end2end)?;
    let browser = tools::browser::Browser::ensure()?;

    let report = place::target().join(format!("{name}.json"));
    let _ = fs::remove_file(&report);
    let data = place::target().join("stories");
    leftovers::remove(&data)?;
    let mut command = Command::new("npx");
    command
        .args(["playwright", "test", "--reporter=list,json"])
        .args(args)
        .current_dir(end2end)
        .envs(settings.iter().copied())
        .env("PLAYWRIGHT_JSON_OUTPUT_NAME", &report)
        .env("MOORING_BINARY", mooring)
        .env("MOORING_STORIES_DATA", &data);
    if let Some(chromium) = browser.chromium {
        command.env("MOORING_CHROMIUM", chromium);
    }
    if choice.full {
        command.env("MOORING_TEST_FULL", "1");
    }
    let outcome = say::step(&format!("Testing: {name}"), || process::run(&mut command));
    leftovers::remove(&data)?;
    if process::is_stopping() {
        outcome?;
        return Ok(Part::new(name));
    }
    let (passed, failed) = counts(&report).unwrap_or_default();
    Ok(Part::of(name, passed, failed, outcome.is_ok()))
}

/// A story that passed only when tried again has failed.
fn counts(report: &Path) -> Result<(u64, u64)> {
    let text = fs::read_to_string(report).context("Playwright wrote no report")?;
    let report: serde_json::Value = serde_json::from_str(&text)?;
    let number = |name: &str| report["stats"][name].as_u64().unwrap_or_default();
    Ok((number("expected"), number("unexpected") + number("flaky")))
}
