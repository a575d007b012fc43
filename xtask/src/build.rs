//! `target/release/mooring`: first what the browser loads, then the program that carries it.
//!
//! One after the other on purpose: the program embeds the files, so they have to be there first.

use std::{path::PathBuf, process::Command};

use anyhow::Result;

pub mod budget; // what a phone may have to download
#[cfg(test)]
mod contrast; // whether words can be told from their grounds
mod languages; // sentences in other languages
mod site; // hashed names, compressed files, the list of them
mod split; // the program in pieces
mod style; // one stylesheet
mod wasm; // the program for the browser

use crate::{place, process, say, tools};

/// Builds what has changed since the last time.
pub fn build() -> Result<PathBuf> {
    tools::wasm::ensure_target()?;
    let bindgen = tools::wasm::Bindgen::ensure()?;
    let wasm_opt = tools::wasm::wasm_opt()?;

    let program = wasm::build(&bindgen, &wasm_opt)?;
    say::step("Collecting the static files", || site::build(&program))?;
    budget::keep()?;
    say::step("Building mooring", || {
        process::run(
            Command::new("cargo")
                .args(["build", "--package", "server", "--bin", "mooring", "--release"])
                .current_dir(place::root()),
        )
    })?;
    Ok(place::mooring())
}
