//! Hints may stop; work does not: the listener's connection is terminated and heals (E24).

use std::time::{Duration, Instant};

use domain::{explanation::StateName, intent::Wish};
use server::{
    announce::Announcer,
    neighbours::{Hearing, Neighbours},
    worker::{Settings, Worker},
};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{
    doubles::Turn,
    serving::Serving,
    stage::{Stage, Working, process},
};

async fn until(what: &str, mut fact: impl FnMut() -> bool) {
    for _ in 0..1000 {
        if fact() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("in 10 s it did not come true that {what}");
}

/// One process's ear, with the database and its neighbours.
struct Listening {
    announcer: Announcer,
    hearing: Hearing,
    stop: CancellationToken,
    run: JoinHandle<()>,
}

impl Listening {
    async fn begin(stage: &Stage, name: &str) -> Self {
        let (announcer, hearing, stop) = (Announcer::default(), Hearing::default(), CancellationToken::new());
        let neighbours = Neighbours {
            store: stage.store.clone(),
            announcer: announcer.clone(),
            process: process(name),
            works: true,
            direct_url: Some(stage.url.clone()),
            hearing: hearing.clone(),
        };
        let run = tokio::spawn(neighbours.run(stop.clone()));
        until("it listens", || hearing.is_on()).await;
        Self { announcer, hearing, stop, run }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminated_listener_is_seen_and_heals_and_polling_goes_on_e24() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let Listening { hearing, stop, run, .. } = Listening::begin(&stage, "listening").await;

    end_listener(&stage).await;
    until("health is red", || !hearing.is_on()).await;
    // No word reaches this worker at all: it finds the task by polling.
    let working = stage.work_apart("polling", stage.lease);
    let task = stage.start(ann).await;
    stage.until(ann, task, StateName::AwaitingReview).await;
    until("health is green", || hearing.is_on()).await;
    working.stop().await;
    stop.cancel();
    run.await.unwrap();
}

/// Ends the connection that listens on this database.
async fn end_listener(stage: &Stage) {
    let ended: i64 = sqlx::query_scalar(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'",
    )
    .fetch_one(&stage.pool)
    .await
    .unwrap();
    assert_eq!(ended, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn health_turns_red_and_green_again_and_the_next_poll_finds_the_task_e24() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let serving = Serving::begin(&stage, &[("MOORING_POLL", "100ms")]).await;
    serving.until(200, "ok").await;
    end_listener(&stage).await;
    serving.until(503, "down").await;
    // The stage tells nobody; the server's own worker polls.
    let task = stage.start(ann).await;
    stage.until(ann, task, StateName::AwaitingReview).await;
    serving.until(200, "ok").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_listener_a_cancelled_worker_stops_by_its_next_heartbeat_e19() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    stage.model.then(Turn::Hang);
    let lease = Duration::from_secs(6);
    let Listening { announcer, hearing, stop, run } = Listening::begin(&stage, "deaf").await;
    let base = stage.worker();
    let settings = Settings { lease, concurrency: 1, ..base.settings };
    let working = Working::begin(Worker { announcer, process: process("deaf"), settings, ..base });
    let task = stage.start(ann).await;
    stage.until_seen(ann, task, "the call", |_| stage.model.calls().under_way() == 1).await;

    end_listener(&stage).await;
    until("nobody hears", || !hearing.is_on()).await;
    let asked = Instant::now();
    stage.ask(ann, task, Wish::Cancel).await.unwrap();
    until("the call is dropped", || stage.model.calls().under_way() == 0).await;
    // A beat comes each third of a lease; one that is a whole third late would still do.
    assert!(asked.elapsed() < lease * 2 / 3, "{:?}", asked.elapsed());
    // Its only slot is free again.
    stage.reviewed(stage.learner("ben").await).await;
    assert_eq!((stage.model.calls().begun(), stage.model.calls().ended()), (2, 1));
    assert_eq!(stage.snapshot(ann, task).await.state, StateName::Cancelled);
    working.stop().await;
    stop.cancel();
    run.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn another_process_hears_of_a_change() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let (one, two) = (Listening::begin(&stage, "one").await, Listening::begin(&stage, "two").await);
    let task = stage.start(ann).await;
    let heard = two.announcer.clone();
    // The first learns of the second within a few seconds, and then tells it.
    let told = async {
        loop {
            one.announcer.changed(task, 1);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    // Its own connecting gave it a word too: that one is taken first.
    heard.wait_for_work().await;
    tokio::select! {
        _ = heard.wait_for_work() => {}
        () = told => {}
        () = tokio::time::sleep(Duration::from_secs(15)) => panic!("no word came in 15 s"),
    }
    for Listening { stop, run, .. } in [one, two] {
        stop.cancel();
        run.await.unwrap();
    }
}
