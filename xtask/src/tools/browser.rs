//! A browser for the tests: the machine's own Chromium and driver, or what can be installed.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Result, bail};

use crate::{place, process, say};

/// Chromium and the driver of the same version.
pub struct Browser {
    /// Left out where Playwright brings its own.
    pub chromium: Option<PathBuf>,
    pub driver: Option<PathBuf>,
}

impl Browser {
    /// Finds or installs them: from the distribution, otherwise through Playwright.
    pub fn ensure() -> Result<Self> {
        if let Some(found) = Self::find() {
            return Ok(found);
        }
        if rustix::process::geteuid().is_root() && on_path("apt-get").is_some() {
            say::step("Installing Chromium and its driver", || {
                let quiet = |args: &[&str]| {
                    process::run(Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive"))
                };
                quiet(&["update", "-q"])?;
                quiet(&["install", "-qq", "-y", "--no-install-recommends", "chromium", "chromium-driver"])
            })?;
            if let Some(found) = Self::find() {
                return Ok(found);
            }
        }
        let end2end = place::root().join("end2end");
        let own = say::step("Installing Playwright's own Chromium", || {
            process::run(Command::new("npx").args(["playwright", "install", "chromium"]).current_dir(end2end))
        });
        match own {
            Ok(()) => Ok(Self { chromium: None, driver: driver() }),
            Err(_) if process::is_stopping() => bail!("stopped"),
            Err(_) => bail!(
                "there is no browser to test with. Install Chromium and chromedriver of one version (on Debian: \
                 apt-get install chromium chromium-driver) and try again."
            ),
        }
    }

    fn find() -> Option<Self> {
        let chromium = ["chromium", "chromium-browser", "google-chrome"].iter().find_map(|name| on_path(name))?;
        Some(Self { chromium: Some(chromium), driver: Some(driver()?) })
    }
}

fn driver() -> Option<PathBuf> {
    env::var_os("CHROMEDRIVER").map(PathBuf::from).filter(|path| path.is_file()).or_else(|| on_path("chromedriver"))
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join(name)).find(|program: &PathBuf| Path::is_file(program))
}
