//! The pause for a person is whole when it is seen, and loses no word that comes at once.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use domain::{
    explanation::StateName,
    fault::Code,
    id::{SourceVersion, UserId},
    intent::{Verdict, Wish},
    text::Hash,
};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    doubles::{Turn, drafted},
    learner::{Learner, accept as accept_over_http},
    processes::Process,
    stage::{Stage, accept, edit, new_op, new_task, rounds},
};

#[tokio::test(flavor = "multi_thread")]
async fn the_pause_is_whole_when_read_afresh_from_another_process_e14() {
    let stage = Stage::new().await;
    let first = Process::serve(&stage, &[]).await;
    let ann = Learner::sign_up(&first, "ann").await;
    let task = ann.start(&first, 0).await;
    let seen = ann.until(&first, task, "awaiting_review").await;
    // Whatever only its memory knew is gone.
    first.kill().await;

    let second = Process::serve(&stage, &[("MOORING_NO_WORKER", "1")]).await;
    let read = ann.read(&second, task).await;
    for part in ["seq", "state", "evidence", "drafts", "proposal", "notice", "problem"] {
        assert_eq!(read[part], seen[part], "{part}");
    }
    let (evidence, draft, proposal) = (&read["evidence"][0], &read["drafts"][0], &read["proposal"]);
    assert!(evidence["content"].as_str().unwrap().contains("An apron"), "the evidence, whole");
    assert!(!draft["text"].as_str().unwrap().is_empty(), "the draft, whole");
    assert_eq!(
        (&proposal["draft_version"], &proposal["draft_hash"], &proposal["source_version"]),
        (&draft["version"], &draft["hash"], &evidence["source_version"]),
        "the proposal is of this draft, on this evidence"
    );
    // And it can be accepted there.
    let (status, done) = ann.post(&second, "tasks/accept", accept_over_http(&read)).await;
    assert_eq!((status, done["op"]["code"].as_str()), (200, Some("accepted")), "{done}");
}

/// How soon after its pause an accept has to be there.
const AT_ONCE: Duration = Duration::from_millis(5);

/// Accepts a task the moment that its pause is stored; says whether that was at once, by the
/// database's clock, counted from the last look that did not see the pause.
async fn accept_with_the_pause(stage: &Stage, owner: UserId) -> bool {
    let task = new_task();
    let start = Wish::Start { record_id: "bread".to_owned(), question: "What?".to_owned(), even_if_similar: true };
    stage.ask(owner, task, start).await.unwrap();
    let look = "select statement_timestamp() as at, p.draft_hash, p.source_version
                  from (select 1) as one left join proposal p on p.task_id = $1";
    let mut before = None;
    let (hash, source) = loop {
        let (at, hash, source): (time::OffsetDateTime, Option<String>, Option<String>) =
            sqlx::query_as(look).bind(task.0).fetch_one(&stage.pool).await.unwrap();
        if let (Some(hash), Some(source)) = (hash, source) {
            break (hash, source);
        }
        before = Some(at);
    };
    let wish =
        Wish::Accept { draft_version: 1, draft_hash: Hash::claimed(hash), seen_source_version: SourceVersion(source) };
    stage.ask(owner, task, wish).await.unwrap();
    let accepted: time::OffsetDateTime =
        sqlx::query_scalar("select at from task_event where task_id = $1 and kind = 'accepted'")
            .bind(task.0)
            .fetch_one(&stage.pool)
            .await
            .unwrap();
    before.is_some_and(|before| accepted <= before + AT_ONCE)
}

