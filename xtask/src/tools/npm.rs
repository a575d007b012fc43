//! npm packages, each set in a folder of its own with a lock file.

use std::{fs, path::Path, process::Command};

use anyhow::{Context as _, Result, bail};

use crate::{process, say};

/// `npm ci`, unless what is there was installed from this lock file.
pub fn install(folder: &Path) -> Result<()> {
    let lock = fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{} has no package-lock.json", folder.display()))?;
    let stamp = folder.join("node_modules/.installed-from");
    if fs::read(&stamp).is_ok_and(|from| from == lock) {
        return Ok(());
    }
    if process::ask(Command::new("npm").arg("--version")).is_none() {
        bail!("npm is not on the path. Install Node 20 or newer, which brings it.");
    }
    say::step(&format!("Installing npm packages in {}", folder.display()), || {
        process::run(
            Command::new("npm").args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(folder),
        )
    })?;
    fs::write(stamp, lock).context("cannot note what was installed")
}
