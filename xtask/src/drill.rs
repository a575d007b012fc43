//! `cargo xtask drill`: build, then strike real servers at every boundary and ask the witnesses.

use std::{
    path::Path,
    process::{Command, ExitCode},
};

use anyhow::Result;

use crate::{build, place, process, tools};

pub fn drill(args: &[String]) -> Result<ExitCode> {
    let mooring = build::build()?;
    tools::postgres::ensure()?;
    let status = process::start(command(&mooring).args(args))?.wait()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// On a Postgres in `target`, unless a later `--data-dir` says otherwise.
pub fn command(mooring: &Path) -> Command {
    let mut command = Command::new(mooring);
    command.args(["drill", "--data-dir"]).arg(place::target().join("drill"));
    command
}
