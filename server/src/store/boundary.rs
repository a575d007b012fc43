//! Lab only: how often a named boundary was reached, over all processes and restarts.

use super::{Store, StoreError};

impl Store {
    /// Counts one more, and gives the count.
    pub async fn count_boundary(&self, boundary: &str) -> Result<u64, StoreError> {
        let reached: i64 = sqlx::query_scalar(
            "insert into fault_count (boundary, reached) values ($1, 1)
             on conflict (boundary) do update set reached = fault_count.reached + 1
             returning reached",
        )
        .bind(boundary)
        .fetch_one(self.db())
        .await?;
        Ok(u64::try_from(reached).unwrap_or_default())
    }
}
