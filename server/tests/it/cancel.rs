//! Cancel wins or loses honestly: the reply is the final state.

use std::{sync::Arc, time::Duration};

use domain::{explanation::StateName, fault::Code, intent::Wish, snapshot::Outcome};
use tokio::sync::Notify;

use crate::{
    doubles::{Turn, drafted},
    stage::{Stage, accept, new_op, rounds},
};

#[tokio::test(flavor = "multi_thread")]
async fn the_reply_to_a_cancel_is_the_final_state_e17_c43() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let (mut cancelled, mut saved) = (0, 0);
    for round in 0..rounds(50, 1000) {
        let task = stage.start(ann).await;
        let seen = stage.until(ann, task, StateName::AwaitingReview).await;
        stage.ask(ann, task, accept(&seen)).await.unwrap();
        // Spread over the 50 ms around the save.
        tokio::time::sleep(Duration::from_micros(u64::try_from(round % 25).unwrap() * 400)).await;
        let reply = stage.ask(ann, task, Wish::Cancel).await;
        let (said, entries) = match &reply {
            Ok(done) => (done.task.state, 0),
            Err(refused) => {
                assert_eq!(refused.code, Code::TooLate);
                (refused.current.as_ref().unwrap().state, 1)
            }
        };
        let last = stage.until_seen(ann, task, "an end", |s| s.phase.is_finished()).await;
        assert_eq!(said, last.state, "round {round}");
        assert_eq!(stage.entries(task).await, entries, "never both, never neither, in round {round}");
        match last.state {
            StateName::Cancelled => cancelled += 1,
            StateName::Saved => saved += 1,
            other => panic!("{other:?}"),
        }
    }
    eprintln!("{cancelled} cancelled, {saved} saved");
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_says_what_had_been_sent_and_a_late_answer_changes_nothing() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let go = Arc::new(Notify::new());
    stage.model.then(Turn::Answer(drafted("Too late.")).when(&go));
    let task = stage.start(ann).await;
    stage.until_seen(ann, task, "drafting", |s| s.active.as_ref().is_some_and(|a| a.step == "draft")).await;
    let done = stage.ask(ann, task, Wish::Cancel).await.unwrap();
    assert_eq!(done.task.state, StateName::Cancelled);
    let Some(Outcome::Cancelled { done, unknown, .. }) = done.task.outcome else { panic!() };
    assert_eq!((done, unknown), (vec!["evidence_saved".to_owned()], vec!["draft".to_owned()]));
    go.notify_one();
    let last = stage.until_seen(ann, task, "its end", |s| s.active.is_none()).await;
    assert_eq!((last.state, last.draft_version), (StateName::Cancelled, None));
    working.stop().await;
    assert_eq!(stage.snapshot(ann, task).await.state, StateName::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_task_never_moves_again() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    let op = new_op();
    let first = stage.ask_as(ann, seen.task_id, op, Wish::Cancel).await.unwrap();
    assert_eq!(first.op.code, "cancelled");
    let repeated = stage.ask_as(ann, seen.task_id, op, Wish::Cancel).await.unwrap();
    assert_eq!(repeated.op, first.op, "the same operation, the same answer");
    assert_eq!(stage.ask(ann, seen.task_id, Wish::Cancel).await.unwrap_err().code, Code::TooLate);
    assert_eq!(stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap_err().code, Code::TooLate);
    let refused = stage.ask(ann, seen.task_id, Wish::Retry).await.unwrap_err();
    assert_eq!((refused.code, refused.params["found"].as_str()), (Code::NotInThisState, "cancelled"));
    assert_eq!(stage.snapshot(ann, seen.task_id).await.seq, first.task.seq);
    working.stop().await;
}
