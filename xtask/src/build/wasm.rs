//! The program for the browser: compiled, bound to JavaScript, made small.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

use super::site::hash;
use crate::{place, process, say, tools::wasm::Bindgen};

/// rustc's own choice of features, named because the section that lists them is stripped.
const WASM_OPT: [&str; 8] = [
    "-Oz",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// The two files that make the program.
pub struct Program {
    pub js: PathBuf,
    pub wasm: PathBuf,
}

pub fn build(bindgen: &Bindgen, wasm_opt: &Path) -> Result<Program> {
    say::step("Building the program for the browser", || {
        process::run(
            Command::new("cargo")
                .args(["build", "--package", "frontend", "--lib", "--target", "wasm32-unknown-unknown"])
                .args(["--profile", "wasm-release"])
                .current_dir(place::root()),
        )
    })?;
    let compiled = place::target().join("wasm32-unknown-unknown/wasm-release/frontend.wasm");
    let work = place::target().join("wasm-work");
    let program = Program { js: work.join("mooring.js"), wasm: work.join("mooring.wasm") };

    let compiled_bytes = fs::read(&compiled).with_context(|| format!("cannot read {}", compiled.display()))?;
    let made_from = format!("{} {} {}", hash(&compiled_bytes), bindgen.version, WASM_OPT.join(" "));
    let stamp = work.join("made-from");
    if fs::read_to_string(&stamp).is_ok_and(|text| text == made_from) {
        return Ok(program);
    }
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    say::step("Binding it to JavaScript", || {
        process::run(
            Command::new(bindgen.program("wasm-bindgen"))
                .args(["--target", "web", "--no-typescript", "--remove-name-section", "--remove-producers-section"])
                .args(["--out-name", "mooring", "--out-dir"])
                .arg(&work)
                .arg(&compiled),
        )
    })?;
    if work.join("snippets").exists() {
        bail!("a dependency brings JavaScript snippets of its own, which this build does not collect");
    }
    say::step("Making it small", || {
        process::run(
            Command::new(wasm_opt).args(WASM_OPT).arg(work.join("mooring_bg.wasm")).arg("-o").arg(&program.wasm),
        )
    })?;
    fs::write(stamp, made_from)?;
    Ok(program)
}
