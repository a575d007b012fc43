//! Approval is a value: one version, its hash, the source version it rests on, for a while, once.

use std::sync::Arc;

use domain::{explanation::StateName, fault::Code, id::TaskId, intent::Wish, text::Hash};
use tokio::sync::Notify;

use crate::{
    doubles::{Turn, drafted, observation},
    stage::{Stage, accept, edit, new_op},
};

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_parallel_accepts_one_wins_e13() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let first = stage.reviewed(ann).await;
    let mut versions = vec![first.clone()];
    for n in 2..=20 {
        let edit = edit(&versions[n - 2], &format!("Version {n}."));
        versions.push(stage.ask(ann, first.task_id, edit).await.unwrap().task);
    }
    let asked = versions.iter().map(|seen| stage.ask(ann, first.task_id, accept(seen)));
    let answers = futures::future::join_all(asked).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!(won.len(), 1);
    assert_eq!(won[0].as_ref().unwrap().op.draft_version, Some(20));
    for refused in lost.into_iter().map(Result::unwrap_err) {
        assert_eq!(refused.code.status(), 409, "{refused:?}");
        assert_eq!(refused.current.unwrap().draft_version, Some(20));
    }
    stage.until(ann, first.task_id, StateName::Saved).await;
    assert_eq!(stage.entries(first.task_id).await, 1);
    working.stop().await;
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

/// How each proposal of a task has ended, oldest first; `live` while it has not.
async fn proposals(stage: &Stage, task: TaskId) -> Vec<(i32, String)> {
    sqlx::query_as("select draft_version, coalesce(ended_by, 'live') from proposal where task_id = $1 order by seq")
        .bind(task.0)
        .fetch_all(&stage.pool)
        .await
        .unwrap()
}

fn ended(versions: &[(i32, &str)]) -> Vec<(i32, String)> {
    versions.iter().map(|(version, end)| (*version, (*end).to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_is_used_once() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    working.stop().await;
    let asked = (0..10).map(|_| stage.ask(ann, seen.task_id, accept(&seen)));
    let answers = futures::future::join_all(asked).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "ten fingers on one button, one accept");
    for refused in answers.into_iter().filter_map(Result::err) {
        assert_eq!((refused.code, refused.params["found"].as_str()), (Code::NotInThisState, "accepted"));
        assert_eq!(refused.current.unwrap().state, StateName::Accepted);
    }
    let working = stage.work();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    let late = stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap_err();
    assert_eq!((late.code, late.current.unwrap().state), (Code::TooLate, StateName::Saved));
    assert_eq!(proposals(&stage, seen.task_id).await, ended(&[(1, "accepted")]));
    assert_eq!(stage.entries(seen.task_id).await, 1);
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_withdraws_the_proposal_before_it() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let first = stage.reviewed(ann).await;
    let second = stage.ask(ann, first.task_id, edit(&first, "Second.")).await.unwrap().task;
    for stale in [accept(&first), edit(&first, "From another device."), Wish::Redraft { base_version: 1 }] {
        let refused = stage.ask(ann, first.task_id, stale).await.unwrap_err();
        assert_eq!((refused.code, refused.params["current"].as_str()), (Code::StaleVersion, "2"));
        // Both texts are in hand, so that the screen can show them.
        let current = refused.current.unwrap();
        let texts: Vec<_> = current.drafts.iter().map(|draft| draft.text.as_deref()).collect();
        assert_eq!(texts, [first.current_draft().unwrap().text.as_deref(), Some("Second.")]);
        assert_eq!(current.proposal, second.proposal);
    }
    assert_eq!(proposals(&stage, first.task_id).await, ended(&[(1, "withdrawn"), (2, "live")]));
    let events = stage.events(ann, first.task_id).await;
    let withdrawn = events.iter().find(|e| e.kind == "proposal_withdrawn").unwrap();
    assert_eq!((&withdrawn.details["draft_version"], &withdrawn.details["reason"]), (&1.into(), &"edited".into()));
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_new_draft_or_a_new_look_is_under_way_nothing_can_be_accepted() {
    for wish in [Wish::Redraft { base_version: 1 }, Wish::Reopen] {
        let stage = Stage::new().await;
        let ann = stage.learner("ann").await;
        let working = stage.work();
        let seen = stage.reviewed(ann).await;
        let go = Arc::new(Notify::new());
        stage.model.then(Turn::Answer(drafted("Second.")).when(&go));
        stage.source.then(Turn::Answer(observation(&seen.record_id, "1")).when(&go));
        let asked = stage.ask(ann, seen.task_id, wish.clone()).await.unwrap().task;
        assert_eq!(asked.proposal, None, "{wish:?}");
        assert_eq!(stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap_err().code, Code::NotInThisState);
        assert_eq!(proposals(&stage, seen.task_id).await, ended(&[(1, "withdrawn")]));
        go.notify_one();
        let back = stage.until(ann, seen.task_id, StateName::AwaitingReview).await;
        let version = back.draft_version.unwrap();
        assert_eq!(version, if wish == Wish::Reopen { 1 } else { 2 });
        let stored = proposals(&stage, seen.task_id).await;
        assert_eq!(stored[1], (i32::try_from(version).unwrap(), "live".to_owned()), "{wish:?}");
        working.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_has_ended_has_no_live_proposal() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    for unreadable in [false, true] {
        let seen = stage.reviewed(ann).await;
        if unreadable {
            sqlx::query("update task set data = '[]' where task_id = $1")
                .bind(seen.task_id.0)
                .execute(&stage.pool)
                .await
                .unwrap();
            assert_eq!(stage.snapshot(ann, seen.task_id).await.state, StateName::NeedsChecking);
        }
        stage.ask_as(ann, seen.task_id, new_op(), Wish::Cancel).await.unwrap();
        assert_eq!(proposals(&stage, seen.task_id).await, ended(&[(1, "withdrawn")]), "unreadable: {unreadable}");
    }
    working.stop().await;
}
