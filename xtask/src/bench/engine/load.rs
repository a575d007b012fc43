//! Tasks from start to saved, some at once: one thread a task, waiting on the event stream.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow};

use crate::bench::learner::Learner;

/// One task's times.
pub struct Journey {
    pub start_to_review: Duration,
    /// From the accept on its way to its own answer.
    pub accept_answered: Duration,
    /// From the accept on its way to `saved` on the stream.
    pub accept_to_saved: Duration,
}

/// All of them, and how long it took from the first start to the last save.
pub struct Run {
    pub journeys: Vec<Journey>,
    pub took: Duration,
}

/// Each learner has one task at a time until there have been `tasks`.
pub fn run(learners: &mut [Learner], record: &str, tasks: u32) -> Result<Run> {
    let begun = AtomicU32::new(0);
    let start = Instant::now();
    let journeys = thread::scope(|scope| {
        let threads: Vec<_> =
            learners.iter_mut().map(|it| scope.spawn(|| one_by_one(it, record, tasks, &begun))).collect();
        let ended = threads.into_iter().map(|it| it.join().unwrap_or_else(|_| Err(anyhow!("a learner panicked"))));
        ended.collect::<Result<Vec<_>>>()
    })?;
    Ok(Run { took: start.elapsed(), journeys: journeys.into_iter().flatten().collect() })
}

fn one_by_one(learner: &mut Learner, record: &str, tasks: u32, begun: &AtomicU32) -> Result<Vec<Journey>> {
    let mut journeys = Vec::new();
    while begun.fetch_add(1, Ordering::Relaxed) < tasks {
        journeys.push(one(learner, record)?);
    }
    Ok(journeys)
}

fn one(learner: &mut Learner, record: &str) -> Result<Journey> {
    let start = Instant::now();
    let task = learner.start(record)?;
    let mut watch = learner.watch(&task)?;
    let snapshot = watch.until("awaiting_review", &["created", "evidence_saved"])?;
    let start_to_review = start.elapsed();

    let accept = Instant::now();
    learner.accept(&task, &snapshot)?;
    let accept_answered = accept.elapsed();
    watch.until("saved", &["accepted"])?;
    Ok(Journey { start_to_review, accept_answered, accept_to_saved: accept.elapsed() })
}
