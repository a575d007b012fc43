//! Failing on purpose, at named boundaries. Only in the lab; elsewhere a check of an empty list.
//!
//! A plan reads `boundary=action[@nth][,boundary=action…]`. How often a boundary was reached is
//! counted in the database, over all processes and restarts, so that a process that dies at the
//! first time lives at the second.

mod plan; // what was asked for

use std::{sync::Arc, time::Duration};

use crate::store::Store;

pub use plan::{Action, Boundary, Plan, PlanError};

/// The plan, and where its counts are kept.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    plan: Arc<Plan>,
    counts: Option<Store>,
}

/// What a boundary asks of the code that reached it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    On,
    /// Carry the step out twice.
    Repeat,
    /// Say nothing for two leases.
    Freeze,
}

/// A failure that was planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("planned failure at {}", .0.as_str())]
pub struct Injected(pub Boundary);

impl Faults {
    pub fn new(plan: Plan, counts: Store) -> Self {
        Self { plan: Arc::new(plan), counts: Some(counts) }
    }

    /// Passes a boundary, or does what the plan says. Does not return from `abort`.
    pub async fn at(&self, boundary: Boundary) -> Result<Pass, Injected> {
        if !self.plan.names(boundary) {
            return Ok(Pass::On);
        }
        let nth = self.count(boundary).await;
        let Some(action) = self.plan.action(boundary, nth) else {
            return Ok(Pass::On);
        };
        tracing::warn!(boundary = boundary.as_str(), nth, ?action, "a planned fault acts");
        match action {
            Action::Abort => std::process::abort(),
            Action::Error => Err(Injected(boundary)),
            Action::Delay(wait) => {
                tokio::time::sleep(wait).await;
                Ok(Pass::On)
            }
            Action::Repeat => Ok(Pass::Repeat),
            Action::Freeze => Ok(Pass::Freeze),
        }
    }

    async fn count(&self, boundary: Boundary) -> u64 {
        let Some(store) = &self.counts else { return 1 };
        store.count_boundary(boundary.as_str()).await.unwrap_or_else(|error| {
            tracing::warn!(error = &error as &dyn std::error::Error, "a boundary could not be counted");
            0
        })
    }
}

/// How long a frozen step says nothing.
pub fn freeze_for(lease: Duration) -> Duration {
    lease * 2
}
