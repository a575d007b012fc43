//! Pools, and bringing the schema up.

use std::{str::FromStr, time::Duration};

use sqlx::{
    ConnectOptions, PgPool,
    migrate::{MigrateError, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
};

static MIGRATIONS: Migrator = sqlx::migrate!("../migrations");
static LIBRARY_MIGRATIONS: Migrator = sqlx::migrate!("../migrations/library");

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the database does not answer: {0}")]
    Connect(#[from] sqlx::Error),
    #[error("the tables could not be brought up to date: {0}")]
    Migrate(#[from] MigrateError),
}

/// How to connect.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub connections: u32,
    /// Off behind a transaction pooler, where a statement may be prepared on one server
    /// connection and asked for on another.
    pub cache_statements: bool,
}

/// Opens a pool. Waiting for a connection is bounded, so that a busy database shows as
/// `unavailable` rather than as a request that hangs.
pub async fn pool(url: &str, options: Options) -> Result<PgPool, OpenError> {
    let mut connect = PgConnectOptions::from_str(url)?.application_name("mooring").disable_statement_logging();
    if options.cache_statements {
        // A row that another session has locked shows as `unavailable` too. A pooler would refuse
        // options that it does not know; there they are set on the server.
        connect = connect.options([("lock_timeout", "5s"), ("statement_timeout", "30s")]);
    } else {
        connect = connect.statement_cache_capacity(0);
    }
    PgPoolOptions::new()
        .max_connections(options.connections)
        .acquire_timeout(Duration::from_secs(5))
        .test_before_acquire(false)
        .connect_with(connect)
        .await
        .map_err(OpenError::from)
}

/// Runs what has not run yet; several processes at once are kept apart by an advisory lock, which
/// they wait for as long as it takes.
pub async fn migrate(main: &PgPool, library: &PgPool) -> Result<(), OpenError> {
    // The two sets may share a database, and a newer binary may have been here: what this one does
    // not know is not its business.
    for (migrations, pool) in [(&MIGRATIONS, main), (&LIBRARY_MIGRATIONS, library)] {
        let mut known = Migrator { migrations: migrations.migrations.clone(), ..Migrator::DEFAULT };
        known.set_ignore_missing(true);
        let mut connection = pool.acquire().await?;
        sqlx::raw_sql("set lock_timeout = 0; set statement_timeout = 0").execute(&mut *connection).await?;
        known.run(&mut *connection).await?;
        connection.close_on_drop();
    }
    Ok(())
}
