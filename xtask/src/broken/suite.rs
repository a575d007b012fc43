//! The tests of a copy: that they compile, and which of them fail.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, bail};

use crate::{leftovers, place, process, say};

/// The rules first: they need no database. Those of the house are about words, not about behaviour.
const PACKAGES: [&str; 2] = ["domain", "server"];
const NOT: &str = "tidy::";

/// Where a copy is compiled.
pub struct Suite {
    tree: PathBuf,
    target: PathBuf,
}

impl Suite {
    /// Begins with what the repository has compiled already: most of it is other people's code.
    pub fn open(tree: &Path, target: PathBuf) -> Result<Self> {
        let (ours, seed) = (target.join("debug"), place::target().join("debug"));
        if !ours.exists() && seed.exists() {
            say::step("Taking over what is compiled already", || {
                fs::create_dir_all(&ours)?;
                let parts = [".fingerprint", "build", "deps"].map(|part| seed.join(part));
                process::run(Command::new("cp").arg("-a").args(parts.iter().filter(|part| part.exists())).arg(&ours))
            })?;
        }
        Ok(Self { tree: tree.to_owned(), target })
    }

    /// The names of the tests that fail, of the first package that has any.
    pub fn failures(&self, filters: &[&str]) -> Result<Vec<String>> {
        for package in PACKAGES {
            let compiled = process::run(self.cargo(package).arg("--no-run").arg("--quiet"));
            compiled.with_context(|| format!("the tests of {package} do not compile"))?;
            let failed = self.run(package, filters)?;
            if failed.is_empty() {
                continue;
            }
            // Once more by themselves: what fails only among others, on a machine that has much to do,
            // has noticed nothing.
            let names: Vec<&str> = failed.iter().map(String::as_str).collect();
            let failed = self.run(package, &[&["--exact"], &names[..]].concat())?;
            if !failed.is_empty() {
                return Ok(failed);
            }
        }
        Ok(Vec::new())
    }

    fn run(&self, package: &str, args: &[&str]) -> Result<Vec<String>> {
        let mut tests = self.cargo(package);
        tests.args(["--no-fail-fast", "--", "--skip", NOT]).args(args).stderr(Stdio::null());
        let (status, said) = process::read(&mut tests)?;
        if process::is_stopping() {
            bail!("stopped");
        }
        let failed = failed(&said);
        if failed.is_empty() && !status.success() {
            bail!("the tests of {package} ended early ({status})");
        }
        Ok(failed)
    }

    /// Removes the databases that the tests have used.
    pub fn close(&self) {
        if let Err(error) = leftovers::remove(&self.target.join("tmp")) {
            say::note(&format!("{error:#}; it is removed the next time"));
        }
    }

    fn cargo(&self, package: &str) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--package", package]).current_dir(&self.tree);
        cargo.env("CARGO_TARGET_DIR", &self.target).env("RUST_BACKTRACE", "0");
        cargo
    }
}

/// `test ledger::one_start ... FAILED`
fn failed(said: &str) -> Vec<String> {
    let name = |line: &str| Some(line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?.to_owned());
    said.lines().filter_map(name).collect()
}

#[test]
fn failed_tests_are_read_as_they_are_printed() {
    let said = "test a::b ... ok\ntest a::c ... FAILED\ntest result: FAILED. 1 passed; 1 failed;\n";
    assert_eq!(failed(said), ["a::c"]);
}