/// How long the machine stood still in all while `work` ran: what commits of a row that is nobody's took beyond
/// what they take on a busy machine.
async fn stood_still_beside(stage: &Stage, work: impl Future<Output = ()>) -> Duration {
    const BUSY: Duration = Duration::from_millis(100);
    sqlx::query("create table nobodys (at timestamptz not null)").execute(&stage.pool).await.unwrap();
    let mut still = Duration::ZERO;
    let looking = async {
        loop {
            let begun = Instant::now();
            sqlx::query("insert into nobodys values (now())").execute(&stage.pool).await.unwrap();
            tokio::time::sleep(Duration::from_millis(10)).await;
            still += begun.elapsed().saturating_sub(BUSY);
        }
    };
    tokio::select! {
        () = work => {}
        () = looking => {}
    }
    still
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accept_that_comes_with_the_pause_is_not_overlooked_e15() {
    let mut stage = Stage::new().await;
    // It does not poll while this test runs: only a word that is heard makes it go on.
    stage.poll = Duration::from_hours(1);
    let (ann, working) = (stage.learner("ann").await, stage.work());
    let (wanted, mut asked, mut at_once) = (rounds(50, 500), 0, 0);
    let still = stood_still_beside(&stage, async {
        // On a busy machine some accepts come too late to count: there are more until there are enough.
        while at_once < wanted && asked < wanted * 20 {
            let (one, two) = tokio::join!(accept_with_the_pause(&stage, ann), accept_with_the_pause(&stage, ann));
            asked += 2;
            at_once += usize::from(one) + usize::from(two);
        }
        stage.until_all_are("saved", asked).await;
    })
    .await;
    assert!(wanted <= at_once, "of {asked} accepts only {at_once} came at once");
    let waited = "select coalesce(extract(epoch from max(s.at - a.at)), 0)::float8
                    from task_event a join task_event s on s.task_id = a.task_id and s.kind = 'save_confirmed'
                   where a.kind = 'accepted'";
    let waited: f64 = sqlx::query_scalar(waited).fetch_one(&stage.pool).await.unwrap();
    eprintln!(
        "{at_once} of {asked} accepts came at once; the longest wait was {waited:.3} s, and nothing moved for {still:?}"
    );
    assert!(waited <= 2.0 + still.as_secs_f64(), "two seconds later none is still waiting");
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accept_whose_row_was_in_other_hands_does_not_wait_for_the_poll_e15() {
    let mut stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let drafting = stage.work();
    let seen = stage.reviewed(ann).await;
    drafting.stop().await;
    stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap();
    let mut other = stage.pool.begin().await.unwrap();
    let lock = "select 1 from task where task_id = $1 for update";
    sqlx::query(lock).bind(seen.task_id.0).execute(&mut *other).await.unwrap();

    stage.poll = Duration::from_hours(1);
    let (worker, stop) = (Arc::new(stage.worker()), CancellationToken::new());
    let run = tokio::spawn(Arc::clone(&worker).run(stop.clone()));
    // The first look and the accept's own word: each further one comes of a task that was passed over.
    while worker.looks() < 4 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(stage.snapshot(ann, seen.task_id).await.state, StateName::Accepted);
    other.rollback().await.unwrap();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    stop.cancel();
    run.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_come_while_the_model_runs_do_not_call_it_again_e16() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    let (task, go) = (seen.task_id, Arc::new(Notify::new()));
    stage.model.then(Turn::Answer(drafted("The second.")).when(&go));
    let (op, redraft) = (new_op(), Wish::Redraft { base_version: 1 });
    let asked = stage.ask_as(ann, task, op, redraft.clone()).await.unwrap();
    stage.until_seen(ann, task, "the model asked", |_| stage.model.calls().under_way() == 1).await;

    let note = Wish::Settle { verdict: Verdict::LookAgain, note: "Hurry".to_owned() };
    for wish in [edit(&seen, "Mine."), accept(&seen), redraft.clone(), Wish::Reopen, Wish::Retry, note] {
        let refused = stage.ask(ann, task, wish.clone()).await.unwrap_err();
        assert_eq!(
            (refused.code, refused.params["found"].as_str()),
            (Code::NotInThisState, "evidence_saved"),
            "{wish:?}"
        );
    }
    // The same request again is the same request.
    assert_eq!(stage.ask_as(ann, task, op, redraft).await.unwrap().op, asked.op);
    assert_eq!(stage.model.calls().under_way(), 1, "nobody took its task away");
    go.notify_one();
    let second = stage.until(ann, task, StateName::AwaitingReview).await;
    assert_eq!(second.current_draft().unwrap().text.as_deref(), Some("The second."));
    // What was refused can be said now; it does not call the model either.
    let third = stage.ask(ann, task, edit(&second, "Mine.")).await.unwrap().task;
    assert_eq!((third.draft_version, third.state), (Some(3), StateName::AwaitingReview));
    assert_eq!(stage.model.calls().begun(), 2, "the first draft and the second");
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_over_http_while_the_model_runs_is_refused_with_the_task_e16() {
    let stage = Stage::new().await;
    let server = Process::serve(&stage, &[("MOORING_MODEL_DELAY", "700ms"), ("MOORING_LEASE", "1m")]).await;
    let ann = Learner::sign_up(&server, "ann").await;
    let task = ann.start(&server, 0).await;
    ann.until(&server, task, "evidence_saved").await;
    let edit = json!({ "op_id": new_op(), "task_id": task, "base_version": 1, "text": "Mine." });
    let (status, refused) = ann.post(&server, "tasks/edit", edit).await;
    assert_eq!((status, &refused["code"]), (409, &Value::from("not_in_this_state")), "{refused}");
    assert_eq!(refused["current"]["state"], "evidence_saved");
    let seen = ann.until(&server, task, "awaiting_review").await;
    assert_eq!((seen["draft_version"].as_u64(), seen["drafts"][0]["author"].as_str()), (Some(1), Some("model")));
    let produced = "select count(*) from task_event where kind = 'draft_produced'";
    assert_eq!((stage.count(produced).await, stage.operations(task, "draft").await.len()), (1, 1));
}
