//! Firefox for the tests: the machine's own, or Debian's. No driver is needed: it speaks for itself.

use std::{env, path::PathBuf};

use anyhow::{Result, bail};

use super::debian::{self, on_path};

pub fn ensure() -> Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if debian::install("Firefox", &["firefox-esr"])?
        && let Some(found) = find()
    {
        return Ok(found);
    }
    bail!(
        "there is no Firefox to test with. Install it (on Debian: apt-get install firefox-esr), or name it in \
         MOORING_FIREFOX, and try again."
    )
}

fn find() -> Option<PathBuf> {
    let named = env::var_os("MOORING_FIREFOX").map(PathBuf::from);
    let usual = PathBuf::from("/Applications/Firefox.app/Contents/MacOS/firefox");
    let installed = ["firefox-esr", "firefox"].iter().find_map(|name| on_path(name));
    named.into_iter().chain(installed).chain([usual]).find(|path| path.is_file())
}
