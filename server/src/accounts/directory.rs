//! Where accounts are kept.

use async_trait::async_trait;
use domain::id::UserId;
use uuid::Uuid;

use super::name::Name;
use crate::database::Database;

/// The accounts there are.
#[async_trait]
pub trait Directory: Send + Sync + 'static {
    /// Adds an account; none if the name is taken.
    async fn add(&self, name: &Name, passphrase_hash: &str) -> Result<Option<UserId>, DirectoryError>;

    /// The account of that name, however its case is written.
    async fn find(&self, name: &Name) -> Result<Option<Account>, DirectoryError>;
}

/// What a sign-in needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub user_id: UserId,
    /// As its owner wrote it.
    pub name: String,
    pub passphrase_hash: String,
}

/// The directory could not be asked.
#[derive(Debug, thiserror::Error)]
#[error("the accounts cannot be read: {0}")]
pub struct DirectoryError(#[from] pub sqlx::Error);

/// Accounts in Postgres.
#[derive(Clone, Debug)]
pub struct PgDirectory {
    db: Database,
}

impl PgDirectory {
    pub fn new(db: Database) -> Self {
        Self { db }
    }
}

#[async_trait]
impl Directory for PgDirectory {
    async fn add(&self, name: &Name, passphrase_hash: &str) -> Result<Option<UserId>, DirectoryError> {
        // Two who want one name at the same instant: the constraint decides, not a look before.
        let added: Option<Uuid> = sqlx::query_scalar(
            "insert into account (name, name_key, passphrase_hash, created_at)
             values ($1, $2, $3, mooring_now())
             on conflict on constraint account_name_key_unique do nothing
             returning user_id",
        )
        .bind(name.as_str())
        .bind(name.key())
        .bind(passphrase_hash)
        .fetch_optional(&self.db)
        .await?;
        Ok(added.map(UserId))
    }

    async fn find(&self, name: &Name) -> Result<Option<Account>, DirectoryError> {
        let found: Option<(Uuid, String, String)> =
            sqlx::query_as("select user_id, name, passphrase_hash from account where name_key = $1")
                .bind(name.key())
                .fetch_optional(&self.db)
                .await?;
        Ok(found.map(|(id, name, passphrase_hash)| Account { user_id: UserId(id), name, passphrase_hash }))
    }
}
