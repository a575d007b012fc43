//! Records in files: the twelve that the binary carries, or those of a folder.
//!
//! A file `wheel-throwing.json` holds the record `wheel-throwing`. A folder is read anew at each
//! call, so that a class can change, withdraw or remove a record and watch what happens.

use std::{
    borrow::Cow,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

use async_trait::async_trait;
use domain::{
    id::RecordId,
    record::{Observation, RecordList},
};
use include_dir::{Dir, include_dir};
use tokio::{fs, io::AsyncReadExt};

use super::{Source, SourceError, record::Record};

static RECORDS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/records");

/// The fixture source.
#[derive(Clone, Debug)]
pub struct FixtureSource {
    shelf: Shelf,
}

#[derive(Clone, Debug)]
enum Shelf {
    Embedded,
    Folder(PathBuf),
}

impl FixtureSource {
    /// The records that the binary carries.
    pub fn embedded() -> Self {
        Self { shelf: Shelf::Embedded }
    }

    /// The `*.json` files of a folder.
    pub fn from_dir(folder: impl Into<PathBuf>) -> Self {
        Self { shelf: Shelf::Folder(folder.into()) }
    }

    /// A record with all its parts; an error if it was withdrawn.
    pub async fn record(&self, record: &RecordId) -> Result<Record, SourceError> {
        let record = self.shelf.read(record).await?;
        if record.withdrawn { Err(SourceError::Withdrawn) } else { Ok(record) }
    }
}

#[async_trait]
impl Source for FixtureSource {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("fixture")
    }

    fn adapter(&self) -> &'static str {
        "fixture"
    }

    /// Withdrawn records are listed too: whoever has one in mind may still ask for it and is told
    /// that it was withdrawn, which helps more than a name that has silently gone.
    async fn list(&self) -> Result<RecordList, SourceError> {
        let mut list = RecordList { records: Vec::new(), complete: true };
        for id in self.shelf.ids().await? {
            match self.shelf.read(&id).await {
                Ok(record) => list.records.push(record.summary()),
                // Removed since the folder was listed.
                Err(SourceError::Missing) => {}
                // One bad file must not hide the others. The list is then not complete, so that
                // the bad one can still be asked for, and the look-up says what is wrong with it.
                Err(error) => {
                    tracing::warn!(record.id = %id, %error, "a record is left out of the list");
                    list.complete = false;
                }
            }
        }
        list.records.sort_by(|a, b| a.title.cmp(&b.title));
        Ok(list)
    }

    async fn look_up(&self, record: &RecordId) -> Result<Observation, SourceError> {
        self.shelf.read(record).await?.observation()
    }
}

impl Shelf {
    async fn ids(&self) -> Result<Vec<RecordId>, SourceError> {
        match self {
            Self::Embedded => Ok(RECORDS.files().filter_map(|file| id_of(file.path())).collect()),
            Self::Folder(folder) => ids_in(folder).await.map_err(unreachable),
        }
    }

    async fn read(&self, id: &RecordId) -> Result<Record, SourceError> {
        let Some(name) = file_name(id) else { return Err(SourceError::Missing) };
        let raw = match self {
            Self::Embedded => RECORDS.get_file(name).ok_or(SourceError::Missing)?.contents().to_owned(),
            Self::Folder(folder) => read_in(folder, &name).await?,
        };
        let record = Record::parse(&raw)?;
        if record.record_id == *id {
            Ok(record)
        } else {
            Err(SourceError::Malformed(format!("the file of {id} holds {}", record.record_id)))
        }
    }
}

/// A record's file. IDs of other people's sources may hold `/` and `..`; here none does, and none
/// may lead out of the folder.
fn file_name(id: &RecordId) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    id.as_str().chars().all(plain).then(|| format!("{id}.json"))
}

fn id_of(path: &Path) -> Option<RecordId> {
    let stem = path.extension().filter(|e| *e == "json").and(path.file_stem())?;
    RecordId::parse(stem.to_str()?).ok()
}

async fn ids_in(folder: &Path) -> io::Result<Vec<RecordId>> {
    let mut entries = fs::read_dir(folder).await?;
    let mut ids = Vec::new();
    while let Some(entry) = entries.next_entry().await? {
        ids.extend(id_of(&entry.path()));
    }
    Ok(ids)
}

