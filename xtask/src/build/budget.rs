//! What a phone downloads before it shows a task, against what it may be. This is the one place for
//! the numbers.

use std::{collections::BTreeMap, fs};

use anyhow::{Context as _, Result, bail};

use crate::{place, say};

/// What the first load is meant to come down to (bytes in brotli).
pub const GOAL: u64 = 200_000;

/// Bytes in brotli that each file of the first load may have, by plain name. A little more than it has:
/// who needs more says so here.
const BUDGETS: [(&str, u64); 5] = [
    ("mooring.wasm", 299_000),
    ("mooring.js", 10_000),
    ("mooring.css", 9_600),
    ("boot.js", 2_700),
    ("favicon.svg", 500),
];

/// One file of the first load.
pub struct Part {
    pub name: &'static str,
    pub bytes_brotli: u64,
    pub budget: u64,
}

/// The files of the first load as they were last built. The page itself, some two kilobytes, comes
/// from the server.
pub fn first_load() -> Result<Vec<Part>> {
    let site = place::site();
    let manifest: BTreeMap<String, String> = serde_json::from_str(
        &fs::read_to_string(site.join("manifest.json")).context("nothing is built yet: cargo xtask build")?,
    )?;
    BUDGETS
        .into_iter()
        .map(|(name, budget)| {
            let hashed = manifest.get(name).with_context(|| format!("the manifest does not name {name}"))?;
            let sent = fs::metadata(site.join(format!("{hashed}.br")))
                .with_context(|| format!("{name} is not there in brotli"))?;
            Ok(Part { name, bytes_brotli: sent.len(), budget })
        })
        .collect()
}

/// Prints the first load and refuses one with a file over its budget.
pub fn keep() -> Result<()> {
    let parts = first_load()?;
    say::note("first load, as a phone downloads it (brotli):");
    for Part { name, bytes_brotli, budget } in &parts {
        say::note(&format!("{name:<14} {bytes_brotli:>7} of {budget:>7} bytes"));
    }
    let all: u64 = parts.iter().map(|part| part.bytes_brotli).sum();
    say::note(&format!("{:<14} {all:>7}, the goal is {GOAL} bytes", "in all"));
    let over = over(&parts);
    if over.is_empty() { Ok(()) } else { bail!("too much to download: {}", over.join(", ")) }
}

/// What is over its budget.
fn over(parts: &[Part]) -> Vec<&'static str> {
    parts.iter().filter(|part| part.budget < part.bytes_brotli).map(|part| part.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_its_budget_is_named() {
        let part = |name, bytes_brotli, budget| Part { name, bytes_brotli, budget };
        assert!(over(&[part("a", 5, 5), part("b", 1, 9)]).is_empty());
        assert_eq!(over(&[part("a", 6, 5), part("b", 9, 9)]), ["a"]);
    }
}
