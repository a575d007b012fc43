//! What fails is tried as often as it makes sense, and then said.

use std::time::Duration;

use domain::{explanation::StateName, intent::Wish, retry::Terms};

use crate::{
    doubles::{Turn, drafted},
    stage::{Stage, accept},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_second_draft_leaves_the_first_to_accept() {
    let terms = Terms { tries: 2, backoff_ms: 10, ..Terms::default() };
    let stage = Stage::on(terms).await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    for _ in 0..2 {
        stage.model.then(Turn::Fail(server::model::ModelError::TimedOut));
    }
    stage.ask(ann, seen.task_id, Wish::Redraft { base_version: 1 }).await.unwrap();
    let back = stage.until_seen(ann, seen.task_id, "review with a notice", |s| s.notice.is_some()).await;
    assert_eq!((back.state, back.draft_version), (StateName::AwaitingReview, Some(1)));
    stage.ask(ann, seen.task_id, accept(&back)).await.unwrap();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_cannot_be_reached_is_tried_and_then_said() {
    let terms = Terms { tries: 3, backoff_ms: 10, ..Terms::default() };
    let stage = Stage::on(terms).await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    for _ in 0..3 {
        stage.source.then(Turn::Fail(server::sources::SourceError::Unreachable("down".to_owned())));
    }
    let task = stage.start(ann).await;
    let failed = stage.until(ann, task, StateName::SourceUnavailable).await;
    let problem = failed.problem.unwrap();
    assert_eq!((problem.code.as_str(), problem.params["tries"].as_str()), ("source_unreachable", "3"));
    assert_eq!(stage.source.calls().begun(), 3);
    stage.ask(ann, task, Wish::Retry).await.unwrap();
    stage.until(ann, task, StateName::AwaitingReview).await;
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_data_is_not_asked_for_again() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    stage.source.then(Turn::Fail(server::sources::SourceError::Malformed("not JSON".to_owned())));
    let task = stage.start(ann).await;
    let failed = stage.until(ann, task, StateName::SourceUnavailable).await;
    assert_eq!(failed.problem.unwrap().code, "reply_malformed");
    assert_eq!(stage.source.calls().begun(), 1);

    stage
        .model
        .then(Turn::Answer(drafted(" \u{0} \n")))
        .then(Turn::Answer(drafted("Good.\u{0}\r\nVery.")).after(Duration::ZERO));
    stage.ask(ann, task, Wish::Retry).await.unwrap();
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    assert_eq!(seen.current_draft().unwrap().text.as_deref(), Some("Good.\nVery."), "a machine's text is cleaned");
    working.stop().await;
}
