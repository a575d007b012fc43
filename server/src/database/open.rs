//! Opening the way to a database, and bringing its schema up.

use std::{str::FromStr, time::Duration};

use sqlx::{
    ConnectOptions, Connection as _, Executor as _, PgConnection,
    migrate::{MigrateError, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
};

use super::Database;

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

/// Which way it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Straight to Postgres.
    Direct,
    /// Through a transaction pooler: each transaction may meet another server connection.
    Pooled,
}

/// Opens a pool. Waiting for a connection is bounded, so that a busy database shows as
/// `unavailable` rather than as a request that hangs.
pub async fn open(url: &str, way: Way, connections: u32) -> Result<Database, OpenError> {
    let mut connect = PgConnectOptions::from_str(url)?.application_name("mooring").disable_statement_logging();
    connect = match way {
        // A row that another session has locked shows as `unavailable` too. The statements are few and each
        // finds a task by a key: one plan does for all, and one that was made while the tables were still empty
        // must not read them whole, or gather what an index gives in order, for ever. Such a wish makes the plan of
        // the one table without a key to ask by look dear, which must not have it compiled each time.
        Way::Direct => connect.options([
            ("lock_timeout", "5s"),
            ("statement_timeout", "30s"),
            ("plan_cache_mode", "force_generic_plan"),
            ("enable_seqscan", "off"),
            ("enable_bitmapscan", "off"),
            ("jit", "off"),
        ]),
        // A pooler refuses options that it does not know: there they travel with each transaction.
        Way::Pooled => connect.statement_cache_capacity(0).extra_float_digits(None),
    };
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(5))
        .test_before_acquire(false)
        .connect_with(connect)
        .await?;
    Ok(match way {
        Way::Direct => Database::direct(pool),
        Way::Pooled => Database::pooled(pool),
    })
}

/// Runs what has not run yet. Several processes at once wait for each other, as long as it takes.
pub async fn migrate(main: &Database, library: &Database) -> Result<(), OpenError> {
    for (migrations, database) in [(&MIGRATIONS, main), (&LIBRARY_MIGRATIONS, library)] {
        // The two sets may share a database, and a newer binary may have been here: what this one does
        // not know is not its business. The lock is ours, since a session's would not hold behind a pooler.
        let mut known = Migrator { migrations: migrations.migrations.clone(), locking: false, ..Migrator::DEFAULT };
        known.set_ignore_missing(true);
        let mut connection = database.pool().acquire().await?;
        let done = in_one_transaction(&mut connection, &known, database.is_pooled()).await;
        connection.close_on_drop();
        done?;
    }
    Ok(())
}

async fn in_one_transaction(
    connection: &mut PgConnection,
    migrations: &Migrator,
    pooled: bool,
) -> Result<(), OpenError> {
    let mut transaction = connection.begin().await?;
    transaction.execute("set local lock_timeout = 0; set local statement_timeout = 0").await?;
    sqlx::raw_sql("select pg_advisory_xact_lock(1836019570)").execute(&mut *transaction).await?;
    // Migrations prepare statements by name, and a shared server connection may have kept another's.
    if pooled {
        transaction.execute("deallocate all").await?;
    }
    migrations.run(&mut *transaction).await?;
    if pooled {
        transaction.execute("deallocate all").await?;
    }
    transaction.commit().await?;
    Ok(())
}
