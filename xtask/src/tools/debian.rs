//! What only the distribution has. Where it is not Debian's, or we may not install, the person does.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::Result;

use crate::{process, say};

/// Installs packages, where that is possible here; false where it is not.
pub fn install(what: &str, packages: &[&str]) -> Result<bool> {
    if !rustix::process::geteuid().is_root() || on_path("apt-get").is_none() {
        return Ok(false);
    }
    say::step(&format!("Installing {what}"), || {
        let quiet =
            |args: &[&str]| process::run(Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive"));
        quiet(&["update", "-q"])?;
        quiet(&[&["install", "-qq", "-y", "--no-install-recommends"], packages].concat())
    })?;
    Ok(true)
}

pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join(name)).find(|program: &PathBuf| Path::is_file(program))
}
