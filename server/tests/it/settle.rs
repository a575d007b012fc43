//! What is uncertain is settled by its owner: every verdict in every situation, kept with its note.

use domain::{
    explanation::StateName,
    fault::Code,
    id::{TaskId, UserId},
    intent::{Verdict, Wish},
    retry::Terms,
    snapshot::Snapshot,
};
use serde_json::json;
use server::library::Library as _;

use crate::{
    learner::Learner,
    processes::Process,
    stage::{Stage, accept, new_op, rounds},
};

const NOTE: &str = "I looked into the library: 12:30 ✓";

const VERDICTS: [Verdict; 4] = [Verdict::LookAgain, Verdict::WasSaved, Verdict::NotSavedSaveNow, Verdict::NotSavedStop];

fn settle(verdict: Verdict) -> Wish {
    Wish::Settle { verdict, note: NOTE.to_owned() }
}

/// What is the case when a person is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Situation {
    /// The save never arrived.
    NotSaved,
    /// It arrived, and its answer was lost.
    Saved,
    /// The library has been told that it shall never happen.
    Withdrawn,
    /// The payload was corrupt before anything was accepted.
    Unreadable,
}

/// A task that waits for a person, one in each situation.
async fn uncertain(stage: &Stage, owner: UserId, situation: Situation) -> TaskId {
    let seen = stage.reviewed(owner).await;
    let task = seen.task_id;
    if situation == Situation::Unreadable {
        sqlx::query("update task set data = '[]' where task_id = $1").bind(task.0).execute(&stage.pool).await.unwrap();
        assert_eq!(stage.snapshot(owner, task).await.state, StateName::NeedsChecking);
        return task;
    }
    stage.library.switch(false);
    stage.ask(owner, task, accept(&seen)).await.unwrap();
    stage.until(owner, task, StateName::NeedsChecking).await;
    stage.library.switch(true);
    let save = stage.accepted_save(task).await;
    match situation {
        Situation::Saved => drop(stage.library.save(&save).await.unwrap()),
        Situation::Withdrawn => drop(stage.library.withdraw(task, save.op_id).await.unwrap()),
        Situation::NotSaved | Situation::Unreadable => {}
    }
    task
}

