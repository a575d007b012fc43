//! From a long stream that fails to a short one.
//!
//! Steps are left out by halves, quarters, and so on down to single ones; then each that is left is made
//! as simple as its own strategy can. Leaving out by chunks rather than one by one: each try is a whole run
//! on Postgres.

use std::time::{Duration, Instant};

use proptest::strategy::ValueTree;

use super::step::Step;

/// A step with all simpler forms of it.
pub type Tree = Box<dyn ValueTree<Value = Step>>;

/// Where a stream failed, and how.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The place of the step; the number of steps where what holds to the last does not.
    pub at: usize,
    pub why: String,
}

/// The most that is tried, and for how long; then the shortest so far has to do.
const TRIES: usize = 250;
const PATIENCE: Duration = Duration::from_mins(2);

/// Tries to simplify one step.
const SIMPLER: usize = 20;

struct Reduced<F> {
    /// Each with the simplest form known to fail together with the others.
    parts: Vec<(Tree, Step)>,
    failure: Failure,
    tries: usize,
    since: Instant,
    play: F,
}

/// Makes a stream that failed as short and as simple as may be. `play` gives the failure of a stream.
pub fn reduce(
    trees: Vec<Tree>,
    failure: Failure,
    play: impl FnMut(&[Step]) -> Option<Failure>,
) -> (Vec<Step>, Failure) {
    let mut parts: Vec<(Tree, Step)> = trees.into_iter().map(with_current).collect();
    parts.truncate(failure.at + 1);
    let mut reduced = Reduced { parts, failure, tries: 0, since: Instant::now(), play };
    reduced.leave_out();
    reduced.simplify();
    // What was made simpler may have made others needless.
    reduced.leave_out();
    (reduced.steps(), reduced.failure)
}

fn with_current(tree: Tree) -> (Tree, Step) {
    let step = tree.current();
    (tree, step)
}

impl<F: FnMut(&[Step]) -> Option<Failure>> Reduced<F> {
    fn steps(&self) -> Vec<Step> {
        self.parts.iter().map(|(_, step)| step.clone()).collect()
    }

    fn leave_out(&mut self) {
        let mut chunk = self.parts.len().div_ceil(2);
        while 0 < chunk {
            let mut at = 0;
            while at < self.parts.len() {
                let end = (at + chunk).min(self.parts.len());
                let mut rest = self.steps();
                rest.drain(at..end);
                if self.fails(&rest) {
                    self.parts.drain(at..end);
                    self.parts.truncate(self.failure.at + 1);
                } else {
                    at = end;
                }
            }
            chunk = if chunk == 1 { 0 } else { chunk.div_ceil(2) };
        }
    }

    fn simplify(&mut self) {
        for nth in 0..self.parts.len() {
            for _ in 0..SIMPLER {
                if !self.parts[nth].0.simplify() {
                    break;
                }
                loop {
                    let mut steps = self.steps();
                    steps[nth] = self.parts[nth].0.current();
                    if self.fails(&steps) {
                        self.parts[nth].1 = steps.swap_remove(nth);
                        break;
                    }
                    if !self.parts[nth].0.complicate() {
                        break;
                    }
                }
            }
        }
    }

    fn fails(&mut self, steps: &[Step]) -> bool {
        if steps.is_empty() || TRIES <= self.tries || PATIENCE <= self.since.elapsed() {
            return false;
        }
        self.tries += 1;
        match (self.play)(steps) {
            // Another failure on the way would lead away from this one.
            Some(failure) if kind(&failure) == kind(&self.failure) => {
                self.failure = failure;
                true
            }
            _ => false,
        }
    }
}

/// What differs, whatever the numbers and IDs.
fn kind(failure: &Failure) -> String {
    let first = failure.why.lines().next().unwrap_or_default();
    first.chars().filter(|c| !c.is_ascii_hexdigit() && *c != '-').collect()
}

#[test]
fn a_long_stream_that_fails_is_made_short_and_simple() {
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let trees = super::stream(&mut runner, 200);
    // Fails at the second turn, whatever else is there.
    let play = |steps: &[Step]| {
        let turns = steps.iter().enumerate().filter(|(_, step)| matches!(step, Step::Turn { .. }));
        turns.map(|(at, _)| at).nth(1).map(|at| Failure { at, why: "two turns".to_owned() })
    };
    let (left, failure) = reduce(trees, Failure { at: 199, why: "two turns".to_owned() }, play);
    let told: Vec<String> = left.iter().map(|step| format!("{step:?}")).collect();
    let simple = |step: &String| step.starts_with("Turn { sees: Same, says: Text, library: Known, end: ");
    assert!(told.len() == 2 && told.iter().all(simple) && failure.at == 1, "{told:?}");
}
