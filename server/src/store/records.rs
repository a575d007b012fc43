//! The list of records, as a worker last saw it: processes without a worker offer it too.

use domain::record::RecordList;
use sqlx::types::Json;

use super::{Store, StoreError};

impl Store {
    /// Keeps the list. Writes only when it has changed.
    pub async fn keep_records(&self, list: &RecordList) -> Result<(), StoreError> {
        sqlx::query(
            "insert into record_list (records, complete, seen_at) values ($1, $2, mooring_now())
             on conflict (one_row) do update
                set records = excluded.records, complete = excluded.complete, seen_at = excluded.seen_at
              where record_list.records <> excluded.records or record_list.complete <> excluded.complete",
        )
        .bind(Json(&list.records))
        .bind(list.complete)
        .execute(self.db())
        .await?;
        Ok(())
    }

    /// The list, empty and not complete while none was seen.
    pub async fn records(&self) -> Result<RecordList, StoreError> {
        let row: Option<(Json<Vec<domain::record::RecordSummary>>, bool)> =
            sqlx::query_as("select records, complete from record_list").fetch_optional(self.db()).await?;
        Ok(row.map_or_else(RecordList::default, |(records, complete)| RecordList { records: records.0, complete }))
    }
}
