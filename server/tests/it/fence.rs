//! Only the newest attempt is heard, however late an older one speaks.

use std::time::Duration;

use domain::{
    explanation::{Command, Event, Step, command::Reason, decide, effect},
    fault::Problem,
    id::{OpId, TaskId},
    intent::Wish,
    operation::OpState,
    snapshot::Snapshot,
};
use rustix::process::Signal;
use server::store::{Claim, Claimed, Head, Hold, StoreError, Transition};

use crate::{
    processes::Process,
    stage::{Stage, process, rounds},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_worker_that_thaws_is_not_heard_e2() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let frozen = Process::work(&stage, &[("MOORING_MODEL_DELAY", "1500ms")]);
    let task = stage.start(ann).await;
    let drafting = |s: &Snapshot| s.active.as_ref().is_some_and(|a| a.step == "draft");
    let first = stage.until_seen(ann, task, "drafting", drafting).await.active.unwrap();
    // A heartbeat later the model has surely been asked.
    let beaten = |s: &Snapshot| s.active.as_ref().is_some_and(|a| first.lease_until < a.lease_until);
    stage.until_seen(ann, task, "a heartbeat", beaten).await;
    frozen.signal(Signal::STOP);
    let stopped_at = stage.snapshot(ann, task).await.server_time;

    // The other one's model writes something else, so that the stored draft says whose it is.
    let other = stage.work_apart("other", stage.lease);
    // Two leases: by then the other has finished, and the frozen one's model has answered.
    let two_leases = |s: &Snapshot| Duration::from_secs(2) <= s.server_time.since(stopped_at);
    stage.until_seen(ann, task, "two leases later", two_leases).await;
    let seen = stage.until_seen(ann, task, "review", |s| s.draft_version == Some(1)).await;
    assert!(seen.current_draft().unwrap().text.as_ref().unwrap().starts_with("Draft number 1"), "the other one's");
    frozen.signal(Signal::CONT);
    let discarded = |s: &Snapshot| s.seq > seen.seq;
    let after = stage.until_seen(ann, task, "the late result noted", discarded).await;

    assert_eq!((after.state, after.draft_version, &after.drafts), (seen.state, Some(1), &seen.drafts));
    let events = stage.events(ann, task).await;
    let won: Vec<_> = events.iter().filter(|e| e.kind == "draft_produced").collect();
    assert_eq!(won.len(), 1, "one winner in the log");
    let late = events.last().unwrap();
    assert_eq!(late.kind, "late_result_discarded");
    assert!(late.attempt < won[0].attempt, "the one with the older attempt is not heard");
    let names = events.iter().filter(|e| e.kind == "claimed").map(|e| e.details["process"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), [frozen.name().as_str(), "other"], "and who had it when");
    assert_eq!(stage.model.calls().begun(), 1);
    other.stop().await;
}

