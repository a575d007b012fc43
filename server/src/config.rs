//! What Mooring is told at start: flags, and environment variables with the prefix `MOORING_`.
//!
//! Invariant: a bad value is refused here, with a sentence, before anything is started. A secret
//! never reaches a sentence, a help text or a log.

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind};

pub mod database; // which database, and where its data lies
pub mod drill; // which rows, how often, and where to report
pub mod lab; // failing on purpose
pub mod mcp; // how an MCP server is reached and asked
pub mod openai; // where an OpenAI-compatible model is
pub mod records; // the records, offered to MCP clients
pub mod terms; // how often, how long, how far apart
pub mod values; // how single values are read
pub mod web; // where to listen, and under which address learners come
pub mod work; // what the worker asks, and how much at once

use self::{
    database::DatabaseArgs, drill::DrillArgs, lab::LabArgs, records::RecordsArgs, terms::TermArgs, web::WebArgs,
    work::WorkArgs,
};

/// What is read elsewhere than from a flag.
const ELSEWHERE: &str = "MOORING_POSTGRES_BIN names the folder of the PostgreSQL server programs that an own Postgres \
                         runs on, where they are not found by themselves.";

/// Mooring: an assistant whose tasks survive.
#[derive(Debug, Parser)]
#[command(name = "mooring", version, about, after_help = ELSEWHERE)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// What to log: a level, or a filter such as `info,server=debug` (`RUST_LOG` counts too).
    #[arg(long, global = true, env = "MOORING_LOG", value_name = "FILTER")]
    pub log: Option<String>,

    /// How to write the log.
    #[arg(long, global = true, env = "MOORING_LOG_FORMAT", value_enum, default_value = "text")]
    pub log_format: LogFormat,
}

/// What to run.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the web server and a worker.
    Serve(Box<Serve>),
    /// Run a worker alone.
    Work(Box<Work>),
    /// Bring the database's tables up to date and stop.
    Migrate(Migrate),
    /// Offer the records to an MCP client: a read-only server over standard input and output, or over HTTP.
    Records(RecordsArgs),
    /// Kill real servers at every boundary, ask independent witnesses, and report expected and observed.
    Drill(Box<DrillArgs>),
}

/// The web server, and a worker beside it.
#[derive(Debug, clap::Args)]
pub struct Serve {
    /// Leave the work to other processes.
    #[arg(long, env = "MOORING_NO_WORKER", value_parser = values::switch, action = clap::ArgAction::Set,
          num_args = 0..=1, value_name = "1|0", default_value = "false", default_missing_value = "true", require_equals = true)]
    pub no_worker: bool,
    #[command(flatten)]
    pub web: WebArgs,
    #[command(flatten)]
    pub database: DatabaseArgs,
    #[command(flatten)]
    pub work: WorkArgs,
    #[command(flatten)]
    pub terms: TermArgs,
    #[command(flatten)]
    pub lab: LabArgs,
}

/// A worker alone.
#[derive(Debug, clap::Args)]
pub struct Work {
    #[command(flatten)]
    pub database: DatabaseArgs,
    #[command(flatten)]
    pub work: WorkArgs,
    #[command(flatten)]
    pub lab: LabArgs,
}

/// The tables alone.
#[derive(Debug, clap::Args)]
pub struct Migrate {
    #[command(flatten)]
    pub database: DatabaseArgs,
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

impl Cli {
    /// Reads flags and environment. The error prints itself, to the right stream, with its status
    /// (`clap::Error::exit`); help and version come as errors too.
    pub fn read<I, T>(args: I) -> Result<Self, clap::Error>
    where
        I: IntoIterator<Item = T>,
        T: Into<std::ffi::OsString> + Clone,
    {
        let mut command = Self::command();
        let matches = command.try_get_matches_from_mut(args)?;
        let cli = Self::from_arg_matches(&matches)?;
        match cli.check() {
            Ok(()) => Ok(cli),
            Err(sentence) => Err(command.error(ErrorKind::ValueValidation, sentence)),
        }
    }

    /// What no single value shows: whether they fit together.
    fn check(&self) -> Result<(), String> {
        match &self.command {
            Command::Serve(serve) => {
                serve.database.check()?;
                serve.work.check()?;
                serve.terms.check()?;
                serve.lab.check()
            }
            Command::Work(work) => {
                work.database.check()?;
                work.work.check()?;
                work.lab.check()
            }
            Command::Migrate(migrate) => migrate.database.check(),
            Command::Records(records) => records.check(),
            Command::Drill(drill) => drill.check(),
        }
    }
}

#[cfg(test)]
mod tests;
