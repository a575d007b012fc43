//! Is the server of this folder alive? The answer comes from `postmaster.pid` and the process
//! table: a file alone may be a leftover, a number alone may have gone to somebody else.

use std::{fs, path::Path};

use rustix::process::{Pid, test_kill_process};

/// What `postmaster.pid` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub pid: i32,
    pub port: u16,
    /// `starting`, `ready`, `stopping`.
    pub status: String,
}

/// The file has one fact a line: pid, folder, start time, port, socket, address, memory, status.
pub(super) fn read(cluster: &Path) -> Option<Found> {
    parse(&fs::read_to_string(cluster.join("postmaster.pid")).ok()?)
}

fn parse(text: &str) -> Option<Found> {
    let line = |nth: usize| text.lines().nth(nth).map(str::trim);
    Some(Found {
        pid: line(0)?.parse().ok()?,
        port: line(3).and_then(|port| port.parse().ok()).unwrap_or(0),
        status: line(7).unwrap_or("starting").to_owned(),
    })
}

pub(super) fn is_running(cluster: &Path) -> bool {
    read(cluster).is_some_and(|found| is_server_of(cluster, found.pid))
}

/// A live process with that number whose working folder is the cluster: every server process's is.
pub(super) fn is_server_of(cluster: &Path, pid: i32) -> bool {
    let Some(target) = Pid::from_raw(pid) else { return false };
    if matches!(test_kill_process(target), Err(rustix::io::Errno::SRCH)) || is_zombie(pid) {
        return false;
    }
    match (fs::read_link(format!("/proc/{pid}/cwd")), fs::canonicalize(cluster)) {
        (Ok(folder), Ok(cluster)) => folder == cluster,
        // No such view of processes here (macOS), or not ours to see: the number has to do.
        _ => true,
    }
}

/// Where nobody reaps, a killed process keeps its number as a zombie.
fn is_zombie(pid: i32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .ok()
        .and_then(|stat| stat.rsplit_once(')').map(|(_, rest)| rest.trim_start().starts_with('Z')))
        .unwrap_or(false)
}

/// Children of a killed server that have not noticed yet. They must be gone before a new one starts.
pub(super) fn stragglers(cluster: &Path) -> bool {
    let Ok(cluster) = fs::canonicalize(cluster) else { return false };
    let Ok(processes) = fs::read_dir("/proc") else { return false };
    processes
        .flatten()
        .filter(|process| process.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()))
        .any(|process| fs::read_link(process.path().join("cwd")).is_ok_and(|folder| folder == cluster))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_line_by_line() {
        let text = "4711\n/data/cluster\n1700000000\n5433\n\n127.0.0.1\n  1 2\nready   \n";
        assert_eq!(parse(text), Some(Found { pid: 4711, port: 5433, status: "ready".into() }));
    }

    #[test]
    fn a_file_that_is_half_written_is_a_server_that_is_starting() {
        assert_eq!(parse("4711\n"), Some(Found { pid: 4711, port: 0, status: "starting".into() }));
        assert_eq!(parse(""), None);
    }

    #[test]
    fn a_live_process_elsewhere_is_not_the_server() {
        let elsewhere = tempfile::tempdir().unwrap();
        let me = i32::try_from(std::process::id()).unwrap();
        assert!(!is_server_of(elsewhere.path(), me));
    }
}
