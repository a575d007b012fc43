//! What was begun is finished, by whoever comes: withdrawals, and work whose holder or database
//! went away.

use std::time::{Duration, Instant};

use domain::{
    explanation::StateName,
    fault::Code,
    intent::{Verdict, Wish},
    retry::Terms,
    snapshot::Snapshot,
};
use server::{library::Library as _, sources::SourceError};

use crate::{
    doubles::Turn,
    stage::{Stage, accept, new_op},
};

/// A task whose save was accepted and whose record could then not be looked at again.
async fn accepted_and_unreachable(stage: &Stage, owner: domain::id::UserId) -> domain::id::TaskId {
    let seen = stage.reviewed(owner).await;
    stage.shift_clock("25 hours").await;
    stage.source.then(Turn::Fail(SourceError::Malformed("half a record".to_owned())));
    stage.ask(owner, seen.task_id, accept(&seen)).await.unwrap();
    stage.until(owner, seen.task_id, StateName::SourceUnavailable).await;
    seen.task_id
}

/// A task whose accepted save met a closed library, until a person has to look.
async fn uncertain(stage: &Stage, owner: domain::id::UserId) -> Snapshot {
    let seen = stage.reviewed(owner).await;
    stage.library.switch(false);
    stage.ask(owner, seen.task_id, accept(&seen)).await.unwrap();
    stage.until(owner, seen.task_id, StateName::NeedsChecking).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_that_met_a_closed_library_is_finished_and_nothing_overtakes_it() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let task = accepted_and_unreachable(&stage, ann).await;
    working.stop().await;

    stage.library.switch(false);
    let cancel = new_op();
    let refused = stage.ask_as(ann, task, cancel, Wish::Cancel).await.unwrap_err();
    assert_eq!(refused.code, Code::Unavailable, "what happened is not known, and that is said");
    // Another word does not go before the one that was given.
    assert_eq!(stage.ask(ann, task, Wish::Retry).await.unwrap_err().code, Code::Unavailable);

    stage.library.switch(true);
    let late = stage.ask(ann, task, Wish::Retry).await.unwrap_err();
    assert_eq!((late.code, late.params["found"].as_str()), (Code::NotInThisState, "cancelled"));
    let again = stage.ask_as(ann, task, cancel, Wish::Cancel).await.unwrap();
    assert_eq!((again.op.code.as_str(), again.task.state), ("cancelled", StateName::Cancelled));
    assert_eq!(stage.entries(task).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_finishes_a_withdrawal_that_its_asker_left() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let task = accepted_and_unreachable(&stage, ann).await;
    stage.library.switch(false);
    let cancel = new_op();
    assert_eq!(stage.ask_as(ann, task, cancel, Wish::Cancel).await.unwrap_err().code, Code::Unavailable);
    stage.library.switch(true);
    stage.until(ann, task, StateName::Cancelled).await;
    assert_eq!(stage.ask_as(ann, task, cancel, Wish::Cancel).await.unwrap().op.code, "cancelled");
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_save_whose_outcome_stays_unknown_waits_for_a_person_who_can_settle_it() {
    let stage = Stage::on(Terms { tries: 2, backoff_ms: 10, ..Terms::default() }).await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let unsure = uncertain(&stage, ann).await;
    let task = unsure.task_id;
    let problem = unsure.problem.unwrap();
    assert_eq!((problem.code.as_str(), problem.params["version"].as_str()), ("save_uncertain", "1"));

    stage.library.switch(true);
    let settle = |verdict| Wish::Settle { verdict, note: "I looked".to_owned() };
    let refused = stage.ask(ann, task, settle(Verdict::WasSaved)).await.unwrap_err();
    assert_eq!(refused.code, Code::EntryNotFound, "nobody can say so while there is no entry");
    stage.ask(ann, task, settle(Verdict::NotSavedSaveNow)).await.unwrap();
    stage.until(ann, task, StateName::Saved).await;
    assert_eq!(stage.entries(task).await, 1);
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_that_meets_the_entry_ends_the_operation_of_the_save() {
    let stage = Stage::on(Terms { tries: 2, backoff_ms: 10, ..Terms::default() }).await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let task = uncertain(&stage, ann).await.task_id;
    working.stop().await;

    // The save had arrived all the same.
    stage.library.switch(true);
    stage.library.save(&stage.accepted_save(task).await).await.unwrap();
    let settle = Wish::Settle { verdict: Verdict::WasSaved, note: String::new() };
    assert_eq!(stage.ask(ann, task, settle).await.unwrap().task.state, StateName::Saved);
    let open = "select count(*) from operation where task_id = $1 and state not in ('done', 'failed')";
    assert_eq!(stage.number(open, task).await, 0, "nothing is left open in the ledger");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_whose_holder_died_goes_on_however_long_nobody_was_there() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    stage.model.then(Turn::Hang);
    let working = stage.work();
    let task = stage.start(ann).await;
    stage.until_seen(ann, task, "the model asked", |_| stage.model.calls().under_way() == 1).await;
    working.crash();
    stage.shift_clock("3 days").await;
    let recovered = stage.work_apart("after the weekend", stage.lease);
    stage.until(ann, task, StateName::AwaitingReview).await;
    let lost = stage.events(ann, task).await.into_iter().find(|e| e.kind == "try_failed").unwrap();
    assert_eq!(lost.details["code"], "process_lost");
    assert_eq!(
        (stage.source.calls().begun(), stage.model.calls().begun()),
        (1, 2),
        "what was stored is not asked again"
    );
    recovered.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_that_waited_long_for_a_worker_still_has_its_tries() {
    let stage = Stage::on(Terms { backoff_ms: 10, ..Terms::default() }).await;
    let ann = stage.learner("ann").await;
    let task = stage.start(ann).await;
    stage.shift_clock("2 hours").await;
    stage.source.then(Turn::Fail(SourceError::TimedOut));
    let working = stage.work();
    stage.until(ann, task, StateName::AwaitingReview).await;
    assert_eq!(stage.source.calls().begun(), 2);
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_outlives_a_database_that_is_away_for_a_moment() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    stage.model.then(Turn::Answer(crate::doubles::drafted("Kept.")).after(Duration::from_millis(400)));
    let task = stage.start(ann).await;
    stage.until_seen(ann, task, "the model asked", |_| stage.model.calls().under_way() == 1).await;
    // All connections of the pool die while the model thinks.
    let mut own = <sqlx::PgConnection as sqlx::Connection>::connect(&stage.url).await.unwrap();
    sqlx::query(
        "select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()",
    )
    .execute(&mut own)
    .await
    .unwrap();
    for _ in 0..500 {
        // The first reads meet dead connections; what counts is where the task ends.
        let seen = app::ports::backend::Backend::task(&*stage.backend, ann, task).await;
        if seen.is_ok_and(|s| s.state == StateName::AwaitingReview) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let seen = stage.snapshot(ann, task).await;
    assert_eq!(seen.current_draft().and_then(|d| d.text.as_deref()), Some("Kept."));
    assert_eq!(stage.model.calls().begun(), 1);
    assert!(!stage.kinds(ann, task).await.contains(&"try_failed".to_owned()), "no try was used up");
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_row_is_answered_in_bounded_time_and_others_go_on_e28() {
    let stage = Stage::new().await;
    let (ann, ben) = (stage.learner("ann").await, stage.learner("ben").await);
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    let mut other = stage.pool.begin().await.unwrap();
    sqlx::query("select 1 from task where task_id = $1 for update")
        .bind(seen.task_id.0)
        .execute(&mut *other)
        .await
        .unwrap();
    let asked = Instant::now();
    let answered = async { (stage.ask(ann, seen.task_id, accept(&seen)).await, asked.elapsed()) };
    let ((locked, took), free) = tokio::join!(answered, stage.reviewed(ben));
    assert_eq!(locked.unwrap_err().code, Code::Unavailable);
    assert!(took < Duration::from_secs(15), "{took:?}, three times what a lock is waited for");
    // A row that is due and locked is passed by: the worker asks for the next one.
    let dora = stage.learner("dora").await;
    let due = stage.start(dora).await;
    let mut second = stage.pool.begin().await.unwrap();
    let lock = "select 1 from task where task_id = $1 for update";
    sqlx::query(lock).bind(due.0).execute(&mut *second).await.unwrap();
    stage.reviewed(stage.learner("cleo").await).await;
    second.rollback().await.unwrap();
    stage.until(dora, due, StateName::AwaitingReview).await;
    assert_eq!(free.state, StateName::AwaitingReview);
    other.rollback().await.unwrap();
    stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn evidence_that_is_never_fresh_enough_is_looked_at_before_every_save_and_no_more() {
    let stage = Stage::on(Terms { fresh_s: 0, ..Terms::default() }).await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    assert_eq!(stage.source.calls().begun(), 2);
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_corrupt_payload_is_found_when_it_is_read_and_a_person_can_send_it_on_e32() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    sqlx::query("update task set data = '[]' where task_id = $1")
        .bind(seen.task_id.0)
        .execute(&stage.pool)
        .await
        .unwrap();
    let read = stage.snapshot(ann, seen.task_id).await;
    assert_eq!((read.state, read.problem.unwrap().code.as_str()), (StateName::NeedsChecking, "unreadable"));
    let settle = Wish::Settle { verdict: Verdict::LookAgain, note: String::new() };
    let back = stage.ask(ann, seen.task_id, settle).await.unwrap().task;
    assert_eq!((back.state, back.drafts, back.proposal), (StateName::AwaitingReview, seen.drafts, seen.proposal));
    working.stop().await;
}