/// What happens while the one who read early is away.
#[derive(Clone, Copy, Debug)]
enum Meanwhile {
    Cancelled,
    Saved,
    ClaimedAgain,
    HandedOn,
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_read_early_is_not_written_late_e3() {
    for meanwhile in [Meanwhile::Cancelled, Meanwhile::Saved, Meanwhile::ClaimedAgain, Meanwhile::HandedOn] {
        let stage = Stage::new().await;
        let ann = stage.learner("ann").await;
        let task = stage.start(ann).await;
        let early = take(&stage, "early").await;
        stage.shift_clock("11 seconds").await;
        match meanwhile {
            Meanwhile::Cancelled => drop(stage.ask(ann, task, Wish::Cancel).await.unwrap()),
            Meanwhile::Saved => {
                let working = stage.work();
                let seen = stage.until_seen(ann, task, "review", |s| s.proposal.is_some()).await;
                stage.ask(ann, task, crate::stage::accept(&seen)).await.unwrap();
                stage.until_seen(ann, task, "its end", |s| s.outcome.is_some()).await;
                working.stop().await;
            }
            Meanwhile::ClaimedAgain => drop(take(&stage, "later").await),
            Meanwhile::HandedOn => {
                let later = take(&stage, "later").await;
                stage.store.hand_back(&later.claim, Duration::from_secs(5)).await.unwrap();
            }
        }
        let before = row(&stage, task).await;
        write_everything(&stage, &early).await;
        assert_eq!(row(&stage, task).await, before, "{meanwhile:?}: the row is as it was");

        let found = || stage.store.note_late_result(&early.claim, Step::LookUp.as_str(), early.op_id);
        found().await.unwrap();
        found().await.unwrap();
        let events = stage.events(ann, task).await;
        let notes = events.iter().filter(|e| e.kind == "late_result_discarded").count();
        assert_eq!(notes, 1, "{meanwhile:?}: a result in hand is noted, once");
        let claims = events.iter().filter(|e| e.kind == "claimed").count();
        let expected = match meanwhile {
            Meanwhile::Cancelled => 1,
            Meanwhile::Saved => 3,
            Meanwhile::ClaimedAgain | Meanwhile::HandedOn => 2,
        };
        assert_eq!(claims, expected, "{meanwhile:?}: no extra attempt");
    }
}

/// A claim, and the task as its holder read it.
struct Early {
    claim: Claim,
    op_id: OpId,
    head: Head,
}

async fn claim(stage: &Stage, name: &str) -> Option<Claimed> {
    stage.store.claim(&process(name), stage.lease, &stage.worker().known()).await.unwrap()
}

async fn take(stage: &Stage, name: &str) -> Early {
    let Claimed { claim, taken, .. } = claim(stage, name).await.expect("a due task");
    let head = stage.store.head(claim.task_id).await.unwrap().unwrap();
    Early { claim, op_id: taken.op_id, head }
}

/// All that the holder of a claim can write, with a claim that is no longer the newest.
async fn write_everything(stage: &Stage, early: &Early) {
    let (store, claim, head) = (&stage.store, &early.claim, &early.head);
    assert!(matches!(store.heartbeat(claim, stage.lease).await, Err(StoreError::LostLease)), "a heartbeat");
    store.hand_back(claim, Duration::ZERO).await.unwrap();
    let marked = store.mark(claim, early.op_id, Step::LookUp.as_str(), OpState::Intended).await;
    assert!(matches!(marked, Err(StoreError::LostLease)), "a mark");
    assert!(!store.set_unreadable(claim.task_id, claim.fence).await.unwrap(), "a verdict that it is corrupt");
    let withdrawal = effect::withdrawal(early.op_id, Reason::Cancel);
    let intended = store.intend_withdrawal(head, &withdrawal, &process("early"), stage.lease, None).await;
    assert!(matches!(intended, Err(StoreError::Moved)), "a withdrawal");
    let taken = store.take_withdrawal(head, &process("early"), stage.lease).await;
    assert!(matches!(taken, Err(StoreError::Moved)), "a withdrawal taken over");
    let failed = Command::StepFailed {
        step: Step::LookUp,
        problem: Problem::new("late"),
        worth_retrying: false,
        asked: None,
        jitter: 0.0,
        usage: None,
    };
    let events: Vec<Event> = decide(&head.task, &failed, head.now).unwrap().events;
    let transition = Transition {
        before: head,
        events,
        op_id: Some(early.op_id),
        fence: Some(claim.fence),
        ledger: Vec::new(),
        text: None,
        hold: Hold::Release,
    };
    assert!(matches!(store.commit(transition).await, Err(StoreError::LostLease)), "a transition");
}

async fn row(stage: &Stage, task: TaskId) -> serde_json::Value {
    sqlx::query_scalar("select to_jsonb(t) from task t where task_id = $1")
        .bind(task.0)
        .fetch_one(&stage.pool)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn sweeps_at_once_take_each_task_once_e3() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let tasks = stage.start_many(ann, 40).await;
    let sweep = |n: usize| {
        let stage = &stage;
        async move {
            let mut mine = Vec::new();
            while let Some(taken) = claim(stage, &format!("sweep {n}")).await {
                mine.push(taken.claim.task_id);
            }
            mine
        }
    };
    let mut taken: Vec<TaskId> = futures::future::join_all((0..8).map(sweep)).await.concat();
    // A locked row is passed over by all sweeps of that moment; the next one finds it.
    taken.extend(sweep(8).await);
    let by_id = |task: &TaskId| task.0;
    taken.sort_by_key(by_id);
    let mut all = tasks.clone();
    all.sort_by_key(by_id);
    assert_eq!(taken, all, "each once, none left");
    assert_eq!(stage.count("select count(*) from task where attempt <> 1").await, 0);
    assert_eq!(stage.count("select count(*) from task_event where kind = 'claimed'").await, 40);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sweep_and_an_end_at_once_leave_the_end_e3() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    for _ in 0..rounds(50, 1000) {
        let task = stage.start(ann).await;
        let (taken, done) = tokio::join!(claim(&stage, "sweep"), stage.ask(ann, task, Wish::Cancel));
        assert_eq!(done.unwrap().op.code, "cancelled");
        let kinds = stage.kinds(ann, task).await;
        let claims = usize::from(taken.is_some());
        assert_eq!(kinds[1..=claims], ["claimed"][..claims], "{kinds:?}");
        assert_eq!(kinds[1 + claims..], ["cancelled"], "nothing comes after the end");
        let live = "select count(*) from task where task_id = $1 and (lease_until is not null or due_at is not null)";
        assert_eq!(stage.number(live, task).await, 0);
    }
}
