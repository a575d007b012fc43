//! Which rows of a drill are played, how often, on which database, and where the report goes.

use std::{path::PathBuf, time::Duration};

use super::{
    database::{default_data_dir, is_postgres},
    values::{self, Secret},
};

/// A drill's choices. Its servers get theirs from the drill, not from here.
#[derive(Debug, clap::Args)]
pub struct DrillArgs {
    /// Only rows whose name contains this, such as `save.after_effect` or `freeze during`.
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,

    /// Every boundary once, with its most telling action.
    #[arg(long)]
    pub short: bool,

    /// Play everything this many times, each time in another order.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub repeat: u32,

    /// What order and pauses follow from [default: another one each time].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// How long silence keeps a task in the drill's servers: longer on a machine that is busy with other things.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = values::lease)]
    pub lease: Duration,

    /// Rows at once: they mostly wait for leases.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=6))]
    pub jobs: u32,

    /// Where drill-report.md and drill-report.json are written.
    #[arg(long, value_name = "DIR", default_value = ".", overrides_with = "out")]
    pub out: PathBuf,

    /// A cluster where databases may be made and dropped. Without it, the drill runs a Postgres of its own.
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true, value_parser = values::secret)]
    database_url: Option<Secret>,

    /// Where the own Postgres, and the logs of rows that differ, lie [default: mooring/drill in the user's data folder].
    #[arg(long, value_name = "DIR", overrides_with = "data_dir")]
    data_dir: Option<PathBuf>,
}

impl DrillArgs {
    /// The cluster, if one is given.
    pub fn url(&self) -> Option<&str> {
        self.database_url.as_ref().map(Secret::reveal).filter(|url| !url.is_empty())
    }

    /// The data folder: never that of real learners.
    pub fn data_dir(&self) -> Option<PathBuf> {
        self.data_dir.clone().or_else(|| default_data_dir(|name| std::env::var_os(name)).map(|dir| dir.join("drill")))
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if self.url().is_some_and(|url| !is_postgres(url)) {
            return Err("DATABASE_URL is not the address of a Postgres database: write \
                        postgres://user:password@host/name"
                .to_owned());
        }
        match self.data_dir() {
            Some(dir) if dir.is_file() => Err("the data folder (--data-dir) is a file: name a folder".to_owned()),
            Some(_) => Ok(()),
            None => {
                Err("there is no user's data folder (neither XDG_DATA_HOME nor HOME is set): name one with --data-dir"
                    .to_owned())
            }
        }
    }
}
