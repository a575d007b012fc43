//! Other processes: one that dies is noticed long before its leases run out, one that lives is left
//! alone.

use domain::explanation::StateName;
use rustix::process::Signal;

use crate::{processes::Process, stage::Stage};

/// Far longer than a test waits: whoever goes on has not waited for it.
const LONG_LEASE: (&str, &str) = ("MOORING_LEASE", "10m");

async fn is_drafting(stage: &Stage, owner: domain::id::UserId, task: domain::id::TaskId) {
    stage.until_seen(owner, task, "drafting", |s| s.active.as_ref().is_some_and(|a| a.step == "draft")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_process_held_is_taken_up_without_waiting_for_the_lease() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let first = Process::work(&stage, &[LONG_LEASE, ("MOORING_MODEL_DELAY", "10m")]);
    let task = stage.start(ann).await;
    is_drafting(&stage, ann, task).await;
    locks(&stage, 1).await;
    let second = Process::work(&stage, &[LONG_LEASE]);
    locks(&stage, 2).await;
    first.signal(Signal::KILL);
    stage.until(ann, task, StateName::AwaitingReview).await;
    let events = stage.events(ann, task).await;
    assert!(events.iter().any(|e| e.kind == "try_failed" && e.details["code"] == "process_lost"), "{events:?}");
    drop((first, second));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_held_before_a_restart_is_taken_up_after_it() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let first = Process::work(&stage, &[LONG_LEASE, ("MOORING_MODEL_DELAY", "10m")]);
    let task = stage.start(ann).await;
    is_drafting(&stage, ann, task).await;
    locks(&stage, 1).await;
    first.signal(Signal::KILL);
    drop(first);
    let again = Process::work(&stage, &[LONG_LEASE]);
    stage.until(ann, task, StateName::AwaitingReview).await;
    // The dead one is forgotten, with its leases.
    locks(&stage, 1).await;
    drop(again);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_loses_its_connection_and_lives_keeps_its_task() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let first = Process::work(&stage, &[LONG_LEASE, ("MOORING_MODEL_DELAY", "6s")]);
    let task = stage.start(ann).await;
    is_drafting(&stage, ann, task).await;
    locks(&stage, 1).await;
    let other = Process::work(&stage, &[LONG_LEASE]);
    locks(&stage, 2).await;
    let ended: i64 = sqlx::query_scalar(
        "select count(pg_terminate_backend(pid)) from pg_locks
          where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    )
    .fetch_one(&stage.pool)
    .await
    .unwrap();
    assert_eq!(ended, 2);
    stage.until(ann, task, StateName::AwaitingReview).await;
    let claims = stage.kinds(ann, task).await.iter().filter(|kind| *kind == "claimed").count();
    assert_eq!(claims, 1);
    drop((first, other));
}

/// Waits until so many processes show that they live.
async fn locks(stage: &Stage, many: i64) {
    for _ in 0..1500 {
        let found: i64 =
            sqlx::query_scalar("select count(*) from process where locks").fetch_one(&stage.pool).await.unwrap();
        if found == many {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("in 30 s there were not {many} processes with a lock");
}
