//! The drill as a person meets it: rows that really happen, a report, an honest exit status, and a sentence for
//! everything that cannot be drilled.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

#[cfg(target_os = "linux")]
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// The cluster of the other tests: its databases are the drill's own.
fn data_dir() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("postgres")
}

fn mooring(args: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mooring"));
    command.args(args).envs(variables.iter().copied()).stdin(Stdio::null());
    for name in ["DATABASE_URL", "MOORING_FAULTS", "MOORING_LAB"] {
        if !variables.iter().any(|(given, _)| *given == name) {
            command.env_remove(name);
        }
    }
    command
}

fn drill(args: &[&str], out: &Path) -> Output {
    let mut command = mooring(&["drill", "--seed", "7"], &[]);
    command.arg("--data-dir").arg(data_dir()).arg("--out").arg(out).args(args).output().unwrap()
}

fn report(out: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(out.join("drill-report.json")).unwrap()).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[track_caller]
fn refused(args: &[&str], variables: &[(&str, &str)], with: &str) {
    let output = mooring(args, variables).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{args:?} was not refused");
    assert!(said.contains(with), "{args:?}: {said:?} does not say {with:?}");
}

#[test]
fn a_crash_around_the_save_is_drilled_on_real_processes_and_reported() {
    let out = tempfile::tempdir().unwrap();
    let output = drill(&["--only", "save.after_effect abort before"], out.path());
    assert!(output.status.success(), "{}", said(&output));

    let report = report(out.path());
    assert_eq!(
        (report["passed"].as_u64(), report["different"].as_u64(), report["seed"].as_u64()),
        (Some(1), Some(0), Some(7))
    );
    let row = &report["rows"][0];
    let fact = |name: &str| {
        let fact = row["facts"].as_array().unwrap().iter().find(|fact| fact["name"] == name).unwrap();
        [&fact["expected"], &fact["observed"]].map(|value| value.as_str().unwrap().to_owned())
    };
    assert_eq!(fact("end"), ["saved, 1 entry, as accepted"; 2]);
    assert_eq!(fact("deaths"), ["1"; 2]);
    assert_eq!(fact("faults acted"), ["1"; 2]);
    let page = std::fs::read_to_string(out.path().join("drill-report.md")).unwrap();
    assert!(page.contains("| Expected | Observed |"), "{page}");
}

#[test]
fn two_drills_of_the_same_row_on_the_same_cluster_do_not_meet() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let outputs = std::thread::scope(|scope| {
        let drills = folders
            .each_ref()
            .map(|out| scope.spawn(|| drill(&["--only", "save.after_effect abort before"], out.path())));
        drills.map(|drill| drill.join().unwrap())
    });
    for output in outputs {
        assert!(output.status.success(), "{}", said(&output));
    }
}

#[test]
fn the_other_of_two_servers_finishes_without_a_restart() {
    let out = tempfile::tempdir().unwrap();
    let output = drill(&["--only", "draft.after_call abort two servers"], out.path());
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("as expected"), "{}", said(&output));
}

// Who started whom is read from /proc.
#[cfg(target_os = "linux")]
#[test]
fn a_drill_that_is_asked_to_stop_takes_its_servers_with_it() {
    let out = tempfile::tempdir().unwrap();
    let mut command = mooring(&["drill", "--short", "--jobs", "1"], &[]);
    command.arg("--data-dir").arg(data_dir()).arg("--out").arg(out.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let pid = Pid::from_child(&child);
    let servers = || children_of(pid);
    let since = std::time::Instant::now();
    let mut seen = servers();
    while seen.is_empty() && since.elapsed().as_secs() < 30 {
        std::thread::sleep(std::time::Duration::from_millis(20));
        seen = servers();
    }
    assert!(!seen.is_empty(), "the drill started a server");
    kill_process(pid, Signal::TERM).unwrap();
    assert!(!child.wait().unwrap().success());
    assert!(seen.iter().all(|server| !is_mooring(*server)), "a server outlived its drill");
}

/// The processes that `parent` has started and that still are `mooring`.
#[cfg(target_os = "linux")]
fn children_of(parent: Pid) -> Vec<i32> {
    let lists = std::fs::read_dir(format!("/proc/{}/task", parent.as_raw_nonzero())).into_iter().flatten().flatten();
    let texts = lists.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let children: Vec<i32> =
        texts.flat_map(|text| text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect();
    children.into_iter().filter(|pid| is_mooring(*pid)).collect()
}

#[cfg(target_os = "linux")]
fn is_mooring(pid: i32) -> bool {
    std::fs::read(format!("/proc/{pid}/cmdline"))
        .is_ok_and(|line| String::from_utf8_lossy(&line).contains("mooring\0serve"))
}

#[test]
fn what_cannot_be_drilled_is_refused_with_a_sentence() {
    refused(&["drill", "--only", "nowhere"], &[], "the boundaries are start.before_commit");
    refused(&["drill", "--only", "freeze", "--short", "--repeat", "0"], &[], "1..=10000");
    refused(&["drill", "--database-url", "mysql://h/n"], &[], "write postgres://");
    let nowhere = [("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none")];
    refused(&["drill", "--only", "sweep"], &nowhere, "the database does not answer");
    refused(&["serve", "--addr", "127.0.0.1:0"], &nowhere, "the database does not answer");
}

#[test]
fn a_plan_that_cannot_be_carried_out_is_refused_with_a_sentence() {
    let plan = |plan| [("MOORING_FAULTS", plan)];
    refused(&["serve"], &plan("save.after_effect=abort"), "outside the lab");
    refused(&["work"], &plan("save.after_effect=abort"), "outside the lab");
    refused(&["serve", "--lab"], &plan("save.after_efect=abort"), "there is no boundary \"save.after_efect\"");
    refused(&["work", "--lab"], &plan("sweep=explode"), "there is no action \"explode\"");
    refused(&["serve", "--call-log", "calls.jsonl"], &[], "outside the lab");
    refused(&["serve", "--lab", "--call-log", "/no/such/folder/calls"], &[], "cannot be opened");
}
