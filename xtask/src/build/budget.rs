//! What a phone downloads before it shows a task, against what it may be. This is the one place for
//! the numbers.

use std::{collections::BTreeMap, fs};

use anyhow::{Context as _, Result, bail};

use crate::{place, say};

/// All together (bytes).
pub const TOTAL: u64 = 200_000;

/// Bytes in brotli for each file of the first load, by plain name.
const BUDGETS: [(&str, u64); 5] = [
    ("mooring.wasm", 176_000),
    ("mooring.js", 9_500),
    ("mooring.css", 8_500),
    ("boot.js", 2_500),
    // The page itself is made by the server; a test beside the shell holds it to this.
    (PAGE, 2_000),
];

const PAGE: &str = "/";

/// One file of the first load.
pub struct Part {
    pub name: &'static str,
    pub bytes_brotli: u64,
    pub budget: u64,
}

/// The files of the first load as they were last built.
pub fn first_load() -> Result<Vec<Part>> {
    let site = place::site();
    let manifest: BTreeMap<String, String> = serde_json::from_str(
        &fs::read_to_string(site.join("manifest.json")).context("nothing is built yet: cargo xtask build")?,
    )?;
    BUDGETS
        .into_iter()
        .map(|(name, budget)| {
            if name == PAGE {
                return Ok(Part { name, bytes_brotli: budget, budget });
            }
            let hashed = manifest.get(name).with_context(|| format!("the manifest does not name {name}"))?;
            let sent = fs::metadata(site.join(format!("{hashed}.br")))
                .with_context(|| format!("{name} is not there in brotli"))?;
            Ok(Part { name, bytes_brotli: sent.len(), budget })
        })
        .collect()
}

/// Prints the first load and refuses one that is too large.
pub fn keep() -> Result<()> {
    let parts = first_load()?;
    let total = parts.iter().map(|part| part.bytes_brotli).sum::<u64>();
    say::note("first load, as a phone downloads it (brotli):");
    for Part { name, bytes_brotli, budget } in &parts {
        say::note(&format!("{name:<14} {bytes_brotli:>7} of {budget:>7} bytes"));
    }
    say::note(&format!("{:<14} {total:>7} of {TOTAL:>7} bytes", "in all"));
    let over = over(&parts, TOTAL);
    if over.is_empty() { Ok(()) } else { bail!("too much to download: {}", over.join(", ")) }
}

/// What is over its budget.
fn over(parts: &[Part], most: u64) -> Vec<&'static str> {
    let total: u64 = parts.iter().map(|part| part.bytes_brotli).sum();
    let mut over: Vec<_> = parts.iter().filter(|part| part.budget < part.bytes_brotli).map(|part| part.name).collect();
    if most < total {
        over.push("in all");
    }
    over
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_over_its_budget_and_a_total_over_the_goal_are_named() {
        let part = |name, bytes_brotli, budget| Part { name, bytes_brotli, budget };
        assert!(over(&[part("a", 5, 5), part("b", 1, 9)], 6).is_empty());
        assert_eq!(over(&[part("a", 6, 5), part("b", 1, 9)], 7), ["a"]);
        assert_eq!(over(&[part("a", 5, 5), part("b", 2, 9)], 6), ["in all"]);
    }

    #[test]
    fn the_budgets_leave_the_goal_in_reach() {
        assert!(BUDGETS.iter().map(|(_, budget)| budget).sum::<u64>() <= TOTAL);
    }
}
