//! Keeping the list of records: asked of the source now and then, offered by every process.

use std::{sync::Arc, time::Duration};

use tokio_util::sync::CancellationToken;

use crate::{
    sources::{Source, one_line},
    store::Store,
};

/// Between two looks at the list.
const EVERY: Duration = Duration::from_mins(1);
/// After a look that failed.
const SOON: Duration = Duration::from_secs(5);
/// A start does not wait longer than this for a source.
const PATIENCE: Duration = Duration::from_secs(5);

/// Looks until told to stop.
pub(super) async fn keep(store: Store, source: Arc<dyn Source>, stop: CancellationToken) {
    let mut wait = EVERY;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(wait) => {}
        }
        wait = if keep_once(&store, &*source).await { EVERY } else { SOON };
    }
}

/// Looks once. The list as it was last seen stays when the source does not answer.
pub(super) async fn keep_once(store: &Store, source: &dyn Source) -> bool {
    let mut list = match tokio::time::timeout(PATIENCE, source.list()).await {
        Ok(Ok(list)) => list,
        Ok(Err(error)) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "the source did not list its records");
            return false;
        }
        Err(_) => {
            tracing::warn!("the source did not list its records in time");
            return false;
        }
    };
    for line in &mut list.records {
        line.title = one_line(&line.title);
        line.version.0 = one_line(&line.version.0);
    }
    match store.keep_records(&list).await {
        Ok(()) => true,
        Err(error) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "the list of records was not kept");
            false
        }
    }
}
