//! Other processes: one that dies is noticed long before its leases run out, one that lives is left
//! alone.

use domain::{
    explanation::StateName,
    id::{TaskId, UserId},
};
use rustix::process::Signal;

use crate::{processes::Process, stage::Stage};

/// Far longer than a test waits: whoever goes on has not waited for it.
const LONG_LEASE: (&str, &str) = ("MOORING_LEASE", "10m");

/// A process that shows that it lives, and that has asked its model about a task of ann's.
async fn drafting(stage: &Stage, thinks: &str) -> (Process, UserId, TaskId) {
    let ann = stage.learner("ann").await;
    let process = Process::work(stage, &[LONG_LEASE, ("MOORING_MODEL_DELAY", thinks)]);
    let task = stage.start(ann).await;
    stage.until_seen(ann, task, "drafting", |s| s.active.as_ref().is_some_and(|a| a.step == "draft")).await;
    locks(stage, 1).await;
    (process, ann, task)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_process_held_is_taken_up_without_waiting_for_the_lease() {
    let stage = Stage::new().await;
    let (first, ann, task) = drafting(&stage, "10m").await;
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
    let (first, ann, task) = drafting(&stage, "10m").await;
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
    let (first, ann, task) = drafting(&stage, "6s").await;
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
async fn locks(stage: &Stage, many: usize) {
    stage.until_count("processes hold their locks", "select count(*) from process where locks", many).await;
}
