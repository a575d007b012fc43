//! The main stories in Chromium, WebKit and Firefox, from one text, and the contract of the storage in
//! those two that the part `wasm` does not reach.

use std::{ffi::OsString, fs, path::PathBuf, process::Command};

use anyhow::{Result, bail};

use super::{Choice, stories, tally::Part};
use crate::{place, process, say, tools};

pub fn part(choice: Choice) -> Result<Part> {
    let firefox = tools::firefox::ensure()?;
    let mut engines = vec!["chromium", "firefox"];
    if tools::webkit::ensure()? {
        engines.push("webkit");
    } else {
        say::note("WebKit is not exercised: there is no WebKitGTK for this kind of machine");
    }
    let contract = contract()?;
    let profiles = place::target().join("engines");
    let part = stories::tell(
        "engines",
        choice,
        &["--config", "engines"],
        &[
            ("MOORING_ENGINES", engines.join(",").as_ref()),
            ("MOORING_ENGINES_DATA", profiles.as_ref()),
            ("MOORING_FIREFOX", firefox.as_ref()),
            ("MOORING_CONTRACT", contract.as_ref()),
        ],
    );
    // Each browser takes its own away; a run that was stopped may not have.
    let _ = fs::remove_dir_all(profiles);
    part
}

/// The runner of the storage's contract, and the programs that it serves, joined like a path.
fn contract() -> Result<OsString> {
    tools::wasm::ensure_target()?;
    let bindgen = tools::wasm::Bindgen::ensure()?;
    let (status, said) = say::step("Compiling the contract of the storage", || {
        process::read(
            Command::new("cargo")
                .args(["test", "-p", "frontend", "--target", "wasm32-unknown-unknown", "--no-run"])
                .args(["--test", "*", "--message-format=json-render-diagnostics"])
                .current_dir(place::root()),
        )
    })?;
    let programs = programs(&said);
    if !status.success() || programs.is_empty() {
        bail!("the contract of the storage did not compile");
    }
    let runner = bindgen.program("wasm-bindgen-test-runner");
    Ok(std::env::join_paths(std::iter::once(runner).chain(programs))?)
}

/// What cargo has made, from its own messages.
fn programs(said: &str) -> Vec<PathBuf> {
    let message = |line: &str| serde_json::from_str::<serde_json::Value>(line).ok();
    let made = said.lines().filter_map(message).filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    made.collect()
}

#[test]
fn the_programs_are_those_that_cargo_names() {
    let said = "{\"reason\":\"compiler-artifact\",\"executable\":null}\n\
        {\"reason\":\"compiler-artifact\",\"executable\":\"/somewhere/slots.wasm\"}\n\
        not a message\n";
    assert_eq!(programs(said), [PathBuf::from("/somewhere/slots.wasm")]);
}
