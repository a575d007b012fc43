//! Hashing with argon2id: dear on purpose, so only a few at once and never on the async threads.

use std::{sync::Arc, time::Duration};

use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

use super::name::Passphrase;

/// Each hash takes 19 MiB and a core for some tens of milliseconds.
const AT_ONCE: usize = 2;
/// Whoever waits longer than this is better told so.
const PATIENCE: Duration = Duration::from_secs(10);

/// Too many are being hashed; nothing was decided.
#[derive(Debug, thiserror::Error)]
#[error("too many passphrases are waiting to be hashed")]
pub struct Busy;

/// The one place where passphrases are hashed and compared.
pub struct Passphrases {
    seats: Arc<Semaphore>,
    nobodys: Arc<str>,
}

impl Passphrases {
    pub fn new() -> Self {
        Self { seats: Arc::new(Semaphore::new(AT_ONCE)), nobodys: password_auth::generate_hash("nobody's").into() }
    }

    /// A new hash, with a salt of its own.
    pub async fn hash(&self, passphrase: Passphrase) -> Result<String, Busy> {
        self.seated(move || password_auth::generate_hash(passphrase.as_bytes())).await
    }

    /// Whether the passphrase is the one behind the hash. Without a hash (no such name) the same
    /// work is done on nobody's, so that the time tells nothing.
    pub async fn is(&self, passphrase: Passphrase, hash: Option<String>) -> Result<bool, Busy> {
        let nobodys = Arc::clone(&self.nobodys);
        self.seated(move || {
            let against = hash.as_deref().unwrap_or(&nobodys);
            password_auth::verify_password(passphrase.as_bytes(), against).is_ok() && hash.is_some()
        })
        .await
    }

    async fn seated<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Busy> {
        let seat = timeout(PATIENCE, Arc::clone(&self.seats).acquire_owned()).await.map_err(|_| Busy)?;
        let seat = seat.map_err(|_| Busy)?;
        // The seat goes along: a caller who leaves must not make room while the core is still busy.
        spawn_blocking(move || {
            let done = work();
            drop(seat);
            done
        })
        .await
        .map_err(|_| Busy)
    }
}

impl Default for Passphrases {
    fn default() -> Self {
        Self::new()
    }
}
