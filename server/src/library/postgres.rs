//! The library in a schema of its own, in this database or another.

use async_trait::async_trait;
use domain::{
    id::{EntryId, OpId, TaskId, UserId},
    snapshot::LibraryEntry,
    text::Hash,
    time::Timestamp,
};
use sqlx::FromRow;
use uuid::Uuid;

use super::{Found, Library, LibraryError, Save, Saved};
use crate::database::Database;

/// The library, behind its own pool.
#[derive(Clone, Debug)]
pub struct PostgresLibrary {
    db: Database,
}

impl PostgresLibrary {
    pub fn new(db: Database) -> Self {
        Self { db }
    }

    async fn save_once(&self, save: &Save) -> Result<Saved, LibraryError> {
        // The decision row is the race: whoever inserts it first has decided. The entry follows in
        // the same statement, so that there is never one without the other.
        let written: Result<Option<Row>, sqlx::Error> = sqlx::query_as(&format!(
            "with won as (
                insert into library.decision (task_id, op_id, outcome) values ($1, $2, 'saved')
                on conflict (task_id, op_id) do nothing
                returning task_id, op_id
             )
             insert into library.entry (task_id, op_id, owner, draft_version, hash, title, text)
             select task_id, op_id, $3, $4, $5, $6, $7 from won
             returning {COLUMNS}, text"
        ))
        .bind(save.task_id.0)
        .bind(save.op_id.0)
        .bind(save.owner.0)
        .bind(i32::try_from(save.draft_version).unwrap_or(i32::MAX))
        .bind(save.hash.as_str())
        .bind(&save.title)
        .bind(&save.text)
        .fetch_optional(&self.db)
        .await;
        match written {
            Ok(Some(row)) => return Ok(Saved::Entry(row.into_entry())),
            Ok(None) => {}
            // Another operation has saved for this task: say so rather than fail for ever.
            Err(error) if error.as_database_error().and_then(|e| e.constraint()) == Some("entry_pk") => {}
            Err(error) => return Err(error.into()),
        }
        let entry = self.entry_of(save.task_id).await?;
        Ok(match entry {
            Some(entry) if entry.op_id == save.op_id => Saved::Entry(entry),
            Some(entry) => Saved::OtherEntry(entry),
            None => Saved::Withdrawn,
        })
    }

    async fn find_once(&self, task: TaskId, op: OpId) -> Result<Found, LibraryError> {
        match self.entry_of(task).await? {
            Some(entry) if entry.op_id == op => Ok(Found::Entry(entry)),
            _ => Ok(match self.decision(task, op).await?.as_deref() {
                Some("withdrawn") => Found::Withdrawn,
                _ => Found::Nothing,
            }),
        }
    }

    async fn withdraw_once(&self, task: TaskId, op: OpId) -> Result<Found, LibraryError> {
        sqlx::query(
            "insert into library.decision (task_id, op_id, outcome) values ($1, $2, 'withdrawn')
             on conflict (task_id, op_id) do nothing",
        )
        .bind(task.0)
        .bind(op.0)
        .execute(&self.db)
        .await?;
        self.find_once(task, op).await
    }

    /// Asks, and again where the connection had died while it lay in the pool: that says nothing of the
    /// library, and each question names its operation. All of the pool may be dead.
    async fn on_a_living_one<T, F>(&self, ask: impl Fn() -> F + Sync) -> Result<T, LibraryError>
    where
        F: Future<Output = Result<T, LibraryError>> + Send,
    {
        for _ in 0..self.db.pool().options().get_max_connections() {
            match ask().await {
                Err(error) if is_lost(&error.0) => {}
                other => return other,
            }
        }
        ask().await
    }

    async fn entry_of(&self, task: TaskId) -> Result<Option<LibraryEntry>, sqlx::Error> {
        let row: Option<Row> = sqlx::query_as(&format!("select {COLUMNS}, text from library.entry where task_id = $1"))
            .bind(task.0)
            .fetch_optional(&self.db)
            .await?;
        Ok(row.map(Row::into_entry))
    }

    async fn decision(&self, task: TaskId, op: OpId) -> Result<Option<String>, sqlx::Error> {
        sqlx::query_scalar("select outcome from library.decision where task_id = $1 and op_id = $2")
            .bind(task.0)
            .bind(op.0)
            .fetch_optional(&self.db)
            .await
    }
}

/// The connection is gone: broken off, or ended by a server that stops.
fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        sqlx::Error::Database(said) => matches!(said.code().as_deref(), Some("57P01" | "57P02")),
        _ => false,
    }
}

const COLUMNS: &str = "entry_id, task_id, op_id, draft_version, hash, title, saved_at";

#[derive(FromRow)]
struct Row {
    entry_id: Uuid,
    task_id: Uuid,
    op_id: Uuid,
    draft_version: i32,
    hash: String,
    title: String,
    text: String,
    saved_at: time::OffsetDateTime,
}

impl Row {
    fn into_entry(self) -> LibraryEntry {
        LibraryEntry {
            entry_id: EntryId(self.entry_id),
            task_id: TaskId(self.task_id),
            op_id: OpId(self.op_id),
            draft_version: u32::try_from(self.draft_version).unwrap_or_default(),
            hash: Hash::claimed(self.hash),
            title: self.title,
            question: None,
            text: self.text,
            saved_at: Timestamp::new(self.saved_at),
        }
    }
}

#[async_trait]
impl Library for PostgresLibrary {
    async fn save(&self, save: &Save) -> Result<Saved, LibraryError> {
        self.on_a_living_one(|| self.save_once(save)).await
    }

    async fn find(&self, task: TaskId, op: OpId) -> Result<Found, LibraryError> {
        self.on_a_living_one(|| self.find_once(task, op)).await
    }

    async fn withdraw(&self, task: TaskId, op: OpId) -> Result<Found, LibraryError> {
        self.on_a_living_one(|| self.withdraw_once(task, op)).await
    }

    async fn list(&self, owner: UserId) -> Result<Vec<LibraryEntry>, LibraryError> {
        let rows: Vec<Row> = sqlx::query_as(&format!(
            "select {COLUMNS}, text from library.entry where owner = $1 order by saved_at desc limit 1000"
        ))
        .bind(owner.0)
        .fetch_all(&self.db)
        .await?;
        Ok(rows.into_iter().map(Row::into_entry).collect())
    }

    async fn read(&self, owner: UserId, entry: EntryId) -> Result<Option<LibraryEntry>, LibraryError> {
        let row: Option<Row> =
            sqlx::query_as(&format!("select {COLUMNS}, text from library.entry where owner = $1 and entry_id = $2"))
                .bind(owner.0)
                .bind(entry.0)
                .fetch_optional(&self.db)
                .await?;
        Ok(row.map(Row::into_entry))
    }
}
