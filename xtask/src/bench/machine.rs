//! What it was measured on.

use std::{fs, process::Command, thread};

use crate::process;

/// Cores, processor, system: figures mean nothing without them.
pub fn describe() -> String {
    let cores = thread::available_parallelism().map_or(0, usize::from);
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        about.lines().find_map(|line| line.strip_prefix("model name")).map(|rest| rest.trim_matches([' ', '\t', ':']));
    let system = process::ask(Command::new("uname").arg("-srm")).unwrap_or_default();
    format!("{cores} cores, {}, {system}", model.unwrap_or("unknown processor"))
}

/// How busy it has been for the last minute: above its cores, somebody else is at work too.
pub fn load() -> Option<String> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next().map(str::to_owned)
}
