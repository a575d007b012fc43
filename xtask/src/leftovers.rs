//! Throw-away data folders, with the Postgres that a killed Mooring may have left running on them.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process};

const GRACE: Duration = Duration::from_secs(20);

/// Removes `folder`, in which data folders lie at any depth.
pub fn remove(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    stop(folder);
    for home in homes(folder).iter().filter(|home| !home.starts_with(folder)) {
        let _ = fs::remove_dir_all(home);
    }
    fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))
}

/// Stops every Postgres in `folder`, and keeps its data.
pub fn stop(folder: &Path) {
    for home in homes(folder) {
        stop_server(&home.join("cluster"));
    }
}

/// The homes of all clusters: `postgres` in a data folder, or what `postgres.home` in it names.
pub fn homes(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.ends_with("postgres.home") {
            found.extend(fs::read_to_string(&path).ok().map(|home| PathBuf::from(home.trim())));
        } else if path.ends_with("postgres") {
            found.push(path);
        } else if path.is_dir() && !path.is_symlink() {
            found.extend(homes(&path));
        }
    }
    found
}

/// SIGINT is Postgres's fast shutdown. The number is trusted only if its process works in the folder.
fn stop_server(cluster: &Path) {
    let pid_file = cluster.join("postmaster.pid");
    let pid = || fs::read_to_string(&pid_file).ok()?.lines().next()?.trim().parse::<i32>().ok().and_then(Pid::from_raw);
    let deadline = Instant::now() + GRACE;
    while let Some(pid) = pid().filter(|pid| works_in(*pid, cluster)) {
        if deadline < Instant::now() {
            return;
        }
        let _ = kill_process(pid, Signal::INT);
        thread::sleep(Duration::from_millis(100));
    }
}

fn works_in(pid: Pid, cluster: &Path) -> bool {
    let folder = fs::read_link(format!("/proc/{}/cwd", pid.as_raw_nonzero()));
    folder.is_ok_and(|folder| fs::canonicalize(cluster).is_ok_and(|cluster| folder == cluster))
}
