//! Many failures in one instant do not come back in one instant (E21).

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::Duration,
};

use domain::{explanation::StateName, retry::Terms};
use server::{
    model::ModelError,
    worker::{Settings, Worker},
};
use tokio::sync::Notify;

use crate::{
    doubles::{CountingModel, Turn, drafted},
    stage::{Stage, Working, process, rounds},
};

/// The window of the first retry.
const WINDOW_MS: u32 = 4_000;
/// Calls at once when they come back.
const CAP: u32 = 7;

#[tokio::test(flavor = "multi_thread")]
async fn failures_of_one_instant_are_retried_all_over_the_window_and_under_the_cap_e21() {
    let many = rounds(60, 300);
    let stage = Stage::on(Terms { backoff_ms: WINDOW_MS, ..Terms::default() }).await;
    let (fail, failed) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let (notice, done) = (fail.clone(), failed.clone());
    let failing = CountingModel::scripted(move |_, _| {
        let fails = Turn::Fail(ModelError::Unreachable("all at once".to_owned()));
        // Whoever comes back here is handed to the other worker, with no try used up.
        if done.load(SeqCst) { Turn::Hang } else { fails.when(&notice) }
    });
    let base = stage.worker();
    let working = Working::begin(Worker {
        kinds: vec![stage.explaining(&failing)],
        // The jitter of the product, not that of the tests.
        jitter: rand::random,
        settings: Settings {
            concurrency: u32::try_from(many).unwrap(),
            lease: Duration::from_mins(1),
            ..base.settings
        },
        ..base
    });
    let mut tasks = Vec::new();
    for n in 0..many {
        let owner = stage.learner(&format!("learner {n}")).await;
        tasks.push((owner, stage.start(owner).await));
    }
    let (owner, task) = tasks[0];
    let all = u64::try_from(many).unwrap();
    stage.until_seen(owner, task, "all calls under way", |_| failing.calls().under_way() == all).await;
    failed.store(true, SeqCst);
    fail.notify_waiters();
    stage.until_count("all have failed", "select count(*) from task_event where kind = 'try_failed'", many).await;
    working.stop().await;

    let answering = CountingModel::scripted(|_, _| Turn::Answer(drafted("At last.")).after(Duration::from_millis(20)));
    let base = stage.worker();
    let working = Working::begin(Worker {
        kinds: vec![stage.explaining(&answering)],
        process: process("after"),
        settings: Settings { concurrency: CAP, ..base.settings },
        ..base
    });
    for (owner, task) in &tasks {
        stage.until(*owner, *task, StateName::AwaitingReview).await;
    }
    assert_eq!((failing.calls().ended(), answering.calls().begun()), (all, all), "one failure and one retry each");
    assert!(answering.calls().most_at_once() <= u64::from(CAP), "{}", answering.calls().most_at_once());

    let waits: Vec<i64> = sqlx::query_scalar(
        "select (extract(epoch from (details ->> 'next_try_at')::timestamptz - at) * 1000)::bigint
           from task_event where kind = 'try_failed'",
    )
    .fetch_all(&stage.pool)
    .await
    .unwrap();
    assert_eq!(waits.len(), many);
    let quarter = i64::from(WINDOW_MS / 4);
    let mut quarters = [0usize; 4];
    for wait in waits {
        let nth = usize::try_from(wait / quarter).unwrap();
        assert!(nth < 4, "{wait} ms is not in the window");
        quarters[nth] += 1;
    }
    // A quarter of the window expects a quarter of them; a third of that is what chance never takes.
    assert!(quarters.iter().all(|found| many / 12 <= *found), "{quarters:?}");
    working.stop().await;
}
