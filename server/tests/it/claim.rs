//! Two workers at once, each task done once; and one that cannot be read holds up no other.

use std::sync::Arc;

use domain::explanation::StateName;

use crate::stage::{Stage, accept};

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
