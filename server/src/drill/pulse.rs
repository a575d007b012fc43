//! How long the machine stood still: the longest time that a timer or a trivial query was late while a row was
//! played. Leases are counted in the same time, so a row is not judged by its calls on a machine that cannot keep
//! one.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use super::postgres::rows::Rows;

/// Between two looks.
const BEAT: Duration = Duration::from_millis(50);

/// The longest delay so far.
#[derive(Debug, Default)]
pub struct Pulse(Cell<Duration>);

impl Pulse {
    pub fn longest(&self) -> Duration {
        self.0.get()
    }

    /// Whether heartbeats may have come too late to keep a lease.
    pub fn stood_still(&self, lease: Duration) -> bool {
        lease / 3 < self.longest()
    }

    /// Looks on beside `work` until it ends.
    pub async fn beside<T>(&self, rows: &Rows, work: impl Future<Output = T>) -> T {
        let looking = async {
            loop {
                let start = Instant::now();
                tokio::time::sleep(BEAT).await;
                // A database that does not answer at all is somebody else's finding.
                let _ = rows.ping().await;
                let late = start.elapsed().saturating_sub(BEAT);
                self.0.set(self.0.get().max(late));
            }
        };
        tokio::select! {
            done = work => done,
            never = looking => never,
        }
    }
}
