//! How long steps take, and how often they were tried.

use std::time::Duration;

use domain::snapshot::{Outcome, Snapshot};

use super::{
    said::say,
    status::{Standing, is_active},
    times, two,
};

/// "under 1 s", "12 s", "3 min", "2 h", "5 days".
pub fn lasted(time: Duration) -> String {
    match time.as_secs() {
        0 => say!("under 1 s").to_owned(),
        s @ 1..60 => say!("{} s", s),
        s @ 60..3_600 => say!("{} min", s / 60),
        s @ 3_600..172_800 => say!("{} h", s / 3_600),
        s => say!("{} days", s / 86_400),
    }
}

/// Below the steps: when the task began, how often the step under way was tried, how long the whole took.
pub fn note(standing: &Standing) -> Option<String> {
    let task = standing.task.as_ref()?;
    let started = say!("Started {}.", times::at(task.created_at, standing.now, standing.zone));
    let more = whole(task).or_else(|| tries(task, standing));
    Some(more.map_or(started.clone(), |more| two(&started, &more)))
}

fn whole(task: &Snapshot) -> Option<String> {
    match &task.outcome {
        Some(Outcome::Saved { saved_at, .. }) => {
            Some(say!("It took {} in all.", lasted(saved_at.since(task.created_at))))
        }
        _ => None,
    }
}

fn tries(task: &Snapshot, standing: &Standing) -> Option<String> {
    let failed = task.under_way.map_or(0, |step| step.tries);
    // Which try it is now is a claim about now.
    let now = standing.freshness.is_confirmed() && is_active(task, standing.now);
    match failed {
        0 => None,
        n if now => Some(say!("This is try {}.", n + 1)),
        n => Some(say!("One try failed so far." | "{n} tries failed so far." % n as usize)),
    }
}
