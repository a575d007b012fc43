//! `mooring`: the one program. Each subcommand is a process of its own.

use std::process::ExitCode;

use server::{
    config::{Cli, Command},
    process, telemetry,
};

#[tokio::main]
async fn main() -> ExitCode {
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    let started = match telemetry::log(cli.log.as_deref(), cli.log_format) {
        Ok(()) => match cli.command {
            Command::Serve(args) => process::run_serve(*args).await,
            Command::Work(args) => process::run_work(*args).await,
            Command::Migrate(args) => process::run_migrate(args).await,
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
