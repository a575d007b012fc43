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

/// The look before anybody is served.
pub(super) async fn keep_first(store: &Store, source: &dyn Source) -> bool {
    let look = tokio::time::timeout(PATIENCE, keep_once(store, source)).await;
    look.unwrap_or_else(|_| {
        tracing::warn!("the source did not list its records at once; they are asked for again");
        false
    })
}

/// Looks until told to stop. How long a look may take is the source's own affair.
pub(super) async fn keep(store: Store, source: Arc<dyn Source>, first: bool, stop: CancellationToken) {
    let mut kept = first;
    let looking = async {
        loop {
            tokio::time::sleep(if kept { EVERY } else { SOON }).await;
            kept = keep_once(&store, &*source).await;
        }
    };
    tokio::select! {
        () = stop.cancelled() => {}
        () = looking => {}
    }
}

/// Looks once. The list as it was last seen stays when the source does not answer.
async fn keep_once(store: &Store, source: &dyn Source) -> bool {
    let mut list = match source.list().await {
        Ok(list) => list,
        Err(error) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "the source did not list its records");
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
