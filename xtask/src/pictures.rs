//! `cargo xtask pictures`: the README's pictures, taken from the real program, into `screens/`.

use std::{fs, process::ExitCode, time::Instant};

use anyhow::{Result, bail};

use crate::{
    place, say,
    test::{Choice, stories, tally::Tally},
};

/// All of them together (bytes): whoever clones the repository downloads them.
const MOST: u64 = 600_000;

pub fn take() -> Result<ExitCode> {
    let start = Instant::now();
    let mut tally = Tally::default();
    let part = stories::tell("pictures", Choice { full: false }, &["--config", "pictures.config.ts"], &[])?;
    tally.add(part, start.elapsed());
    let sizes = fs::read_dir(place::root().join("screens"))?.map(|entry| Ok(entry?.metadata()?.len()));
    let bytes: u64 = sizes.collect::<Result<Vec<_>>>()?.into_iter().sum();
    say::note(&format!("{bytes} bytes of at most {MOST} in screens/"));
    if MOST < bytes {
        bail!("the pictures have become too large");
    }
    Ok(tally.close())
}
