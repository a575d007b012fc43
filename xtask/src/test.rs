//! `cargo xtask test`: everything, with a summary at the end.

use std::{
    process::{Command, ExitCode},
    time::Instant,
};

use anyhow::{Result, bail};

mod drill; // every boundary, once
mod engines; // the main stories in three browsers
pub mod stories; // Playwright against the real program
pub mod tally; // how many passed

use self::tally::{Part, Tally};
use crate::{leftovers, lint, place, process, say, tools};

type Run = fn(Choice) -> Result<Part>;

/// The parts in their order: what fails fast comes first.
const PARTS: [(&str, Run); 7] = [
    ("lint", |_| lint::part()),
    ("rules", rules),
    ("server", server),
    ("wasm", wasm),
    ("drill", drill::part),
    ("stories", stories::part),
    ("engines", engines::part),
];

/// How much of it.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The large counts.
    pub full: bool,
}

pub fn test(args: &[String]) -> Result<ExitCode> {
    let (choice, only) = choose(args)?;
    let mut tally = Tally::default();
    for (name, run) in PARTS {
        if only.as_deref().is_none_or(|only| only == name) {
            let start = Instant::now();
            let part = run(choice).or_else(|error| {
                if process::is_stopping() {
                    return Err(error);
                }
                // What could not even start has failed, and the others still have something to say.
                say::failure(&format!("{error:#}"));
                let mut part = Part::new(name);
                part.count(false);
                Ok(part)
            })?;
            tally.add(part, start.elapsed());
        }
    }
    Ok(tally.close())
}

fn choose(args: &[String]) -> Result<(Choice, Option<String>)> {
    let (mut choice, mut only) = (Choice { full: false }, None);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--full" => choice.full = true,
            "--only" => {
                let part = rest.next().map(String::as_str).unwrap_or_default();
                if !PARTS.iter().any(|(name, _)| *name == part) {
                    let names = PARTS.map(|(name, _)| name).join(", ");
                    bail!("--only takes one of {names}, not `{part}`");
                }
                only = Some(part.to_owned());
            }
            other => bail!("`{other}` means nothing to test; `cargo xtask help` shows what does"),
        }
    }
    Ok((choice, only))
}

/// The rules, the screens as text, and xtask itself. Not in one call with the server, whose needs would
/// change how the screens' reactive parts behave on their own.
fn rules(choice: Choice) -> Result<Part> {
    let packages = ["test", "-p", "domain", "-p", "app", "-p", "xtask", "--features", "app/ssr,app/screens"];
    cargo_tests("rules", choice, Command::new("cargo").args(packages).args(["--no-fail-fast", "--quiet"]))
}

/// The server, on a real Postgres.
fn server(choice: Choice) -> Result<Part> {
    tools::postgres::ensure()?;
    tools::pooler::ensure()?;
    tools::npm::install(&place::root().join("server/tests/others"))?;
    let part = cargo_tests(
        "server",
        choice,
        Command::new("cargo").args(["test", "-p", "server", "--no-fail-fast", "--quiet"]),
    );
    // A test program cannot tell its last test, so the Postgres that its tests share is still there.
    // Each test has a database of its own, and nobody needs them any more. What cannot be removed while
    // the last Postgres is still writing goes the next time.
    if let Err(error) = leftovers::remove(&place::target().join("tmp")) {
        say::note(&format!("{error:#}; it is removed the next time"));
    }
    part
}

/// The device in a real browser.
fn wasm(choice: Choice) -> Result<Part> {
    tools::wasm::ensure_target()?;
    let bindgen = tools::wasm::Bindgen::ensure()?;
    tools::npm::install(&place::root().join("end2end"))?;
    let browser = tools::browser::Browser::ensure()?;
    let Some(driver) = browser.driver else {
        bail!("there is no chromedriver. Install the one of your Chromium's version, or name it in CHROMEDRIVER.");
    };
    let mut command = Command::new("cargo");
    command
        .args(["test", "-p", "frontend", "--target", "wasm32-unknown-unknown", "--no-fail-fast"])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", bindgen.program("wasm-bindgen-test-runner"))
        .env("CHROMEDRIVER", driver);
    cargo_tests("wasm", choice, &mut command)
}

fn cargo_tests(name: &'static str, choice: Choice, command: &mut Command) -> Result<Part> {
    command.current_dir(place::root());
    if choice.full {
        command.env("MOORING_TEST_FULL", "1");
    }
    let (status, said) = say::step(&format!("Testing: {name}"), || process::run_and_read(command))?;
    Ok(Part::of_cargo(name, &said, status.success()))
}
