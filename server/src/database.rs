//! The way to the database: a pool, straight or through a transaction pooler.
//!
//! Behind a pooler each transaction may meet another server connection, so nothing may be prepared
//! in one and used in the next: every statement then travels in a transaction of its own.

mod open; // opening it, and bringing the schema up

use futures::{
    FutureExt as _, StreamExt as _, TryFutureExt as _, TryStreamExt as _, future::BoxFuture, stream, stream::BoxStream,
};
use sqlx::{
    Describe, Either, Error, Execute, Executor, PgConnection, PgPool, Postgres,
    error::BoxDynError,
    postgres::{PgArguments, PgQueryResult, PgRow, PgStatement, PgTypeInfo},
};

pub use open::{OpenError, Way, migrate, open};

/// A pool of connections. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Database {
    pool: PgPool,
    /// Connections lead through a transaction pooler.
    pooled: bool,
}

/// What a connection's own settings cannot say behind a pooler.
const BOUNDS: &str = "set local lock_timeout = '5s'; set local statement_timeout = '30s'";

impl Database {
    /// Straight to Postgres.
    pub fn direct(pool: PgPool) -> Self {
        Self { pool, pooled: false }
    }

    /// Through a transaction pooler.
    pub fn pooled(pool: PgPool) -> Self {
        Self { pool, pooled: true }
    }

    /// Whether a transaction pooler stands between.
    pub fn is_pooled(&self) -> bool {
        self.pooled
    }

    /// The connections themselves.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Waits until the connections are closed.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

impl<'c> Executor<'c> for &'c Database {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Result<Either<PgQueryResult, PgRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        if !self.pooled {
            return self.pool.fetch_many(query);
        }
        let found = in_transaction(self.pool.clone(), Owned::of(query));
        found.map_ok(|found| stream::iter(found).map(Ok)).try_flatten_stream().boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<PgRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        if !self.pooled {
            return self.pool.fetch_optional(query);
        }
        let found = in_transaction(self.pool.clone(), Owned::of(query));
        found.map_ok(|found| found.into_iter().find_map(Either::right)).boxed()
    }

    fn prepare_with<'e, 'q: 'e>(
        self,
        sql: &'q str,
        parameters: &'e [PgTypeInfo],
    ) -> BoxFuture<'e, Result<PgStatement<'q>, Error>>
    where
        'c: 'e,
    {
        self.pool.prepare_with(sql, parameters)
    }

    fn describe<'e, 'q: 'e>(self, sql: &'q str) -> BoxFuture<'e, Result<Describe<Postgres>, Error>>
    where
        'c: 'e,
    {
        self.pool.describe(sql)
    }
}

/// A query that outlives whoever asked.
struct Owned {
    sql: String,
    arguments: Result<Option<PgArguments>, BoxDynError>,
}

impl Owned {
    fn of<'q>(mut query: impl Execute<'q, Postgres>) -> Self {
        Self { sql: query.sql().to_owned(), arguments: query.take_arguments() }
    }
}

type Found = Vec<Either<PgQueryResult, PgRow>>;

fn in_transaction(pool: PgPool, query: Owned) -> BoxFuture<'static, Result<Found, Error>> {
    let run = async move {
        let mut transaction = pool.begin().await?;
        let connection: &mut PgConnection = &mut transaction;
        connection.execute(BOUNDS).await?;
        let arguments = query.arguments.map_err(Error::Encode)?.unwrap_or_default();
        // Not persistent: the statement gets no name, so that none is left behind on a shared connection.
        let unnamed = sqlx::query_with(&query.sql, arguments).persistent(false);
        let mut rows = connection.fetch_many(unnamed);
        let mut found = Found::new();
        while let Some(row) = rows.try_next().await? {
            found.push(row);
        }
        drop(rows);
        transaction.commit().await?;
        Ok(found)
    };
    run.boxed()
}
