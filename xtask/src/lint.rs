//! `cargo xtask lint`: what a reader should not have to point out.

use std::{
    process::{Command, ExitCode},
    time::Instant,
};

use anyhow::Result;

use crate::{
    place, process, say,
    test::tally::{Part, Tally},
    tools,
};

pub fn lint() -> Result<ExitCode> {
    let mut tally = Tally::default();
    let start = Instant::now();
    tally.add(part()?, start.elapsed());
    Ok(tally.close())
}

/// All checks; one that fails does not keep the others from being made.
pub fn part() -> Result<Part> {
    tools::wasm::ensure_target()?;
    let end2end = place::root().join("end2end");
    tools::npm::install(&end2end)?;

    let mut part = Part::new("lint");
    // The native packages at once: one set of features, one build of what they share.
    let native =
        ["clippy", "-p", "domain", "-p", "app", "-p", "server", "-p", "xtask", "--features", "app/ssr,app/screens"];
    let browser = ["clippy", "-p", "frontend", "--target", "wasm32-unknown-unknown"];
    let strict = ["--all-targets", "--quiet", "--", "-D", "warnings"];
    check(&mut part, "Formatting", &mut cargo(&["fmt", "--all", "--check"]))?;
    check(&mut part, "Clippy on the server's side", cargo(&native).args(strict))?;
    check(&mut part, "Clippy on the browser's side", cargo(&browser).args(strict))?;
    check(&mut part, "TypeScript's types", Command::new("npx").args(["tsc", "--noEmit"]).current_dir(end2end))?;
    Ok(part)
}

fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(args).current_dir(place::root());
    command
}

fn check(part: &mut Part, what: &str, command: &mut Command) -> Result<()> {
    let outcome = say::step(what, || process::run(command));
    if process::is_stopping() {
        return outcome;
    }
    part.count(outcome.is_ok());
    Ok(())
}
