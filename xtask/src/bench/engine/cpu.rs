//! CPU time, as the kernel accounts for it. Only Linux shows it in files; elsewhere there is none.

use std::{fs, process::Command, time::Duration};

use crate::process;

/// What a process has used, and those of its children that have ended.
#[derive(Clone, Copy)]
struct Used {
    parent: u32,
    own: u64,
    ended_children: u64,
}

/// A process alone.
pub fn of(pid: u32) -> Option<Duration> {
    read(pid).map(|used| ticks(used.own))
}

/// A process with its children, also those that have ended: a postmaster and its backends.
pub fn of_family(pid: u32) -> Option<Duration> {
    let parent = read(pid)?;
    let processes = fs::read_dir("/proc").ok()?.flatten();
    let children = processes.filter_map(|entry| read(entry.file_name().to_str()?.parse().ok()?));
    let living: u64 = children.filter(|child| child.parent == pid).map(|child| child.own).sum();
    Some(ticks(parent.own + parent.ended_children + living))
}

fn read(pid: u32) -> Option<Used> {
    parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The name in brackets may hold anything, brackets too; what is behind it is numbers.
fn parse(stat: &str) -> Option<Used> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |n: usize| fields.get(n)?.parse::<u64>().ok();
    Some(Used {
        parent: u32::try_from(number(1)?).ok()?,
        own: number(11)? + number(12)?,
        ended_children: number(13)? + number(14)?,
    })
}

fn ticks(ticks: u64) -> Duration {
    Duration::from_millis(ticks * 1000 / a_second())
}

/// Ticks a second, as the kernel counts for programs.
fn a_second() -> u64 {
    static ASKED: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    *ASKED.get_or_init(|| {
        let said = process::ask(Command::new("getconf").arg("CLK_TCK"));
        said.and_then(|said| said.parse().ok()).filter(|ticks| 0 < *ticks).unwrap_or(100)
    })
}

#[test]
fn a_name_with_brackets_and_spaces_does_not_shift_the_fields() {
    let stat = "7 (a) b) S 3 7 7 0 -1 4194560 1 2 3 4 11 12 13 14 20 0 1 0 5";
    let used = parse(stat).map(|used| (used.parent, used.own, used.ended_children));
    assert_eq!(used, Some((3, 23, 27)));
}
