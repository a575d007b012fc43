//! How the parts are doing, as `/readyz` tells it.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use async_trait::async_trait;

use super::Parts;
use crate::{
    neighbours::Hearing,
    serve::health::{Health, Part, Report, Work},
    store::{Store, Vitals},
    worker::Worker,
};

/// The parts of this process.
pub(super) struct ProcessHealth {
    store: Store,
    hearing: Hearing,
    listens: bool,
    worker: Option<Arc<Worker>>,
    /// How often the worker had looked when that last moved on, and when that was seen.
    last: Mutex<(u64, Instant)>,
    warnings: Vec<String>,
}

/// Shorter than whoever asks waits, so that what is known of the other parts is still said.
const DATABASE_PATIENCE: Duration = Duration::from_millis(1500);

/// A worker that has not looked for work for this many poll intervals is stuck.
const STUCK_AFTER: u32 = 10;

impl ProcessHealth {
    pub(super) fn new(parts: &Parts, worker: Option<Arc<Worker>>, warnings: Vec<String>) -> Self {
        Self {
            store: parts.store.clone(),
            hearing: parts.hearing.clone(),
            listens: parts.opened.direct_url.is_some(),
            worker,
            last: Mutex::new((0, Instant::now())),
            warnings,
        }
    }

    fn worker(&self) -> Part {
        let Some(worker) = &self.worker else { return Part::Off };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let looks = worker.looks();
        if looks != last.0 {
            *last = (looks, Instant::now());
        }
        let patience = worker.settings.poll * STUCK_AFTER + Duration::from_secs(1);
        if last.1.elapsed() < patience { Part::Ok } else { Part::Down }
    }
}

#[async_trait]
impl Health for ProcessHealth {
    async fn report(&self) -> Report {
        let vitals = tokio::time::timeout(DATABASE_PATIENCE, self.store.vitals()).await.ok().and_then(Result::ok);
        let silent = vitals.is_none().then(|| "the database did not answer in time".to_owned());
        Report {
            database: if vitals.is_some() { Part::Ok } else { Part::Down },
            // A process starts only after its migrations have run.
            migrations: Part::Ok,
            listener: match (self.listens, self.hearing.is_on()) {
                (false, _) => Part::Off,
                (true, true) => Part::Ok,
                (true, false) => Part::Down,
            },
            worker: self.worker(),
            work: vitals.map(work).unwrap_or_default(),
            warnings: self.warnings.iter().cloned().chain(silent).collect(),
        }
    }
}

fn work(vitals: Vitals) -> Work {
    Work {
        oldest_due_s: Some(vitals.oldest_due.as_secs_f64()),
        without_live_lease: Some(vitals.without_live_lease),
        needs_checking: Some(vitals.needs_checking),
    }
}
