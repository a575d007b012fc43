//! Whose Postgres, and bringing it up to date.

use super::StartError;
use crate::{
    config::{database::DatabaseArgs, values::Secret},
    database::{Database, Way, migrate, open},
    embedded::{self, Embedded},
};

/// Open databases; closing them stops the embedded Postgres if nobody else uses it.
pub(super) struct Opened {
    pub main: Database,
    pub library: Database,
    /// Where to listen and to hold a session lock; none where only a pooler leads there.
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
        let way = if args.is_pooled() { Way::Pooled } else { Way::Direct };
        let direct_url = match (args.direct_url(), way) {
            (Some(direct), _) => Some(direct.reveal()),
            (None, Way::Direct) => Some(url),
            (None, Way::Pooled) => None,
        };
        let main = open(url, way, args.pool).await?;
        let library = match args.library_url() {
            Some(own) => open(own.reveal(), way, args.pool).await?,
            None => main.clone(),
        };
        match direct_url.filter(|_| way == Way::Pooled) {
            Some(direct) => {
                let round = open(direct, Way::Direct, 2).await?;
                migrate(&round, if args.library_url().is_some() { &library } else { &round }).await?;
                round.close().await;
            }
            None => migrate(&main, &library).await?,
        }
        Ok(Self { main, library, direct_url: direct_url.map(str::to_owned), embedded: None })
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
