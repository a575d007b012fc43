//! What the rows of one database say: the library's entries and decisions, the ledger, the log, and the counts
//! of boundaries.

use std::str::FromStr as _;

use sqlx::{ConnectOptions as _, Connection as _, PgConnection, postgres::PgConnectOptions};
use uuid::Uuid;

use crate::{
    database::{Database, Way, open},
    drill::DrillError,
    faults::Boundary,
};

/// A witness, by connections that no server knows of.
#[derive(Clone)]
pub struct Rows {
    main: Database,
    /// Everybody is put out of the library now and then, so it is entered anew each time.
    library: PgConnectOptions,
}

/// An entry of the library, as it lies there.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Entry {
    pub text: String,
    pub hash: String,
    pub outcome: String,
    /// Saved under the one save operation that the ledger knows.
    pub op_id: Uuid,
}

/// One operation of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Operation {
    pub kind: String,
    pub op_id: Uuid,
    pub state: String,
}

impl Rows {
    pub(super) async fn open(main: &str, library: &str) -> Result<Self, DrillError> {
        let main = open(main, Way::Direct, 2).await.map_err(DrillError::Migrate)?;
        Ok(Self { main, library: PgConnectOptions::from_str(library)?.disable_statement_logging() })
    }

    /// Every entry of the library, of whichever task: there is one task that may have one.
    pub async fn entries(&self) -> Result<Vec<Entry>, DrillError> {
        let mut library = PgConnection::connect_with(&self.library).await?;
        Ok(sqlx::query_as(
            "select e.text, e.hash, d.outcome, e.op_id
               from library.entry e join library.decision d on d.task_id = e.task_id and d.op_id = e.op_id",
        )
        .fetch_all(&mut library)
        .await?)
    }

    /// The library's decisions on a task.
    pub async fn decisions(&self, task: Uuid) -> Result<i64, DrillError> {
        let mut library = PgConnection::connect_with(&self.library).await?;
        Ok(sqlx::query_scalar("select count(*) from library.decision where task_id = $1")
            .bind(task)
            .fetch_one(&mut library)
            .await?)
    }

    /// The task's state, as its row has it.
    pub async fn state(&self, task: Uuid) -> Result<String, DrillError> {
        let state = sqlx::query_scalar("select state from task where task_id = $1").bind(task);
        Ok(state.fetch_optional(&self.main).await?.unwrap_or_else(|| "not there".to_owned()))
    }

    /// The ledger of a task, in the order in which things were intended.
    pub async fn operations(&self, task: Uuid) -> Result<Vec<Operation>, DrillError> {
        Ok(sqlx::query_as("select kind, op_id, state from operation where task_id = $1 order by intended_at, kind")
            .bind(task)
            .fetch_all(&self.main)
            .await?)
    }

    /// How many events of each kind the log of a task has.
    pub async fn events(&self, task: Uuid) -> Result<Vec<(String, i64)>, DrillError> {
        Ok(sqlx::query_as("select kind, count(*) from task_event where task_id = $1 group by kind order by min(seq)")
            .bind(task)
            .fetch_all(&self.main)
            .await?)
    }

    /// How often a boundary was reached, over all processes and restarts.
    pub async fn reached(&self, boundary: Boundary) -> Result<u64, DrillError> {
        let reached: Option<i64> = sqlx::query_scalar("select reached from fault_count where boundary = $1")
            .bind(boundary.as_str())
            .fetch_optional(&self.main)
            .await?;
        Ok(reached.and_then(|n| u64::try_from(n).ok()).unwrap_or_default())
    }

    /// Asks nothing: how long that takes says how busy machine and database are.
    pub async fn ping(&self) -> Result<(), DrillError> {
        sqlx::query("select 1").execute(&self.main).await?;
        Ok(())
    }

    /// Sets the count, so that a boundary is reached for the `nth` time when it is passed next.
    pub async fn arm(&self, boundary: Boundary, nth: u64) -> Result<(), DrillError> {
        sqlx::query(
            "insert into fault_count (boundary, reached) values ($1, $2)
             on conflict (boundary) do update set reached = excluded.reached",
        )
        .bind(boundary.as_str())
        .bind(i64::try_from(nth).unwrap_or(i64::MAX) - 1)
        .execute(&self.main)
        .await?;
        Ok(())
    }

    pub async fn close(self) {
        self.main.close().await;
    }
}
