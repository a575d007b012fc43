//! The cluster that a drill runs on: its own, or one where it may create databases. Each row gets a database of
//! its own, copied from one that was migrated once, so that counts belong to one row.

use std::{path::Path, str::FromStr as _, time::Duration};

use sqlx::{ConnectOptions as _, Connection as _, PgConnection, postgres::PgConnectOptions};

use super::rows::Rows;
use crate::{
    database::{Way, migrate, open},
    drill::DrillError,
    embedded::{self, Embedded},
};

/// A cluster, and this drill's template on it.
pub struct Cluster {
    url: String,
    /// Part of the names of all its databases: several drills may share a cluster.
    run: String,
    embedded: Option<Embedded>,
}

/// One row's databases: for the tasks, and for the library where it is apart.
#[derive(Clone, Debug)]
pub struct Databases {
    pub main: String,
    pub library: Option<String>,
}

impl Cluster {
    /// Opens the cluster behind `url`, or one in the data folder, and migrates the template.
    pub async fn open(url: Option<&str>, data_dir: &Path, run: String) -> Result<Self, DrillError> {
        let embedded = match url {
            Some(_) => None,
            None => Some(embedded::start(data_dir).await?),
        };
        let url = url.or(embedded.as_ref().map(Embedded::url)).unwrap_or_default().to_owned();
        let cluster = Self { url, run, embedded };
        let template = cluster.template();
        cluster.run(&format!("create database {template}")).await?;
        let url = with_database(&cluster.url, &template);
        let opened = open(&url, Way::Direct, 2).await.map_err(DrillError::Migrate)?;
        migrate(&opened, &opened).await.map_err(DrillError::Migrate)?;
        opened.close().await;
        Ok(cluster)
    }

    /// Databases for a row.
    pub async fn make(&self, row: &str, library_apart: bool) -> Result<Databases, DrillError> {
        let databases = Databases {
            main: format!("{}_{row}", self.run),
            library: library_apart.then(|| format!("{}_{row}_library", self.run)),
        };
        for name in [Some(&databases.main), databases.library.as_ref()].into_iter().flatten() {
            self.run(&format!("create database {name} template {}", self.template())).await?;
        }
        Ok(databases)
    }

    /// The address that a server is given. It holds the password: never log it.
    pub fn url_of(&self, database: &str) -> String {
        with_database(&self.url, database)
    }

    /// The witness in a row's databases.
    pub async fn rows(&self, databases: &Databases) -> Result<Rows, DrillError> {
        let main = self.url_of(&databases.main);
        Rows::open(&main, &databases.library.as_ref().map_or_else(|| main.clone(), |name| self.url_of(name))).await
    }

    /// Makes a database unreachable: nobody may come in, and those inside are put out.
    pub async fn take_away(&self, database: &str) -> Result<(), DrillError> {
        self.run(&format!(
            "alter database {database} allow_connections false;
             select pg_terminate_backend(pid) from pg_stat_activity where datname = '{database}'"
        ))
        .await
    }

    pub async fn bring_back(&self, database: &str) -> Result<(), DrillError> {
        self.run(&format!("alter database {database} allow_connections true")).await
    }

    /// Drops a row's databases, whoever is still in them.
    pub async fn remove(&self, databases: &Databases) -> Result<(), DrillError> {
        for name in [Some(&databases.main), databases.library.as_ref()].into_iter().flatten() {
            self.run(&format!("drop database if exists {name} with (force)")).await?;
        }
        Ok(())
    }

    /// Drops all that this drill has made, and stops the cluster if it is its own.
    pub async fn close(self) -> Result<(), DrillError> {
        let mut connection = self.connect().await?;
        let mine: Vec<String> =
            sqlx::query_scalar("select datname::text from pg_database where starts_with(datname, $1)")
                .bind(&self.run)
                .fetch_all(&mut connection)
                .await?;
        for name in mine {
            sqlx::raw_sql(&format!("drop database if exists {name} with (force)")).execute(&mut connection).await?;
        }
        connection.close().await?;
        match self.embedded {
            Some(embedded) => Ok(embedded.release().await?),
            None => Ok(()),
        }
    }

    /// The day by the cluster's clock, and its version.
    pub async fn day_and_version(&self) -> Result<(String, String), DrillError> {
        let mut connection = self.connect().await?;
        let sql =
            "select to_char(now() at time zone 'UTC', 'YYYY-MM-DD HH24:MI \"UTC\"'), current_setting('server_version')";
        let both = sqlx::query_as(sql).fetch_one(&mut connection).await?;
        connection.close().await?;
        Ok(both)
    }

    fn template(&self) -> String {
        format!("{}_template", self.run)
    }

    /// A connection for each use: they are few, and one that broke is not met again.
    async fn connect(&self) -> Result<PgConnection, DrillError> {
        let options =
            PgConnectOptions::from_str(&self.url)?.application_name("mooring drill").disable_statement_logging();
        let patience = tokio::time::timeout(Duration::from_secs(10), PgConnection::connect_with(&options));
        patience.await.map_err(|_| DrillError::NoAnswer)?.map_err(DrillError::Connect)
    }

    async fn run(&self, sql: &str) -> Result<(), DrillError> {
        let mut connection = self.connect().await?;
        sqlx::raw_sql(sql).execute(&mut connection).await?;
        connection.close().await?;
        Ok(())
    }
}

/// The same address with another database; what follows a `?` stays.
fn with_database(url: &str, database: &str) -> String {
    let (address, options) = url.split_once('?').map_or((url, String::new()), |(a, o)| (a, format!("?{o}")));
    let start = address.find("://").map_or(0, |at| at + 3);
    let end = address[start..].find('/').map_or(address.len(), |at| start + at);
    format!("{}/{database}{options}", &address[..end])
}

#[test]
fn an_address_is_given_another_database() {
    assert_eq!(with_database("postgres://a:b@h:1/x", "y"), "postgres://a:b@h:1/y");
    assert_eq!(with_database("postgres://h", "y"), "postgres://h/y");
    assert_eq!(with_database("postgres://h/x?sslmode=disable", "y"), "postgres://h/y?sslmode=disable");
}
