//! What is as it is now, set at each scrape.

use metrics::gauge;

use super::{Part, Report};

/// Sets them. What is not known is no number, rather than an old one; what is not
/// meant to run here is left out.
pub fn show(report: &Report) {
    for (name, part) in [
        ("mooring_database_up", report.database),
        ("mooring_listener_up", report.listener),
        ("mooring_worker_up", report.worker),
    ] {
        if part != Part::Off {
            gauge!(name).set(f64::from(u8::from(part == Part::Ok)));
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "nobody has 2^52 tasks")]
    let count = |tasks: Option<u64>| tasks.map_or(f64::NAN, |n| n as f64);
    gauge!("mooring_oldest_due_seconds").set(report.work.oldest_due_s.unwrap_or(f64::NAN));
    gauge!("mooring_tasks_without_live_lease").set(count(report.work.without_live_lease));
    gauge!("mooring_needs_checking").set(count(report.work.needs_checking));
}
