//! Hints may stop; work does not: the listener's connection is terminated and heals (E24).

use std::time::Duration;

use domain::explanation::StateName;
use server::{
    announce::Announcer,
    neighbours::{Hearing, Neighbours},
};
use tokio_util::sync::CancellationToken;

use crate::stage::{Stage, process};

async fn until(what: &str, mut fact: impl FnMut() -> bool) {
    for _ in 0..1000 {
        if fact() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("in 10 s it did not come true that {what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminated_listener_is_seen_and_heals_and_polling_goes_on_e24() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let hearing = Hearing::default();
    let neighbours = Neighbours {
        store: stage.store.clone(),
        announcer: Announcer::default(),
        process: process("listening"),
        works: true,
        direct_url: Some(stage.url.clone()),
        hearing: hearing.clone(),
    };
    let stop = CancellationToken::new();
    let run = tokio::spawn(neighbours.run(stop.clone()));
    until("it listens", || hearing.is_on()).await;

    let ended: i64 = sqlx::query_scalar(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'",
    )
    .fetch_one(&stage.pool)
    .await
    .unwrap();
    assert_eq!(ended, 1);
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

#[tokio::test(flavor = "multi_thread")]
async fn another_process_hears_of_a_change() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let mut parts = Vec::new();
    for name in ["one", "two"] {
        let (announcer, hearing) = (Announcer::default(), Hearing::default());
        let neighbours = Neighbours {
            store: stage.store.clone(),
            announcer: announcer.clone(),
            process: process(name),
            works: true,
            direct_url: Some(stage.url.clone()),
            hearing: hearing.clone(),
        };
        let stop = CancellationToken::new();
        parts.push((announcer, stop.clone(), tokio::spawn(neighbours.run(stop))));
        until("it listens", || hearing.is_on()).await;
    }
    let task = stage.start(ann).await;
    let heard = parts[1].0.clone();
    // The first learns of the second within a few seconds, and then tells it.
    let told = async {
        loop {
            parts[0].0.changed(task, 1);
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
    for (_, stop, run) in parts {
        stop.cancel();
        run.await.unwrap();
    }
}
