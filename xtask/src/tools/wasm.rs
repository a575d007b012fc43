//! What turns Rust into what a browser loads.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

use super::npm;
use crate::{place, process, say};

const TARGET: &str = "wasm32-unknown-unknown";

/// The wasm target's standard library. Some set-ups do not install it on demand.
pub fn ensure_target() -> Result<()> {
    let libraries = process::ask(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    if libraries.is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    say::step("Adding the wasm target", || process::run(Command::new("rustup").args(["target", "add", TARGET])))
        .context("the wasm target is missing, and rustup did not add it")
}

/// wasm-bindgen and its test runner, of exactly the version that the code was compiled against.
pub struct Bindgen {
    pub folder: PathBuf,
    pub version: String,
}

impl Bindgen {
    pub fn ensure() -> Result<Self> {
        let version = locked_version(&fs::read_to_string(place::root().join("Cargo.lock"))?, "wasm-bindgen")
            .context("Cargo.lock does not name wasm-bindgen")?;
        let ours = place::root().join("target/tools");
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(ours.join("bin")).chain(env::split_paths(&path));
        let fits = |folder: &Path| {
            folder.join("wasm-bindgen-test-runner").is_file()
                && process::ask(Command::new(folder.join("wasm-bindgen")).arg("--version"))
                    .is_some_and(|said| said == format!("wasm-bindgen {version}"))
        };
        for folder in folders {
            if fits(&folder) {
                return Ok(Self { folder, version });
            }
        }
        say::step(&format!("Installing wasm-bindgen {version} (about two minutes, once)"), || {
            // Not --locked: its lock file names a crate version that is no longer there. Built quickly, not to be quick.
            process::run(
                Command::new("cargo")
                    .args(["install", "--quiet", "wasm-bindgen-cli", "--force", "--version", &version, "--root"])
                    .arg(&ours)
                    .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
                    .env("CARGO_PROFILE_RELEASE_LTO", "off"),
            )
        })?;
        let folder = ours.join("bin");
        if !fits(&folder) {
            bail!("wasm-bindgen {version} was installed, but does not run");
        }
        Ok(Self { folder, version })
    }

    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// wasm-opt from npm's binaryen. Distributions carry versions that break the page.
pub fn wasm_opt() -> Result<PathBuf> {
    let folder = place::root().join("xtask/binaryen");
    npm::install(&folder)?;
    Ok(folder.join("node_modules/.bin/wasm-opt"))
}

fn locked_version(lock: &str, package: &str) -> Option<String> {
    let (_, after) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    after.split('"').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_the_lock_file() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(lock, "walrus"), None);
    }
}
