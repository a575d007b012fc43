//! From start to saved: the right evidence, the right draft, one entry; and the log replays.

use domain::{
    explanation::{StateName, replay},
    snapshot::Outcome,
};

use crate::stage::{QUESTION, Stage, accept, edit};

#[tokio::test(flavor = "multi_thread")]
async fn a_task_goes_from_start_to_saved_once() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();

    let seen = stage.reviewed(ann).await;
    assert_eq!(seen.question, QUESTION);
    assert_eq!(seen.title, "The record wheel-throwing");
    assert_eq!(seen.newest_evidence().unwrap().source_version.0, "1");
    assert_eq!(seen.current_draft().unwrap().text.as_deref(), Some("Draft number 1 about The record wheel-throwing."));
    assert!(seen.active.is_none() && seen.problem.is_none() && seen.proposal.is_some());

    let edited = stage.ask(ann, seen.task_id, edit(&seen, "Bring an apron. 🧤\r\n")).await.unwrap();
    assert_eq!((edited.op.code.as_str(), edited.op.draft_version), ("edited", Some(2)));
    let accepted = stage.ask(ann, seen.task_id, accept(&edited.task)).await.unwrap();
    assert_eq!((accepted.op.code.as_str(), accepted.op.draft_version), ("accepted", Some(2)));

    let saved = stage.until(ann, seen.task_id, StateName::Saved).await;
    let Some(Outcome::Saved { entry_id, draft_version: 2, .. }) = saved.outcome else { panic!("{:?}", saved.outcome) };
    let entry = server_entry(&stage, ann, entry_id).await;
    assert_eq!(entry.text, "Bring an apron. 🧤\r\n", "byte for byte");
    assert_eq!(entry.question.as_deref(), Some(QUESTION), "with what was asked");
    let listed = app::ports::backend::Backend::library(&*stage.backend, ann).await.unwrap();
    assert_eq!(listed, std::slice::from_ref(&entry));
    assert_eq!(
        (stage.source.calls().begun(), stage.model.calls().begun(), stage.entries(seen.task_id).await),
        (1, 1, 1)
    );
    let golden = [
        "started",
        "claimed",
        "source_found",
        "draft_produced",
        "proposed",
        "proposal_withdrawn",
        "edited",
        "proposed",
        "accepted",
        "claimed",
        "save_confirmed",
    ];
    assert_eq!(stage.kinds(ann, seen.task_id).await, golden);
    working.stop().await;
}

async fn server_entry(
    stage: &Stage,
    owner: domain::id::UserId,
    entry: domain::id::EntryId,
) -> domain::snapshot::LibraryEntry {
    app::ports::backend::Backend::entry(&*stage.backend, owner, entry).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_replays_to_the_stored_state() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    let edited = stage.ask(ann, seen.task_id, edit(&seen, "Mine.")).await.unwrap();
    stage.ask(ann, seen.task_id, accept(&edited.task)).await.unwrap();
    stage.until(ann, seen.task_id, StateName::Saved).await;

    let stored = stage.store.head(seen.task_id).await.unwrap().unwrap().task;
    let log = stage.store.log(seen.task_id).await.unwrap();
    assert_eq!(replay(seen.task_id, &log).as_ref(), Some(&stored));
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_costs_eight_writing_commits() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    // Warm up: connections, and the statements that the first task prepares.
    stage.reviewed(ann).await;
    let before = commits(&stage).await;
    let ben = stage.learner("ben").await;
    let seen = stage.reviewed(ben).await;
    stage.ask(ben, seen.task_id, accept(&seen)).await.unwrap();
    stage.until(ben, seen.task_id, StateName::Saved).await;
    let spent = commits(&stage).await - before;
    // One more is the account that was made in between.
    assert!(spent <= 8 + 1, "a task wrote {spent} times");
    working.stop().await;
}

/// Transactions that wrote, so far: only those take an ID.
async fn commits(stage: &Stage) -> i64 {
    // Other databases on the cluster take IDs too, so this one's rows are asked which they are.
    sqlx::query_scalar(
        "select count(distinct x) from (
            select xmin::text as x from task_event union all select xmin::text from operation
            union all select xmin::text from library.entry union all select xmin::text from account
         ) as rows",
    )
    .fetch_one(&stage.pool)
    .await
    .unwrap()
}
