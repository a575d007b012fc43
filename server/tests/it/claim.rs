//! One worker at a time: leases, the fence, and workers that freeze, die or are told to stop.

use std::{sync::Arc, time::Duration};

use domain::explanation::StateName;
use rustix::process::Signal;

use crate::{
    doubles::{Turn, drafted},
    processes::Process,
    stage::{Stage, accept},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_worker_that_thaws_is_not_heard_e2() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let frozen = Process::work(&stage, &[("MOORING_MODEL_DELAY", "1500ms"), ("MOORING_LEASE", "1s")]);
    let task = stage.start(ann).await;
    let drafting = |s: &domain::snapshot::Snapshot| s.active.as_ref().is_some_and(|a| a.step == "draft");
    let first = stage.until_seen(ann, task, "drafting", drafting).await.active.unwrap();
    // A heartbeat later the model has surely been asked.
    let beaten = |s: &domain::snapshot::Snapshot| s.active.as_ref().is_some_and(|a| first.lease_until < a.lease_until);
    stage.until_seen(ann, task, "a heartbeat", beaten).await;
    frozen.signal(Signal::STOP);
    let stopped_at = stage.snapshot(ann, task).await.server_time;

    let second = Process::work(&stage, &[]);
    // Two leases: by then the other has finished, and the frozen one's model has answered.
    let two_leases = |s: &domain::snapshot::Snapshot| Duration::from_secs(2) <= s.server_time.since(stopped_at);
    stage.until_seen(ann, task, "two leases later", two_leases).await;
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    let winner = stage.events(ann, task).await.into_iter().rfind(|e| e.kind == "draft_produced").unwrap();
    frozen.signal(Signal::CONT);
    let discarded = |s: &domain::snapshot::Snapshot| s.seq > seen.seq;
    let after = stage.until_seen(ann, task, "the late result noted", discarded).await;

    assert_eq!((after.state, after.draft_version, &after.drafts), (StateName::AwaitingReview, Some(1), &seen.drafts));
    let events = stage.events(ann, task).await;
    let late = events.iter().rfind(|e| e.kind == "late_result_discarded").unwrap();
    assert!(late.attempt < winner.attempt, "the one with the older attempt is not heard");
    assert_eq!(events.iter().filter(|e| e.kind == "draft_produced").count(), 1, "one winner in the log");
    drop((frozen, second));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_worker_leaves_its_task_to_another() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let first = Process::work(&stage, &[("MOORING_MODEL_DELAY", "60s")]);
    let task = stage.start(ann).await;
    stage.until_seen(ann, task, "drafting", |s| s.active.as_ref().is_some_and(|a| a.step == "draft")).await;
    first.signal(Signal::KILL);
    let _second = Process::work(&stage, &[]);
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    assert_eq!(seen.evidence.len(), 1, "what was stored is not looked up again");
    let tried = stage.events(ann, task).await.into_iter().find(|e| e.kind == "try_failed").unwrap();
    assert_eq!(tried.details["code"], "process_lost");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_told_to_stop_hands_its_task_back_at_once() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    stage.model.then(Turn::Hang);
    let task = stage.start(ann).await;
    stage.until_seen(ann, task, "the model asked", |_| stage.model.calls().under_way() == 1).await;
    working.stop().await;
    assert!(stage.snapshot(ann, task).await.active.is_none(), "no lease is left behind");
    let next = stage.work_apart("next", stage.lease);
    stage.until(ann, task, StateName::AwaitingReview).await;
    let failed = stage.events(ann, task).await.into_iter().find(|e| e.kind == "try_failed");
    assert_eq!(failed, None, "no try was used up");
    next.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_model_keeps_its_one_attempt_while_the_heart_beats() {
    let mut stage = Stage::new().await;
    stage.lease = Duration::from_millis(600);
    let ann = stage.learner("ann").await;
    let (working, other) = (stage.work(), stage.work_apart("other", stage.lease));
    stage.model.then(Turn::Answer(drafted("Slow.")).after(stage.lease * 3));
    let task = stage.start(ann).await;
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    assert_eq!(seen.current_draft().unwrap().text.as_deref(), Some("Slow."));
    assert_eq!(stage.model.calls().begun(), 1);
    assert_eq!(stage.kinds(ann, task).await.iter().filter(|kind| *kind == "claimed").count(), 1);
    working.stop().await;
    other.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_tasks_over_two_workers_are_each_done_once() {
    let stage = Arc::new(Stage::new().await);
    let working = [stage.work(), stage.work_apart("other", stage.lease)];
    let mut tasks = Vec::new();
    for n in 0..10 {
        let owner = stage.learner(&format!("learner {n}")).await;
        tasks.push((owner, stage.start(owner).await));
    }
    for (owner, task) in &tasks {
        let seen = stage.until(*owner, *task, StateName::AwaitingReview).await;
        stage.ask(*owner, *task, accept(&seen)).await.unwrap();
        stage.until(*owner, *task, StateName::Saved).await;
        assert_eq!(stage.entries(*task).await, 1);
    }
    assert_eq!((stage.source.calls().begun(), stage.model.calls().begun()), (10, 10));
    for one in working {
        one.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_corrupt_payload_goes_to_a_person_and_the_rest_go_on_e32() {
    let stage = Stage::new().await;
    let (ann, ben) = (stage.learner("ann").await, stage.learner("ben").await);
    let (corrupt, whole) = (stage.start(ann).await, stage.start(ben).await);
    sqlx::query("update task set data = '{\"id\": 7}' where task_id = $1")
        .bind(corrupt.0)
        .execute(&stage.pool)
        .await
        .unwrap();
    let working = stage.work();
    stage.until(ben, whole, StateName::AwaitingReview).await;
    let seen = stage.until(ann, corrupt, StateName::NeedsChecking).await;
    assert_eq!(seen.problem.unwrap().code, "unreadable");
    // The log is whole, so a person can send it on.
    let verdict = domain::intent::Verdict::LookAgain;
    stage.ask(ann, corrupt, domain::intent::Wish::Settle { verdict, note: String::new() }).await.unwrap();
    stage.until(ann, corrupt, StateName::AwaitingReview).await;
    working.stop().await;
}
