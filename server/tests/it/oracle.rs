//! The same answers as the rules alone: a random stream of commands, crashes, duplicates and late messages,
//! taken by the real thing on Postgres and by an oracle in memory; every reply and every picture compared.
//!
//! `MOORING_ORACLE_STEPS` says how many steps, `MOORING_ORACLE_SEED` where they begin: stream n of seed S is
//! the first stream of seed S + n.

use std::{
    env,
    panic::{AssertUnwindSafe, catch_unwind},
};

use domain::retry::Terms;
use proptest::{
    strategy::{Strategy as _, ValueTree},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use tokio::runtime::Runtime;

mod answered; // what follows from an answer of the outside
mod command; // what a learner's command is answered
mod difference; // two values, and where they differ
mod last; // what holds once a stream is over
mod picture; // what a learner sees
mod play; // one step after the other, on both sides
mod real; // the real thing, on a script and a clock of its own
mod script; // the outside, on a script
mod shelf; // the oracle's library
mod shrink; // from a long stream that fails to a short one
mod step; // what may happen next
mod tally; // what the streams came to
mod turn; // what a worker's turn comes to
mod world; // the oracle: everything there is, in maps

use self::{
    play::Play,
    shrink::{Failure, Tree},
    step::{Step, any_passage},
    tally::Tally,
    world::TERMS,
};
use crate::stage::{Stage, rounds};

/// Steps of one stream: enough for a task to go round several times.
const LENGTH: usize = 250;

/// From how many steps on everything must have been reached.
const MANY: usize = 10_000;

#[test]
fn mooring_and_the_rules_in_memory_give_the_same_answers_to_everything() {
    let steps = number("MOORING_ORACLE_STEPS").unwrap_or_else(|| rounds(400, MANY));
    let seed = number("MOORING_ORACLE_SEED").unwrap_or(1_u64);
    println!("oracle: {steps} steps, seed {seed}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stage = runtime.block_on(Stage::new());
    let ground = Ground { runtime, stage };
    let mut tally = Tally::default();
    for stream in 0.. {
        if steps <= tally.steps {
            break;
        }
        one_stream(&ground, seed + stream, LENGTH.min(steps - tally.steps), &mut tally);
    }
    println!("{} steps in {} streams, from seed {seed}\n{tally}", tally.steps, tally.streams);
    if MANY <= steps {
        assert_eq!(tally.missing(), Vec::<String>::new(), "never reached, so never compared");
    }
}

/// What the streams share: emptying a database is much quicker than making one.
struct Ground {
    runtime: Runtime,
    stage: Stage,
}

fn number<T: std::str::FromStr>(variable: &str) -> Option<T> {
    env::var(variable).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{variable} takes a number")))
}

fn one_stream(ground: &Ground, seed: u64, length: usize, tally: &mut Tally) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, random);
    let trees = stream(&mut runner, length);
    let steps: Vec<Step> = trees.iter().map(ValueTree::current).collect();
    // Tries that end soon lead into trouble, those that do not into time budgets.
    let terms = Terms { tries: if seed.is_multiple_of(2) { 2 } else { 3 }, ..TERMS };
    let Some(failure) = play(ground, terms, &steps, Some(tally)) else { return };

    println!("seed {seed} fails at step {} of {length}:\n{}\nLooking for a shorter stream.", failure.at, failure.why);
    let (short, failure) = shrink::reduce(trees, failure, |steps| play(ground, terms, steps, None));
    let list: Vec<String> = short.iter().enumerate().map(|(nth, step)| format!("{nth:>3}  {step:?}")).collect();
    panic!(
        "Mooring and the oracle differ. Seed {seed}; the shortest stream found:\n{}\nat step {}:\n{}",
        list.join("\n"),
        failure.at,
        failure.why
    );
}

/// So many steps, with all simpler forms of each.
fn stream(runner: &mut TestRunner, length: usize) -> Vec<Tree> {
    let passages = any_passage();
    let mut trees: Vec<Tree> = Vec::new();
    while trees.len() < length {
        for step in passages.new_tree(runner).unwrap().current().steps() {
            trees.push(step.new_tree(runner).unwrap());
        }
    }
    trees.truncate(length);
    trees
}

/// Plays a stream from nothing; says where it fails.
fn play(ground: &Ground, terms: Terms, steps: &[Step], tally: Option<&mut Tally>) -> Option<Failure> {
    let mut at = 0;
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        ground.runtime.block_on(async {
            let mut play = Play::new(&ground.stage, terms).await;
            let mut outcome = Ok(());
            for (nth, step) in steps.iter().enumerate() {
                at = nth;
                outcome = play.step(step).await;
                if outcome.is_err() {
                    break;
                }
            }
            play.all_die();
            if outcome.is_ok() {
                at = steps.len() - 1;
                outcome = play.holds_to_the_last().await;
            }
            if let (Ok(()), Some(tally)) = (&outcome, tally) {
                tally.add(steps, &play);
            }
            outcome
        })
    }));
    let why = match outcome {
        Ok(Ok(())) => return None,
        Ok(Err(why)) => why,
        Err(panic) => panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_else(|| "it panicked".to_owned()),
    };
    Some(Failure { at, why })
}
