//! Approval is a value: one version, its hash, the source version it rests on, for a while, once.

use std::time::Duration;

use domain::{explanation::StateName, fault::Code, intent::Wish, retry::Terms, text::Hash};

use crate::{
    doubles::{Turn, drafted, observation},
    stage::{Stage, accept, edit},
};

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_parallel_accepts_one_wins_e13() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let first = stage.reviewed(ann).await;
    let second = stage.ask(ann, first.task_id, edit(&first, "Second.")).await.unwrap().task;
    let third = stage.ask(ann, first.task_id, edit(&second, "Third.")).await.unwrap().task;
    let versions = [&first, &second, &third];
    let asked = (0..20).map(|n| stage.ask(ann, first.task_id, accept(versions[n % 3])));
    let answers = futures::future::join_all(asked).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(won.len(), 1);
    assert_eq!(won[0].as_ref().unwrap().op.draft_version, Some(3));
    for refused in lost.into_iter().map(Result::unwrap_err) {
        assert_eq!(refused.code.status(), 409, "{refused:?}");
        assert_eq!(refused.current.unwrap().draft_version, Some(3));
    }
    stage.until(ann, first.task_id, StateName::Saved).await;
    assert_eq!(stage.entries(first.task_id).await, 1);
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_saved_has_the_hash_that_was_accepted_e12() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    // The double writes another text at each call.
    let seen = stage.reviewed(ann).await;
    working.crash();
    stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap();
    let recovered = stage.work_apart("second", stage.lease);
    stage.until(ann, seen.task_id, StateName::Saved).await;
    let saved: String = sqlx::query_scalar("select text from library.entry where task_id = $1")
        .bind(seen.task_id.0)
        .fetch_one(&stage.pool)
        .await
        .unwrap();
    assert_eq!(Hash::of(&saved), seen.current_draft().unwrap().hash);
    assert_eq!(stage.model.calls().begun(), 1, "the model is not asked again");
    recovered.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pause_is_whole_when_read_afresh_from_another_process_e14() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    working.stop().await;
    // Its own connection and its own store: nothing in memory helps.
    let database = server::database::open(&stage.url, server::database::Way::Direct, 1).await.unwrap();
    let elsewhere = server::store::Store::new(database);
    let read = elsewhere.snapshot(ann, seen.task_id).await.unwrap().unwrap();
    assert_eq!((read.evidence, read.drafts, read.proposal), (seen.evidence, seen.drafts, seen.proposal));
    assert_eq!(read.state, StateName::AwaitingReview);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accept_must_name_what_is_there() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    let draft = seen.current_draft().unwrap().clone();
    let source = seen.newest_evidence().unwrap().source_version.clone();
    let named = |draft_version, draft_hash: &Hash, source: &str| Wish::Accept {
        draft_version,
        draft_hash: draft_hash.clone(),
        seen_source_version: domain::id::SourceVersion(source.to_owned()),
    };
    for (wish, code) in [
        (named(2, &draft.hash, &source.0), Code::StaleVersion),
        (named(1, &Hash::of("another text"), &source.0), Code::HashMismatch),
        (named(1, &draft.hash, "0"), Code::SourceChanged),
    ] {
        assert_eq!(stage.ask(ann, seen.task_id, wish).await.unwrap_err().code, code);
    }
    assert_eq!(stage.snapshot(ann, seen.task_id).await.state, StateName::AwaitingReview);
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_proposal_is_opened_again() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    stage.shift_clock("31 days").await;
    assert_eq!(stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap_err().code, Code::Expired);
    stage.ask(ann, seen.task_id, Wish::Reopen).await.unwrap();
    let fresh = stage.until(ann, seen.task_id, StateName::AwaitingReview).await;
    assert!(fresh.proposal.as_ref().unwrap().expires_at > seen.proposal.unwrap().expires_at);
    stage.ask(ann, seen.task_id, accept(&fresh)).await.unwrap();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_evidence_is_looked_at_again_before_a_save() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    stage.shift_clock("25 hours").await;
    stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    assert_eq!(stage.source.calls().begun(), 2);
    assert!(stage.kinds(ann, seen.task_id).await.contains(&"rechecked".to_owned()));
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_moved_on_stops_the_save_and_keeps_both_pieces_of_evidence() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    stage.shift_clock("25 hours").await;
    stage.source.then(Turn::Answer(observation(&seen.record_id, "2")));
    stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap();
    let back = stage.until(ann, seen.task_id, StateName::AwaitingReview).await;
    assert_eq!(back.notice.as_ref().unwrap().code, "source_moved");
    let versions: Vec<_> = back.evidence.iter().map(|e| e.source_version.0.as_str()).collect();
    assert_eq!(versions, ["1", "2"]);
    assert_eq!(back.evidence[1].content, observation(&seen.record_id, "2").content);
    assert_eq!(stage.entries(seen.task_id).await, 0);

    // Naming what was seen before is refused; naming the newer one, or a new draft, goes on.
    assert_eq!(stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap_err().code, Code::SourceChanged);
    let redraft = Wish::Redraft { base_version: 1 };
    stage.ask(ann, seen.task_id, redraft).await.unwrap();
    let second = stage.until_seen(ann, seen.task_id, "version 2", |s| s.draft_version == Some(2)).await;
    assert_eq!(second.current_draft().unwrap().on_source_version.0, "2");
    stage.ask(ann, seen.task_id, accept(&second)).await.unwrap();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    assert_eq!(stage.entries(seen.task_id).await, 1);
    working.stop().await;
}

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
