//! Makes the folder that the static files are embedded from, so that a fresh clone compiles before
//! anything was built for the browser, and rebuilds when its files change.

use std::{env, fs, path::PathBuf};

fn main() -> std::io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let site = here.join("../target/site");
    fs::create_dir_all(&site)?;
    println!("cargo::rerun-if-changed={}", site.display());
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
