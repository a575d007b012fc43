//! Failing on purpose: only in the lab.

use super::values;

/// The lab is where an instructor shows a class what happens when things break.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Lab")]
pub struct LabArgs {
    /// Lab mode: faults may be planned. Never for real learners.
    #[arg(long, env = "MOORING_LAB", value_parser = values::switch, action = clap::ArgAction::Set,
          num_args = 0..=1, value_name = "1|0", default_value = "false", default_missing_value = "true", require_equals = true)]
    pub lab: bool,

    /// What fails, and when: `boundary=action[@nth][,boundary=action…]`. Only with --lab.
    #[arg(long, env = "MOORING_FAULTS", value_name = "PLAN")]
    faults: Option<String>,
}

impl LabArgs {
    /// The plan of faults, if there is one.
    pub fn faults(&self) -> Option<&str> {
        self.faults.as_deref().filter(|plan| !plan.trim().is_empty())
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if self.faults().is_some() && !self.lab {
            return Err("faults are planned (--faults, MOORING_FAULTS) outside the lab: \
                        add --lab or MOORING_LAB=1, or take the plan away"
                .to_owned());
        }
        Ok(())
    }
}
