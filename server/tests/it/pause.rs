//! The pause for a person is whole when it is seen, and loses no word that comes at once.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use domain::{
    explanation::StateName,
    fault::Code,
    id::{SourceVersion, TaskId, UserId},
    intent::{Verdict, Wish},
    text::Hash,
};
use serde_json::{Value, json};
use server::worker::Worker;
use tokio::sync::Notify;

use crate::{
    doubles::{Turn, drafted},
    learner::{Learner, accept as accept_over_http},
    processes::Process,
    stage::{Stage, Working, accept, edit, new_op, new_task, rounds},
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
    let (mut before, asked) = (None, Instant::now());
    let (hash, source) = loop {
        assert!(asked.elapsed() < Duration::from_mins(1), "no pause: the start was overlooked");
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

/// Commits of a row that is nobody's beside `work`, one after another: where they took long, the machine stood still.
async fn with_witness(stage: &Stage, work: impl Future<Output = ()>) {
    sqlx::query("create table nobodys (at timestamptz not null)").execute(&stage.pool).await.unwrap();
    let witness = async {
        loop {
            sqlx::query("insert into nobodys values (clock_timestamp())").execute(&stage.pool).await.unwrap();
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        () = work => {}
        () = witness => {}
    }
}

/// The longest time from an accept to its save, and without what the machine stood still meanwhile: seconds.
const WAITED: &str = "
with beat as (select lag(at) over (order by at) + interval '100 milliseconds' as busy_until, at from nobodys),
     still as (select busy_until as since, at as until from beat where busy_until < at),
     wait as (select a.at as since, s.at as until from task_event a
                join task_event s on s.task_id = a.task_id and s.kind = 'save_confirmed' where a.kind = 'accepted')
select max(extract(epoch from until - since))::float8,
       max(extract(epoch from until - since - (
           select coalesce(sum(least(w.until, q.until) - greatest(w.since, q.since)), interval '0')
             from still q where q.since < w.until and w.since < q.until)))::float8
  from wait w";

#[tokio::test(flavor = "multi_thread")]
async fn an_accept_that_comes_with_the_pause_is_not_overlooked_e15() {
    let mut stage = Stage::new().await;
    // It does not poll while this test runs: only a word that is heard makes it go on.
    stage.poll = Duration::from_hours(1);
    let (ann, working) = (stage.learner("ann").await, stage.work());
    let (wanted, mut asked, mut at_once) = (rounds(50, 500), 0, 0);
    with_witness(&stage, async {
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
    let (longest, of_us): (f64, f64) = sqlx::query_as(WAITED).fetch_one(&stage.pool).await.unwrap();
    eprintln!(
        "{at_once} of {asked} accepts came at once; the longest wait was {longest:.3} s, {of_us:.3} s while the machine went"
    );
    assert!(of_us <= 2.0, "two seconds later none is still waiting");
    working.stop().await;
}

/// A worker that hears words and never polls, and how to stop it.
fn hearing(stage: &mut Stage) -> (Arc<Worker>, Working) {
    stage.poll = Duration::from_hours(1);
    let worker = Arc::new(stage.worker());
    (Arc::clone(&worker), Working::begin_shared(worker))
}

/// Waits until the worker has looked so often.
async fn until_looked(worker: &Worker, times: u64) {
    for _ in 0..3000 {
        if times <= worker.looks() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("in 30 s it looked {} times, not {times}", worker.looks());
}

/// An accepted task that nobody has taken yet.
async fn accepted(stage: &Stage, owner: UserId) -> TaskId {
    let drafting = stage.work();
    let seen = stage.reviewed(owner).await;
    drafting.stop().await;
    stage.ask(owner, seen.task_id, accept(&seen)).await.unwrap();
    seen.task_id
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accept_whose_row_was_in_other_hands_does_not_wait_for_the_poll_e15() {
    let mut stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let task = accepted(&stage, ann).await;
    let mut other = stage.pool.begin().await.unwrap();
    let lock = "select 1 from task where task_id = $1 for update";
    sqlx::query(lock).bind(task.0).execute(&mut *other).await.unwrap();

    let (worker, working) = hearing(&mut stage);
    // The first look and the accept's own word: each further one comes of a task that was passed over.
    until_looked(&worker, 4).await;
    assert_eq!(stage.snapshot(ann, task).await.state, StateName::Accepted);
    // Each word that comes meanwhile is looked after; that all of them were in vain adds few looks.
    let (before, since, words) = (worker.looks(), Instant::now(), 200);
    for _ in 0..words {
        stage.hear_of_work();
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let most = words + 10 + u64::try_from(since.elapsed().as_millis() / 160).unwrap();
    assert!(worker.looks() - before <= most, "{} looks, not {most} at most", worker.looks() - before);
    other.rollback().await.unwrap();
    stage.until(ann, task, StateName::Saved).await;
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_word_that_is_spent_on_an_older_task_does_not_leave_its_own_to_the_poll_e15() {
    let mut stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let task = accepted(&stage, ann).await;
    let (worker, working) = hearing(&mut stage);
    stage.until(ann, task, StateName::Saved).await;
    until_looked(&worker, 2).await;
    let seen = stage.reviewed(ann).await;
    // Due before the accept, and no word comes of it.
    let older = stage.start_unheard(ann).await;
    stage.ask(ann, seen.task_id, accept(&seen)).await.unwrap();
    stage.until(ann, seen.task_id, StateName::Saved).await;
    stage.until(ann, older, StateName::AwaitingReview).await;
    working.stop().await;
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
