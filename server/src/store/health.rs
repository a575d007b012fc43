//! How the work stands, in numbers for an operator.

use std::time::Duration;

use sqlx::FromRow;

use super::{Store, StoreError};

/// What is due, what nobody holds, and what waits for a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vitals {
    /// How long the oldest task has been due without anybody holding it; zero if none is.
    pub oldest_due: Duration,
    /// Tasks that somebody took and whose lease has run out.
    pub without_live_lease: u64,
    pub needs_checking: u64,
}

// A held task is due at the end of its lease, so what is overdue is held by nobody, and every lease
// that has run out is among it. The clock is read once: a value that may change could not be
// looked up in an index.
const VITALS: &str = "
with clock_now as materialized (select mooring_now() as at)
select coalesce(extract(epoch from greatest(
           (select at from clock_now) - (select due_at from task where due_at is not null order by due_at limit 1),
           interval '0')), 0)::float8 as oldest_due_s,
       (select count(*) from task
         where due_at <= (select at from clock_now) and lease_until < (select at from clock_now)) as without_live_lease,
       (select count(*) from task where state = 'needs_checking') as needs_checking";

#[derive(FromRow)]
struct Row {
    oldest_due_s: f64,
    without_live_lease: i64,
    needs_checking: i64,
}

impl Store {
    /// One read, whose cost does not grow with the tasks that have ended.
    pub async fn vitals(&self) -> Result<Vitals, StoreError> {
        let row: Row = sqlx::query_as(VITALS).fetch_one(self.db()).await?;
        Ok(Vitals {
            oldest_due: Duration::try_from_secs_f64(row.oldest_due_s).unwrap_or_default(),
            without_live_lease: row.without_live_lease.unsigned_abs(),
            needs_checking: row.needs_checking.unsigned_abs(),
        })
    }
}
