//! How many passed. Counts come from the runners' own words; a runner that failed without counting
//! a failure is one.

use std::{process::ExitCode, time::Duration};

use crate::say;

/// One part of the tests.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    name: &'static str,
    passed: u64,
    failed: u64,
    took: Duration,
}

impl Part {
    pub fn new(name: &'static str) -> Self {
        Self { name, passed: 0, failed: 0, took: Duration::ZERO }
    }

    pub fn count(&mut self, passed: bool) {
        *(if passed { &mut self.passed } else { &mut self.failed }) += 1;
    }

    /// `test result: ok. 5 passed; 1 failed; …`, once for each test binary.
    pub fn of_cargo(name: &'static str, said: &str, succeeded: bool) -> Self {
        let sum = |word: &str| said.lines().filter_map(|line| number_before(line, word)).sum();
        Self::of(name, sum(" passed"), sum(" failed"), succeeded)
    }

    pub fn of(name: &'static str, passed: u64, failed: u64, succeeded: bool) -> Self {
        let failed = if succeeded { failed } else { failed.max(1) };
        Self { passed, failed, ..Self::new(name) }
    }
}

fn number_before(line: &str, word: &str) -> Option<u64> {
    let (before, _) = line.strip_prefix("test result: ")?.split_once(word)?;
    before.rsplit(' ').next()?.parse().ok()
}

/// All parts.
#[derive(Debug, Default)]
pub struct Tally {
    parts: Vec<Part>,
}

impl Tally {
    pub fn add(&mut self, part: Part, took: Duration) {
        self.parts.push(Part { took, ..part });
    }

    /// The table, and the last line that says it all.
    pub fn close(&self) -> ExitCode {
        let (passed, failed) =
            self.parts.iter().fold((0, 0), |(passed, failed), part| (passed + part.passed, failed + part.failed));
        println!("\n{:<10} {:>7} {:>7} {:>9}", "part", "passed", "failed", "time");
        for part in &self.parts {
            println!("{:<10} {:>7} {:>7} {:>9}", part.name, part.passed, part.failed, say::seconds(part.took));
        }
        println!("\n{passed} passed, {failed} failed");
        if failed == 0 && 0 < passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_of_all_binaries_are_added_up() {
        let said = "test a ... ok\n\
            test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 12 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        let part = Part::of_cargo("native", said, false);
        assert_eq!((part.passed, part.failed), (17, 2));
    }

    #[test]
    fn what_did_not_even_compile_has_failed() {
        let part = Part::of_cargo("native", "", false);
        assert_eq!((part.passed, part.failed), (0, 1));
    }
}
