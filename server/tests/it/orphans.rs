//! What a dead worker leaves behind is found, taken by one, and not asked for twice.

use std::time::{Duration, Instant};

use domain::{explanation::StateName, id::UserId, snapshot::Snapshot};

use crate::{
    processes::Process,
    stage::{Stage, rounds},
};

/// Rows that somebody seems to hold and nobody does.
const WITHOUT_A_LIVE_LEASE: &str = "select count(*) from task where lease_until <= mooring_now()";

/// Rows whose next step is due and that nobody works on.
const LEFT_ALONE: &str = "select count(*) from task where step is not null and due_at <= mooring_now()";

/// Tasks that a worker took and died with before it had asked the source for any of them. Its
/// lease has run out.
async fn orphaned(stage: &Stage, owner: UserId, how_many: usize) {
    let each = |nth| format!("lookup.before_call=delay:600000@{nth}");
    let waits = (1..=how_many).map(each).collect::<Vec<_>>().join(",");
    let dying = Process::work(
        stage,
        &[("MOORING_LAB", "1"), ("MOORING_FAULTS", &waits), ("MOORING_CONCURRENCY", "100"), ("MOORING_LEASE", "10s")],
    );
    stage.start_many(owner, how_many).await;
    let held = "select count(*) from task where active_step = 'look_up' and mooring_now() < lease_until";
    stage.until_count("all are held", held, how_many).await;
    dying.kill().await;
    stage.shift_clock("11 seconds").await;
    assert_eq!(stage.count(WITHOUT_A_LIVE_LEASE).await, i64::try_from(how_many).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_that_find_fifty_orphans_ask_fifty_times_e4() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    orphaned(&stage, ann, 50).await;
    let working = [stage.work_apart("one", stage.lease), stage.work_apart("two", stage.lease)];
    stage.until_all_are("awaiting_review", 50).await;
    assert_eq!(
        (stage.source.calls().begun(), stage.model.calls().begun()),
        (50, 50),
        "as counted by the source and the model"
    );
    for one in working {
        one.stop().await;
    }
    assert_eq!((stage.source.calls().begun(), stage.model.calls().begun()), (50, 50));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_that_start_on_fifty_orphans_share_them_e4() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    orphaned(&stage, ann, 50).await;
    let (one, two) = tokio::join!(Process::serve(&stage, &[]), Process::serve(&stage, &[]));
    stage.until_all_are("awaiting_review", 50).await;
    // Each was claimed by its dead holder and once more; what that claim did was done once.
    for (kind, each) in [("claimed", 100), ("source_found", 50), ("draft_produced", 50), ("late_result_discarded", 0)] {
        let sql = format!("select count(*) from task_event where kind = '{kind}'");
        assert_eq!(stage.count(&sql).await, each, "{kind}");
    }
    for (sql, rows) in [
        ("select count(*) from operation where kind = 'look_up' and state = 'done'", 50),
        ("select count(*) from operation where kind = 'draft' and state = 'done'", 50),
        ("select count(*) from operation where kind <> 'start'", 100),
        ("select count(*) from evidence", 50),
        ("select count(*) from draft", 50),
        ("select count(*) from task where lease_until is not null", 0),
    ] {
        assert_eq!(stage.count(sql).await, rows, "{sql}");
    }
    drop((one, two));
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_kill_and_a_restart_nothing_runs_without_a_live_lease_e6() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let how_many = rounds(40, 200);
    let concurrency = [("MOORING_CONCURRENCY", "200")];
    let thinking = [("MOORING_MODEL_DELAY", "10m"), ("MOORING_CONCURRENCY", "200")];
    let first = Process::serve(&stage, &thinking).await;
    stage.start_many(ann, how_many).await;
    let in_flight = "select count(*) from task where active_step = 'draft' and mooring_now() < lease_until";
    stage.until_count("all are in flight", in_flight, how_many).await;
    first.kill().await;

    // Same machine, so the same host name: that must not make the new one take old leases for its own.
    let second = Process::serve(&stage, &concurrency).await;
    let since = Instant::now();
    stage.until_count("the dead one's leases are gone", WITHOUT_A_LIVE_LEASE, 0).await;
    stage.until_count("nothing that is due is left alone", LEFT_ALONE, 0).await;
    stage.until_all_are("awaiting_review", how_many).await;
    let (lease, took) = (Duration::from_secs(1), since.elapsed());
    assert!(took < lease + Duration::from_secs(10), "after one lease and a sweep all move on, it took {took:?}");
    assert_eq!(stage.count("select count(*) from task where holder is not null").await, 0);
    let lost = "select count(*) from task_event where kind = 'try_failed' and details ->> 'code' = 'process_lost'";
    assert_eq!(stage.count(lost).await, i64::try_from(how_many).unwrap(), "and the log says why each was tried again");
    drop(second);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_worker_leaves_its_task_to_another() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let first = Process::work(&stage, &[("MOORING_MODEL_DELAY", "60s")]);
    let task = stage.start(ann).await;
    let drafting = |s: &Snapshot| s.active.as_ref().is_some_and(|a| a.step == "draft");
    stage.until_seen(ann, task, "drafting", drafting).await;
    first.kill().await;
    let _second = Process::work(&stage, &[]);
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    assert_eq!(seen.evidence.len(), 1, "what was stored is not looked up again");
    let tried = stage.events(ann, task).await.into_iter().find(|e| e.kind == "try_failed").unwrap();
    assert_eq!(tried.details["code"], "process_lost");
}
