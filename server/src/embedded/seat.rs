//! Who uses the server of a data folder: kernel locks on two files, so that a process that was
//! killed has left as surely as one that said goodbye.
//!
//! Invariant: seats are taken and left behind the closed gate only; so whoever finds their seat to
//! be the last may stop the server, and nobody sits down meanwhile.

use std::{
    fs::{File, OpenOptions},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use rustix::fs::{FlockOperation, flock};

use super::EmbeddedError;

/// Longer than an initdb and a recovery take together.
const PATIENCE: Duration = Duration::from_mins(2);

/// Held while the server is started or stopped.
pub(super) struct Gate(#[expect(dead_code, reason = "the lock lives as long as the file is open")] File);

impl Gate {
    pub(super) fn close(home: &Path) -> Result<Self, EmbeddedError> {
        let path = home.join("gate.lock");
        let file = open(&path)?;
        let deadline = Instant::now() + PATIENCE;
        while !locked(&file, FlockOperation::NonBlockingLockExclusive, &path)? {
            if deadline <= Instant::now() {
                return Err(EmbeddedError::Busy(home.to_owned()));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(Self(file))
    }
}

/// One user of the server.
pub(super) struct Seat {
    file: File,
    path: std::path::PathBuf,
}

impl Seat {
    pub(super) fn take(home: &Path) -> Result<Self, EmbeddedError> {
        let path = home.join("users.lock");
        let file = open(&path)?;
        // Behind the gate nobody holds it exclusively for longer than the question in `is_last`.
        if locked(&file, FlockOperation::NonBlockingLockShared, &path)? {
            Ok(Self { file, path })
        } else {
            Err(EmbeddedError::Busy(home.to_owned()))
        }
    }

    /// Only the last user can have the lock alone.
    pub(super) fn is_last(&self) -> Result<bool, EmbeddedError> {
        locked(&self.file, FlockOperation::NonBlockingLockExclusive, &self.path)
    }
}

fn open(path: &Path) -> Result<File, EmbeddedError> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(EmbeddedError::io("open the lock file", path))
}

fn locked(file: &File, how: FlockOperation, path: &Path) -> Result<bool, EmbeddedError> {
    match flock(file, how) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(EmbeddedError::io("lock", path)(error.into())),
    }
}