async fn read_in(folder: &Path, name: &str) -> Result<Vec<u8>, SourceError> {
    let file = match fs::File::open(folder.join(name)).await {
        Ok(file) => file,
        // A missing file is an answer only if the folder is there.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(fs::read_dir(folder).await.map_or_else(unreachable, |_| SourceError::Missing));
        }
        Err(error) => return Err(unreachable(error)),
    };
    // One byte more than is allowed is enough to know that it is too large.
    let mut raw = Vec::new();
    let bound = Observation::LIMIT as u64 + 1;
    file.take(bound).read_to_end(&mut raw).await.map_err(unreachable)?;
    Ok(raw)
}

#[expect(clippy::needless_pass_by_value, reason = "handed to map_err")]
fn unreachable(error: io::Error) -> SourceError {
    SourceError::Unreachable(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(raw: &str) -> RecordId {
        RecordId::parse(raw).unwrap()
    }

    async fn looked_up(source: &FixtureSource, record: &str) -> String {
        match source.look_up(&id(record)).await {
            Ok(seen) => format!("version {}", seen.source_version),
            Err(error) => error.problem().code,
        }
    }

    #[tokio::test]
    async fn the_binary_carries_twelve_records_and_one_of_them_is_withdrawn() {
        let source = FixtureSource::embedded();
        let list = source.list().await.unwrap();
        assert!(list.complete);
        assert_eq!(list.records.len(), 12);
        let mut withdrawn = Vec::new();
        for record in list.records {
            if source.look_up(&record.record_id).await.is_err() {
                withdrawn.push(record.record_id);
            }
        }
        assert_eq!(withdrawn, [id("glass-fusing")]);
    }

    #[tokio::test]
    async fn content_holds_what_is_said_to_people_and_nothing_for_machines() {
        let seen = FixtureSource::embedded().look_up(&id("wheel-throwing")).await.unwrap();
        let fields = domain::record::fields::Fields::read(&seen.content).unwrap();
        let names: Vec<_> = fields.iter().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(names[..3], ["when", "where", "teacher"]);
        assert!(names.iter().all(|name| !["record_id", "version", "title", "withdrawn"].contains(&name.as_str())));
    }

    #[tokio::test]
    async fn a_folder_is_read_anew_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let source = FixtureSource::from_dir(folder.path());
        let file = folder.path().join("a.json");
        assert_eq!(looked_up(&source, "a").await, "record_not_found");
        std::fs::write(&file, r#"{"record_id":"a","version":1,"title":"A"}"#).unwrap();
        assert_eq!(looked_up(&source, "a").await, "version 1");
        std::fs::write(&file, r#"{"record_id":"a","version":2,"title":"A"}"#).unwrap();
        assert_eq!(looked_up(&source, "a").await, "version 2");
        std::fs::write(&file, r#"{"record_id":"a","version":3,"title":"A","withdrawn":true}"#).unwrap();
        assert_eq!(looked_up(&source, "a").await, "record_withdrawn");
        std::fs::write(&file, r#"{"record_id":"b","version":3,"title":"A"}"#).unwrap();
        assert_eq!(looked_up(&source, "a").await, "reply_malformed");
        std::fs::write(&file, vec![b'x'; 5_000_000]).unwrap();
        assert_eq!(looked_up(&source, "a").await, "reply_too_large");
        std::fs::remove_file(&file).unwrap();
        assert_eq!(looked_up(&source, "a").await, "record_not_found");
        folder.close().unwrap();
        assert_eq!(looked_up(&source, "a").await, "source_unreachable");
        assert!(matches!(source.list().await, Err(SourceError::Unreachable(_))));
    }

    #[tokio::test]
    async fn a_bad_file_makes_the_list_incomplete_and_hides_no_other() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("good.json"), r#"{"record_id":"good","version":1,"title":"G"}"#).unwrap();
        std::fs::write(folder.path().join("bad.json"), "{").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "not a record").unwrap();
        let list = FixtureSource::from_dir(folder.path()).list().await.unwrap();
        assert!(!list.complete);
        assert_eq!(list.records.len(), 1);
    }

    #[tokio::test]
    async fn no_id_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secret.json"), r#"{"record_id":"s","version":1,"title":"S"}"#).unwrap();
        let inner = folder.path().join("records");
        std::fs::create_dir(&inner).unwrap();
        for source in [FixtureSource::from_dir(inner), FixtureSource::embedded()] {
            assert_eq!(looked_up(&source, "../secret").await, "record_not_found");
            assert_eq!(looked_up(&source, "..").await, "record_not_found");
            assert_eq!(looked_up(&source, "/etc/passwd").await, "record_not_found");
        }
    }
}