/// The reply to a verdict, and where the task comes to rest.
fn expected(situation: Situation, verdict: Verdict) -> (Result<&'static str, Code>, StateName) {
    use Situation::{NotSaved, Saved, Unreadable, Withdrawn};
    use Verdict::{LookAgain, NotSavedSaveNow, NotSavedStop, WasSaved};
    match (situation, verdict) {
        (NotSaved | Withdrawn, WasSaved) => (Err(Code::EntryNotFound), StateName::NeedsChecking),
        (NotSaved | Withdrawn, NotSavedStop) => (Ok("settled"), StateName::Cancelled),
        // Looking again saves what never arrived; an entry that is there was saved, whatever was thought.
        (NotSaved | Saved, LookAgain | NotSavedSaveNow) | (Saved, WasSaved) => (Ok("settled"), StateName::Saved),
        (Saved, NotSavedStop) => (Err(Code::TooLate), StateName::Saved),
        // It cannot be saved under that operation any more: it comes back until it is stopped.
        (Withdrawn, LookAgain | NotSavedSaveNow) => (Ok("settled"), StateName::NeedsChecking),
        (Unreadable, LookAgain) => (Ok("settled"), StateName::AwaitingReview),
        (Unreadable, _) => (Err(Code::NotInThisState), StateName::NeedsChecking),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_verdict_in_every_situation_ends_where_it_should_and_is_kept() {
    let stage = Stage::on(Terms { tries: 1, ..Terms::default() }).await;
    let working = stage.work();
    for situation in [Situation::NotSaved, Situation::Saved, Situation::Withdrawn, Situation::Unreadable] {
        for verdict in VERDICTS {
            let case = format!("{situation:?}, {verdict:?}");
            let ann = stage.learner(&case).await;
            let task = uncertain(&stage, ann, situation).await;
            let before = stage.snapshot(ann, task).await;
            let (reply, end) = expected(situation, verdict);
            let op = new_op();
            let answer = stage.ask_as(ann, task, op, settle(verdict)).await;
            let (code, seq) = match &answer {
                Ok(done) => (Ok(done.op.code.as_str()), done.op.seq),
                Err(refused) => (Err(refused.code), before.seq),
            };
            assert_eq!(code, reply, "{case}");
            let rested = |s: &Snapshot| s.state == end && s.active.is_none() && seq <= s.seq;
            let last = stage.until_seen(ann, task, &case, rested).await;
            let entries = stage.entries(task).await;
            assert_eq!(entries, i64::from(last.state == StateName::Saved), "{case}: saved iff there is an entry");

            // Whatever was answered is the answer for ever.
            let again = stage.ask_as(ann, task, op, settle(verdict)).await;
            match (&answer, &again) {
                (Ok(one), Ok(two)) => assert_eq!(one.op, two.op, "{case}"),
                (Err(one), Err(two)) => assert_eq!((one.code, &one.params), (two.code, &two.params), "{case}"),
                both => panic!("{case}: {both:?}"),
            }
            let events = stage.events(ann, task).await;
            let settled: Vec<_> = events.iter().filter(|e| e.kind == "settled").collect();
            if reply.is_ok() {
                assert_eq!(settled.len(), 1, "{case}");
                assert_eq!(settled[0].details, json!({ "verdict": verdict, "note": NOTE }), "{case}: with its note");
                assert_eq!(settled[0].op_id, Some(op), "{case}: and the operation that said so");
                assert!(!settled[0].summary.contains(NOTE), "{case}: no learner's text in a summary");
            } else {
                assert_eq!(settled.len(), 0, "{case}: a verdict that was refused changes nothing");
            }
        }
    }
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_but_the_owner_settles() {
    let stage = Stage::new().await;
    let server = Process::serve(&stage, &[]).await;
    let (ann, ben) = (Learner::sign_up(&server, "ann").await, Learner::sign_up(&server, "ben").await);
    let task = ann.start(&server, 0).await;
    ann.until(&server, task, "awaiting_review").await;
    sqlx::query("update task set data = '[]'").execute(&stage.pool).await.unwrap();
    ann.until(&server, task, "needs_checking").await;
    let log = stage.kinds(ann.id, task).await;
    let stranger = Learner::nobody();
    for verdict in VERDICTS {
        let body = json!({ "op_id": new_op(), "task_id": task, "verdict": verdict, "note": NOTE });
        for (who, status, code) in [(&ben, 404, "not_found"), (&stranger, 401, "signed_out")] {
            let (found, refused) = who.post(&server, "tasks/settle", body.clone()).await;
            assert_eq!((found, refused["code"].as_str()), (status, Some(code)), "{verdict:?}: {refused}");
            assert_eq!(refused["current"], json!(null), "and nothing is shown");
        }
        // On a device of ann's that was written on by ben.
        let mut written_by_ben = body;
        written_by_ben["as_user"] = json!(ben.id);
        let (status, refused) = ann.post(&server, "tasks/settle", written_by_ben).await;
        assert_eq!((status, refused["code"].as_str()), (401, Some("other_user")), "{refused}");
    }
    assert_eq!(stage.kinds(ann.id, task).await, log, "no trace in the log");
    assert_eq!(stage.operations(task, "settle").await, [], "nor in the ledger");
    let body = json!({ "op_id": new_op(), "task_id": task, "verdict": "look_again", "note": NOTE });
    let (status, done) = ann.post(&server, "tasks/settle", body).await;
    assert_eq!((status, done["task"]["state"].as_str()), (200, Some("awaiting_review")), "{done}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_verdict_that_meets_a_closed_library_is_not_recorded_and_can_be_given_again() {
    let stage = Stage::on(Terms { tries: 1, ..Terms::default() }).await;
    let working = stage.work();
    for verdict in VERDICTS {
        let ann = stage.learner(&format!("{verdict:?}")).await;
        let task = uncertain(&stage, ann, Situation::NotSaved).await;
        let log = stage.kinds(ann, task).await;
        stage.library.switch(false);
        let op = new_op();
        let refused = stage.ask_as(ann, task, op, settle(verdict)).await.unwrap_err();
        assert_eq!((refused.code, refused.code.status()), (Code::Unavailable, 503), "{verdict:?}");
        stage.library.switch(true);
        assert_eq!(stage.kinds(ann, task).await, log, "{verdict:?}");
        let (reply, end) = expected(Situation::NotSaved, verdict);
        let answer = stage.ask_as(ann, task, op, settle(verdict)).await;
        let code = answer.as_ref().map(|done| done.op.code.as_str()).map_err(|refused| refused.code);
        assert_eq!(code, reply, "{verdict:?}");
        stage.until(ann, task, end).await;
    }
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_uncertain_can_be_settled() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let task = stage.start(ann).await;
    let check = async |found: &str| {
        for verdict in VERDICTS {
            let refused = stage.ask(ann, task, settle(verdict)).await.unwrap_err();
            assert_eq!((refused.code, refused.params["found"].as_str()), (Code::NotInThisState, found));
        }
    };
    check("created").await;
    let working = stage.work();
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    check("awaiting_review").await;
    stage.ask(ann, task, accept(&seen)).await.unwrap();
    stage.until(ann, task, StateName::Saved).await;
    check("saved").await;
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_verdicts_at_once_one_is_taken() {
    let stage = Stage::on(Terms { tries: 1, ..Terms::default() }).await;
    let working = stage.work();
    let (mut saved, mut stopped) = (0, 0);
    for round in 0..rounds(20, 300) {
        let ann = stage.learner(&format!("ann {round}")).await;
        let task = uncertain(&stage, ann, Situation::NotSaved).await;
        let (save, stop) = (settle(Verdict::NotSavedSaveNow), settle(Verdict::NotSavedStop));
        let (now, never) = if round % 2 == 0 {
            tokio::join!(stage.ask(ann, task, save), stage.ask(ann, task, stop))
        } else {
            let (never, now) = tokio::join!(stage.ask(ann, task, stop), stage.ask(ann, task, save));
            (now, never)
        };
        assert_eq!(now.is_ok(), never.is_err(), "one is taken: {now:?}, {never:?}");
        let last = stage.until_seen(ann, task, "its end", |s| s.phase.is_finished()).await;
        let wanted = if now.is_ok() { StateName::Saved } else { StateName::Cancelled };
        assert_eq!((last.state, stage.entries(task).await), (wanted, i64::from(now.is_ok())), "round {round}");
        if now.is_ok() { saved += 1 } else { stopped += 1 }
    }
    eprintln!("{saved} saved, {stopped} stopped");
    working.stop().await;
}
