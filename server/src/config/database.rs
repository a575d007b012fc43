//! Which database, and where the data lies if there is none.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::values::{self, Secret, given};

/// Without `DATABASE_URL`, Mooring runs a Postgres of its own in the data folder.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Database")]
pub struct DatabaseArgs {
    /// The Postgres database to use. Without it, Mooring runs its own in the data folder.
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true, value_parser = values::secret)]
    database_url: Option<Secret>,

    /// The same database without a transaction pooler before it: for LISTEN, session locks and migrations.
    #[arg(long, env = "MOORING_DIRECT_URL", value_name = "URL", hide_env_values = true, value_parser = values::secret)]
    direct_url: Option<Secret>,

    /// `DATABASE_URL` leads through a transaction pooler. Without `MOORING_DIRECT_URL` there is then no LISTEN
    /// and no session lock: polling and leases do.
    #[arg(long, env = "MOORING_POOLED", value_parser = values::switch, action = clap::ArgAction::Set,
          num_args = 0..=1, value_name = "1|0", default_value = "false", default_missing_value = "true", require_equals = true)]
    pooled: bool,

    /// A database of its own for the learners' library. Without it, the library is in the same one.
    #[arg(long, env = "MOORING_LIBRARY_URL", value_name = "URL", hide_env_values = true, value_parser = values::secret)]
    library_url: Option<Secret>,

    /// Where the data of the own Postgres lies [default: mooring in the user's data folder].
    #[arg(long, env = "MOORING_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,

    /// Connections that this process may open to the database.
    #[arg(long, env = "MOORING_POOL", value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub pool: u32,
}

impl DatabaseArgs {
    /// The database, if one is given.
    pub fn url(&self) -> Option<&Secret> {
        given(self.database_url.as_ref())
    }

    /// The way round a pooler, if one is given.
    pub fn direct_url(&self) -> Option<&Secret> {
        given(self.direct_url.as_ref())
    }

    /// Whether a pooler stands before the database. Whoever gives a way round one says that there is one.
    pub fn is_pooled(&self) -> bool {
        self.pooled || self.direct_url().is_some()
    }

    /// The library's own database, if one is given.
    pub fn library_url(&self) -> Option<&Secret> {
        given(self.library_url.as_ref())
    }

    /// The data folder: as given, or `mooring` in the user's data folder, for root too.
    pub fn data_dir(&self) -> Option<PathBuf> {
        match &self.data_dir {
            Some(dir) if !dir.as_os_str().is_empty() => Some(dir.clone()),
            _ => default_data_dir(|name| std::env::var_os(name)),
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        for (name, url) in [
            ("DATABASE_URL", self.url()),
            ("MOORING_DIRECT_URL", self.direct_url()),
            ("MOORING_LIBRARY_URL", self.library_url()),
        ] {
            if url.is_some_and(|url| !is_postgres(url.reveal())) {
                return Err(format!(
                    "{name} is not the address of a Postgres database: write postgres://user:password@host/name"
                ));
            }
        }
        if self.url().is_none() && self.direct_url().is_some() {
            return Err("MOORING_DIRECT_URL goes round the pooler of DATABASE_URL: give both".to_owned());
        }
        if self.url().is_none() && self.pooled {
            return Err("--pooled says that DATABASE_URL leads through a pooler: give that address too".to_owned());
        }
        if self.url().is_none() && self.data_dir().is_none() {
            return Err("there is no user's data folder (neither XDG_DATA_HOME nor HOME is set): \
                        name one with --data-dir, or a database with DATABASE_URL"
                .to_owned());
        }
        if self.data_dir().is_some_and(|dir| dir.is_file()) {
            return Err("the data folder (--data-dir, MOORING_DATA_DIR) is a file: name a folder".to_owned());
        }
        Ok(())
    }
}

/// `$XDG_DATA_HOME/mooring`, or `~/.local/share/mooring`. A relative path would move with the
/// working folder, and the XDG rules say to ignore it.
pub fn default_data_dir(var: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name| var(name).map(PathBuf::from).filter(|dir| dir.is_absolute());
    absolute("XDG_DATA_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))
        .map(|base| base.join(Path::new("mooring")))
}

pub(super) fn is_postgres(url: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| url.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty()))
}
