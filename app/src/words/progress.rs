//! How long steps take, and how often they were tried.

use std::time::Duration;

use domain::snapshot::{Outcome, Snapshot};

use super::{
    status::{Standing, is_active},
    times,
};

/// "under 1 s", "12 s", "3 min", "2 h", "5 days".
pub fn lasted(time: Duration) -> String {
    match time.as_secs() {
        0 => "under 1 s".to_owned(),
        s @ 1..60 => format!("{s} s"),
        s @ 60..3_600 => format!("{} min", s / 60),
        s @ 3_600..172_800 => format!("{} h", s / 3_600),
        s => format!("{} days", s / 86_400),
    }
}

/// Below the steps: when the task began, how often the step under way was tried, how long the whole took.
pub fn note(standing: &Standing) -> Option<String> {
    let task = standing.task.as_ref()?;
    let mut note = format!("Started {}.", times::at(task.created_at, standing.now, standing.zone));
    if let Some(more) = whole(task).or_else(|| tries(task, standing)) {
        note.push(' ');
        note.push_str(&more);
    }
    Some(note)
}

fn whole(task: &Snapshot) -> Option<String> {
    match &task.outcome {
        Some(Outcome::Saved { saved_at, .. }) => {
            Some(format!("It took {} in all.", lasted(saved_at.since(task.created_at))))
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
        n if now => Some(format!("This is try {}.", n + 1)),
        1 => Some("One try failed so far.".to_owned()),
        n => Some(format!("{n} tries failed so far.")),
    }
}
