//! Many finished tasks are in nobody's way: each leaves few rows, and what is asked all the time
//! touches none of theirs (E26).

use std::time::Duration;

use domain::{
    explanation::StateName,
    id::{RecordId, TaskId, UserId},
};
use server::{
    database::{Way, open},
    store::Store,
};

use crate::stage::{QUESTION, Stage, accept, process, rounds};

/// The most rows that a task leaves which was looked up, drafted, accepted and saved without
/// trouble. Parents first.
const ROWS: [(&str, i64); 6] =
    [("task", 1), ("task_event", 9), ("operation", 5), ("evidence", 1), ("draft", 1), ("proposal", 1)];

/// Of how many learners the finished tasks are.
const LEARNERS: usize = 20;

/// As many copies of a task, with all its rows, for another learner.
async fn copy(stage: &Stage, task: TaskId, owner: UserId, many: usize) {
    for (table, _) in ROWS {
        let owned = if ["task", "operation"].contains(&table) { "'owner', $2" } else { "" };
        let sql = format!(
            "insert into {table}
             select (jsonb_populate_record(null::{table}, to_jsonb(t)
                       || jsonb_build_object('task_id', md5($2 || nth)::uuid) || jsonb_build_object({owned}))).*
               from {table} t, generate_series(1, $3) nth
              where t.task_id = $1 and $2 is not null"
        );
        let many = i32::try_from(many).unwrap();
        sqlx::query(&sql).bind(task.0).bind(owner.to_string()).bind(many).execute(&stage.pool).await.unwrap();
    }
}

/// How often each question is asked.
const ROUNDS: i64 = 20;

/// How many rows of `task` were read, by an index and without one, as the database counted.
async fn read(stage: &Stage) -> (i64, i64) {
    sqlx::query_as("select coalesce(idx_tup_fetch, 0), seq_tup_read from pg_stat_user_tables where relname = 'task'")
        .fetch_one(&stage.pool)
        .await
        .unwrap()
}

/// The most rows of `task` that one round of `ask` may read, by an index; none without one.
async fn check(stage: &Stage, what: &str, most: i64, ask: impl AsyncFn(&Store)) {
    let before = read(stage).await;
    // A connection of its own reports what it read when it ends.
    let alone = open(&stage.url, Way::Direct, 1).await.unwrap();
    let store = Store::new(alone.clone());
    for _ in 0..ROUNDS {
        ask(&store).await;
    }
    let pid: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&alone).await.unwrap();
    sqlx::query("select pg_terminate_backend($1)").bind(pid).execute(&stage.pool).await.unwrap();
    let there = format!("select count(*) from pg_stat_activity where pid = {pid}");
    stage.until_count("the connection has ended", &there, 0).await;
    let after = read(stage).await;
    let (indexed, scanned) = (after.0 - before.0, after.1 - before.1);
    eprintln!("{what}: {indexed} rows of `task` in {ROUNDS} rounds");
    assert_eq!(scanned, 0, "{what} went through the whole table");
    assert!(indexed <= most * ROUNDS, "{what} read {indexed} rows in {ROUNDS} rounds");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_task_leaves_few_rows_and_is_in_nobodys_way_e26() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let seen = stage.reviewed(ann).await;
    let task = seen.task_id;
    stage.ask(ann, task, accept(&seen)).await.unwrap();
    stage.until(ann, task, StateName::Saved).await;
    working.stop().await;
    for (table, most) in ROWS {
        let rows = stage.number(&format!("select count(*) from {table} where task_id = $1"), task).await;
        assert!(0 < rows && rows <= most, "{rows} rows in {table}, {most} are stated");
    }

    let each = rounds(1_000, 10_000) / LEARNERS;
    for n in 0..LEARNERS {
        copy(&stage, task, stage.learner(&format!("learner {n}")).await, each).await;
    }
    // Held by leases that have not run out, or waiting for their next try: not due yet.
    let waiting = stage.learner("waiting").await;
    copy(&stage, stage.start(waiting).await, waiting, 200).await;
    let later = "update task set due_at = mooring_now() + interval '1 hour' where due_at is not null";
    sqlx::query(later).execute(&stage.pool).await.unwrap();
    let due = stage.learner("due").await;
    copy(&stage, stage.start(due).await, due, usize::try_from(ROUNDS).unwrap() - 1).await;
    sqlx::raw_sql("analyze").execute(&stage.pool).await.unwrap();
    // By then all that was read till now is reported: an idle connection reports within ten seconds.
    tokio::time::sleep(Duration::from_secs(11)).await;

    let known = stage.worker().known();
    let (me, lease, record) = (process("alone"), stage.lease, RecordId::parse("wheel-throwing").unwrap());
    // No more than what is due, and the one that is taken, written and read again.
    check(&stage, "a claim", ROUNDS + 4, async |store| {
        assert!(store.claim(&me, lease, &known).await.unwrap().is_some());
    })
    .await;
    check(&stage, "a claim of nothing", 2, async |store| {
        assert!(store.claim(&me, lease, &known).await.unwrap().is_none());
    })
    .await;
    check(&stage, "the list of a learner", 1, async |store| {
        assert_eq!(store.snapshots(ann, 500).await.unwrap().len(), 1);
    })
    .await;
    check(&stage, "one task", 2, async |store| assert!(store.snapshot(ann, task).await.unwrap().is_some())).await;
    check(&stage, "the look for a similar one", 1, async |store| {
        assert!(store.before_start(ann, &record, QUESTION).await.unwrap().similar.is_none());
    })
    .await;
}
