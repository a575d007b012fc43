//! Where the cluster lies: in the data folder, or, where the server's account cannot go there, in a
//! folder that it can reach, with a pointer to it left in the data folder.

use std::{
    fmt::Write as _,
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use super::{EmbeddedError, account::Account};

/// For clusters and programs that cannot stay where the server's account has no access.
pub(super) const FALLBACK: &str = "/var/lib/mooring";

/// The folder of one cluster, its locks and its password.
#[derive(Clone, Debug)]
pub(super) struct Home {
    path: PathBuf,
    account: Account,
    pointer: Option<PathBuf>,
}

impl Home {
    /// The home of `data_dir`, made if there is none. Two processes that ask at once get the same.
    pub(super) fn of(data_dir: &Path) -> Result<Self, EmbeddedError> {
        fs::create_dir_all(data_dir).map_err(EmbeddedError::io("create", data_dir))?;
        let data_dir = fs::canonicalize(data_dir).map_err(EmbeddedError::io("find", data_dir))?;
        let inside = data_dir.join("postgres");
        let pointer = data_dir.join("postgres.home");

        if inside.is_dir() && !pointer.exists() {
            let account = Account::choose(&inside.join("cluster"))?;
            return Ok(Self { path: inside, account, pointer: None });
        }
        let account = Account::choose(&inside.join("cluster"))?;
        if !pointer.exists() && account.reaches(Path::new("true"), &data_dir) {
            make_folder(&inside, 0o711)?;
            return Ok(Self { path: inside, account, pointer: None });
        }
        let path = elsewhere(&data_dir, &pointer, &account)?;
        let account = Account::choose(&path.join("cluster"))?;
        Ok(Self { path, account, pointer: Some(pointer) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn account(&self) -> &Account {
        &self.account
    }

    /// PostgreSQL's own data folder.
    pub(super) fn cluster(&self) -> PathBuf {
        self.path.join("cluster")
    }

    /// The log that a failed start is explained by.
    pub(super) fn log(&self) -> PathBuf {
        self.cluster().join("start.log")
    }

    /// The major version that wrote the cluster, if there is one.
    pub(super) fn written_by(&self) -> Option<u32> {
        fs::read_to_string(self.cluster().join("PG_VERSION")).ok()?.trim().parse().ok()
    }

    /// Made once, readable by us alone.
    pub(super) fn password(&self) -> Result<String, EmbeddedError> {
        let path = self.path.join("password");
        match fs::read_to_string(&path) {
            Ok(password) => Ok(password),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let bytes: [u8; 24] = rand::random();
                let mut password = String::with_capacity(48);
                for byte in bytes {
                    let _ = write!(password, "{byte:02x}");
                }
                write_private(&path, &password)?;
                Ok(password)
            }
            Err(error) => Err(EmbeddedError::io("read", &path)(error)),
        }
    }

    pub(super) fn remove(&self) -> Result<(), EmbeddedError> {
        fs::remove_dir_all(&self.path).map_err(EmbeddedError::io("remove", &self.path))?;
        match &self.pointer {
            Some(pointer) => fs::remove_file(pointer).map_err(EmbeddedError::io("remove", pointer)),
            None => Ok(()),
        }
    }
}

/// The folder that the pointer names; without a pointer a fresh one. A fresh one each time, because
/// a data folder that was deleted and made again must not find its old data.
fn elsewhere(data_dir: &Path, pointer: &Path, account: &Account) -> Result<PathBuf, EmbeddedError> {
    if !pointer.exists() {
        let base = Path::new(FALLBACK);
        make_folder(base, 0o755)?;
        if !account.reaches(Path::new("true"), base) {
            let (account, data, fallback) = (account.name().to_owned(), data_dir.to_owned(), base.to_owned());
            return Err(EmbeddedError::OutOfReach { account, data, fallback });
        }
        let fresh = base.join(format!("{:016x}", rand::random::<u64>()));
        // A link to a complete file: of two processes one wins, and neither reads half a path.
        let draft = data_dir.join(format!("postgres.home.{}", std::process::id()));
        write_private(&draft, &format!("{}\n", fresh.display()))?;
        let linked = fs::hard_link(&draft, pointer);
        fs::remove_file(&draft).map_err(EmbeddedError::io("remove", &draft))?;
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(EmbeddedError::io("write", pointer)(error));
            }
            _ => {}
        }
    }
    let named = fs::read_to_string(pointer).map_err(EmbeddedError::io("read", pointer))?;
    let named = PathBuf::from(named.trim());
    make_folder(&named, 0o711)?;
    let note = named.join("data-folder");
    fs::write(&note, format!("{}\n", data_dir.display())).map_err(EmbeddedError::io("write", &note))?;
    Ok(named)
}

pub(super) fn make_folder(path: &Path, mode: u32) -> Result<(), EmbeddedError> {
    fs::DirBuilder::new().recursive(true).mode(mode).create(path).map_err(EmbeddedError::io("create", path))
}

pub(super) fn write_private(path: &Path, text: &str) -> Result<(), EmbeddedError> {
    OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .map_err(EmbeddedError::io("write", path))
}
