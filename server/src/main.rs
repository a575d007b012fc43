//! `mooring`: the one program. Each subcommand is a process of its own.

use std::{error::Error, process::ExitCode};

use server::{
    config::{Cli, Command},
    drill, outgoing, process, telemetry,
};

#[tokio::main]
async fn main() -> ExitCode {
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    outgoing::provider();
    let started: Result<(), Box<dyn Error>> = match telemetry::log(cli.log.as_deref(), cli.log_format) {
        Ok(()) => match cli.command {
            Command::Serve(args) => process::run_serve(*args).await.map_err(Into::into),
            Command::Work(args) => process::run_work(*args).await.map_err(Into::into),
            Command::Migrate(args) => process::run_migrate(args).await.map_err(Into::into),
            Command::Records(args) => process::run_records(args).await.map_err(Into::into),
            Command::Drill(args) => drill::run(*args).await.map_err(Into::into),
        },
        Err(error) => Err(error.into()),
    };
    match started {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("mooring: {sentence}");
            ExitCode::FAILURE
        }
    }
}
