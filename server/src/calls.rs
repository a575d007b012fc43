//! The other side's own count, for the lab: every call to a source or a model is one line in a file, written
//! before the call is answered.
//!
//! Invariant: a line is written in one piece at the end of the file, so that any number of processes may share
//! it. Records are named and prompts are hashes: no text of a learner is in it.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::Path,
    sync::Arc,
};

use serde::{Deserialize, Serialize};

/// The file, open for adding to it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct CallLog(Arc<File>);

/// One call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "snake_case")]
pub enum Call {
    /// The source was asked for a record; for its list where none is named.
    Source { record: Option<String>, process: u32 },
    /// The model was asked for a draft; `prompt` is the hash of all that it was given.
    Model { prompt: String, process: u32 },
}

impl CallLog {
    /// Opens the file, new or as others left it.
    pub fn open(path: &Path) -> io::Result<Self> {
        OpenOptions::new().create(true).append(true).open(path).map(|file| Self(Arc::new(file)))
    }

    /// Writes one call down. A few bytes to a local file: not worth a thread of its own.
    pub fn write(&self, call: &Call) -> io::Result<()> {
        let mut line = serde_json::to_vec(call)?;
        line.push(b'\n');
        (&*self.0).write_all(&line)
    }
}

/// The calls in a file, oldest first; none where nothing was ever called.
pub fn read(path: &Path) -> io::Result<Vec<Call>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_processes_write_is_read_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.jsonl");
        assert_eq!(read(&path).unwrap(), []);
        let (one, other) = (CallLog::open(&path).unwrap(), CallLog::open(&path).unwrap());
        let look = Call::Source { record: Some("sourdough".to_owned()), process: 1 };
        let draft = Call::Model { prompt: "a hash".to_owned(), process: 2 };
        one.write(&look).unwrap();
        other.write(&draft).unwrap();
        assert_eq!(read(&path).unwrap(), [look, draft]);
    }
}
