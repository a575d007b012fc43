//! The program for the browser: compiled, bound to JavaScript, made small.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

use super::{site::hash, split};
use crate::{place, process, say, tools::wasm::Bindgen};

/// Changes whenever this file makes another program out of the same one.
const EDITION: &str = "4";

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

/// The files that make the program.
pub struct Program {
    pub js: PathBuf,
    /// What is needed at once, and what is fetched when it is wanted, by their names.
    pub wasm: BTreeMap<String, PathBuf>,
}

pub fn build(bindgen: &Bindgen, wasm_opt: &Path) -> Result<Program> {
    say::step("Building the program for the browser", || {
        process::run(
            Command::new("cargo")
                .args(["rustc", "--package", "frontend", "--lib", "--target", "wasm32-unknown-unknown"])
                // The library form beside it would keep the linker from optimising across crates.
                .args(["--profile", "wasm-release", "--crate-type", "cdylib"])
                // Where to cut is only known with the relocations.
                .args(["--", "-C", "link-args=--emit-relocs"])
                .current_dir(place::root()),
        )
    })?;
    let compiled = place::target().join("wasm32-unknown-unknown/wasm-release/frontend.wasm");
    let work = place::target().join("wasm-work");

    let compiled_bytes = fs::read(&compiled).with_context(|| format!("cannot read {}", compiled.display()))?;
    let made_from = format!("edition {EDITION} {} {} {}", hash(&compiled_bytes), bindgen.version, WASM_OPT.join(" "));
    let stamp = work.join("made-from");
    if fs::read_to_string(&stamp).is_ok_and(|text| text == made_from) {
        return made(&work);
    }
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    let raw = work.join("raw");
    let pieces = say::step("Cutting it into pieces", || split::split(&compiled_bytes, &raw))?;
    say::step("Binding it to JavaScript", || {
        process::run(
            Command::new(bindgen.program("wasm-bindgen"))
                .args(["--target", "web", "--no-typescript", "--remove-name-section", "--remove-producers-section"])
                // The pieces need the table of functions, which is taken away otherwise.
                .arg("--keep-lld-exports")
                .args(["--out-name", "mooring", "--out-dir"])
                .arg(&raw)
                .arg(&pieces.main),
        )
    })?;
    if raw.join("snippets").exists() {
        bail!("a dependency brings JavaScript snippets of its own, which this build does not collect");
    }
    fs::write(work.join("mooring.js"), pieces.join(&fs::read_to_string(raw.join("mooring.js"))?)?)?;
    say::step("Making it small", || {
        let small = |from: &Path, name: &str| {
            let to = work.join(format!("{name}.wasm"));
            process::run(Command::new(wasm_opt).args(WASM_OPT).arg(from).arg("-o").arg(to))
        };
        small(&raw.join("mooring_bg.wasm"), "mooring")?;
        pieces.apart.iter().try_for_each(|(name, piece)| small(piece, name))
    })?;
    fs::remove_dir_all(raw)?;
    fs::write(stamp, made_from)?;
    made(&work)
}

/// What lies there when all is made.
fn made(work: &Path) -> Result<Program> {
    let mut wasm = BTreeMap::new();
    for entry in fs::read_dir(work)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "wasm") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            wasm.insert(name, path);
        }
    }
    Ok(Program { js: work.join("mooring.js"), wasm })
}
