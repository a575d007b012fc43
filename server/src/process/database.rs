//! Whose Postgres, and bringing it up to date.

use super::StartError;
use crate::{
    config::{database::DatabaseArgs, values::Secret},
    embedded::{self, Embedded},
    store::{Options, Pool, migrate, pool},
};

/// Open databases; closing them stops the embedded Postgres if nobody else uses it.
pub(super) struct Opened {
    pub main: Pool,
    pub library: Pool,
    /// Where to listen.
    pub direct_url: Option<String>,
    embedded: Option<Embedded>,
}

impl Opened {
    pub(super) async fn open(args: &DatabaseArgs) -> Result<Self, StartError> {
        let embedded = match args.url() {
            Some(_) => None,
            None => Some(embedded::start(&args.data_dir().ok_or(StartError::NoDataDir)?).await?),
        };
        let opened = Self::connect(args, embedded.as_ref()).await;
        match (opened, embedded) {
            (Ok(opened), embedded) => Ok(Self { embedded, ..opened }),
            (Err(error), None) => Err(error),
            (Err(error), Some(embedded)) => {
                if let Err(release) = embedded.release().await {
                    tracing::warn!(
                        error = &release as &dyn std::error::Error,
                        "the embedded PostgreSQL was left running"
                    );
                }
                Err(error)
            }
        }
    }

    async fn connect(args: &DatabaseArgs, embedded: Option<&Embedded>) -> Result<Self, StartError> {
        let url = embedded.map(Embedded::url).or(args.url().map(Secret::reveal)).unwrap_or_default();
        let direct = args.direct_url().map_or(url, |direct| direct.reveal());
        // A way round a pooler was given, so there is a pooler.
        let options = Options { connections: args.pool, cache_statements: args.direct_url().is_none() };
        let main = pool(url, options).await?;
        let library = match args.library_url() {
            Some(own) => pool(own.reveal(), Options { cache_statements: true, ..options }).await?,
            None => main.clone(),
        };
        if args.direct_url().is_some() {
            let round = pool(direct, Options { connections: 2, cache_statements: true }).await?;
            migrate(&round, if args.library_url().is_some() { &library } else { &round }).await?;
            round.close().await;
        } else {
            migrate(&main, &library).await?;
        }
        Ok(Self { main, library, direct_url: Some(direct.to_owned()), embedded: None })
    }

    pub(super) async fn close(self) {
        self.library.close().await;
        self.main.close().await;
        if let Some(embedded) = self.embedded
            && let Err(error) = embedded.release().await
        {
            tracing::warn!(error = &error as &dyn std::error::Error, "the embedded PostgreSQL was left running");
        }
    }
}
