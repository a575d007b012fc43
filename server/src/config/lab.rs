//! Failing on purpose: only in the lab.

use std::path::{Path, PathBuf};

use super::values;
use crate::faults::Boundary;

/// The lab is where an instructor shows a class what happens when things break.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Lab")]
pub struct LabArgs {
    /// Lab mode: faults may be planned. Never for real learners.
    #[arg(long, env = "MOORING_LAB", value_parser = values::switch, action = clap::ArgAction::Set,
          num_args = 0..=1, value_name = "1|0", default_value = "false", default_missing_value = "true", require_equals = true)]
    pub lab: bool,

    /// What fails, and when: `boundary=action[@nth][,boundary=action…]`. Only with --lab.
    #[arg(long, env = "MOORING_FAULTS", value_name = "PLAN", long_help = plan_help())]
    faults: Option<String>,

    /// A file in which each call to the source and the model becomes a line, before it is answered. Only with --lab.
    #[arg(long, env = "MOORING_CALL_LOG", value_name = "FILE")]
    call_log: Option<PathBuf>,

    /// A folder with the client's files of another build (`manifest.json` beside them), shown in place of the ones
    /// inside this program, to rehearse a change of builds. Only with --lab.
    #[arg(long, env = "MOORING_SITE", value_name = "FOLDER")]
    site: Option<PathBuf>,
}

impl LabArgs {
    /// The plan of faults, if there is one.
    pub fn faults(&self) -> Option<&str> {
        self.faults.as_deref().filter(|plan| !plan.trim().is_empty())
    }

    /// Where calls are written down, if they are.
    pub fn call_log(&self) -> Option<&Path> {
        self.call_log.as_deref().filter(|file| !file.as_os_str().is_empty())
    }

    /// Where another build's files are, if they are to be shown.
    pub fn site(&self) -> Option<&Path> {
        self.site.as_deref().filter(|folder| !folder.as_os_str().is_empty())
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if self.faults().is_some() && !self.lab {
            return Err("faults are planned (--faults, MOORING_FAULTS) outside the lab: \
                        add --lab or MOORING_LAB=1, or take the plan away"
                .to_owned());
        }
        if self.call_log().is_some() && !self.lab {
            return Err("calls are written down (--call-log, MOORING_CALL_LOG) outside the lab: \
                        add --lab or MOORING_LAB=1, or take the file away"
                .to_owned());
        }
        if self.site().is_some() && !self.lab {
            return Err("another build's files are shown (--site, MOORING_SITE) outside the lab: \
                        add --lab or MOORING_LAB=1, or take the folder away"
                .to_owned());
        }
        Ok(())
    }
}

fn plan_help() -> String {
    let boundaries: Vec<&str> = Boundary::ALL.iter().map(|boundary| boundary.as_str()).collect();
    format!(
        "What fails, and when: `boundary=action[@nth][,boundary=action…]`. Only with --lab.\n\n\
         Boundaries: {}.\n\n\
         Actions: abort (the process dies at once), error, delay:<ms>, repeat (the step is carried out twice), freeze (no \
         heartbeat for two leases).\n\n\
         How often a boundary was reached is counted in the database, over all processes and restarts: without `nth` a fault \
         acts the first time that this database sees, so a second rehearsal on the same data needs `@2`.",
        boundaries.join(", ")
    )
}
