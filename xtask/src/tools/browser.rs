//! A browser for the tests: the machine's own Chromium and driver, or what can be installed.

use std::{env, path::PathBuf, process::Command};

use anyhow::{Result, bail};

use super::debian::{self, on_path};
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
        if debian::install("Chromium and its driver", &["chromium", "chromium-driver"])?
            && let Some(found) = Self::find()
        {
            return Ok(found);
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
