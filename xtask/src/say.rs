//! Progress lines: what is being done, and how long it took.

use std::time::{Duration, Instant};

/// Announces a step, does it, and says how long it took if that was long.
pub fn step<T>(what: &str, work: impl FnOnce() -> T) -> T {
    println!("==> {what}");
    let start = Instant::now();
    let outcome = work();
    let took = start.elapsed();
    if Duration::from_secs(1) < took {
        println!("    {}", seconds(took));
    }
    outcome
}

pub fn note(what: &str) {
    println!("    {what}");
}

pub fn failure(what: &str) {
    eprintln!("xtask: {what}");
}

pub fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
