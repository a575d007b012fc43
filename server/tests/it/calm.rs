//! A process that waits costs little: idle, or with every slot waiting for a slow model.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::{
    serving::Serving,
    stage::{Stage, new_task, rounds, start},
};

/// Queries a second that one idle process makes, at most.
const IDLE: f64 = 2.0;
/// Whoever looks at a list or at health waits no longer than this.
const PROMPT: Duration = Duration::from_millis(200);

async fn transactions(stage: &Stage) -> i64 {
    sqlx::query_scalar("select xact_commit + xact_rollback from pg_stat_database where datname = current_database()")
        .fetch_one(&stage.pool)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_process_asks_less_than_twice_a_second_e27() {
    let stage = Stage::new().await;
    let serving = Serving::begin(&stage, &[]).await;
    serving.until(200, "ok").await;
    // By then all that it did to start is reported: an idle connection reports within ten seconds.
    tokio::time::sleep(Duration::from_secs(11)).await;
    let (before, since) = (transactions(&stage).await, Instant::now());
    // Here time itself is what is measured.
    tokio::time::sleep(Duration::from_secs(u64::try_from(rounds(10, 600)).unwrap())).await;
    let (asked, took) = (transactions(&stage).await - before, since.elapsed());
    #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
    let rate = asked as f64 / took.as_secs_f64();
    eprintln!("{rate:.2} queries a second");
    assert!(0.0 < rate && rate < IDLE, "{rate:.2} queries a second");
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_models_hold_no_connection_and_nobody_waits_for_them_e25() {
    let stage = Stage::new().await;
    let many = rounds(20, 50);
    let concurrency = many.to_string();
    // The models outlast the test: whatever is answered is answered while all of them think.
    let serving = Serving::begin(
        &stage,
        &[("MOORING_POOL", "5"), ("MOORING_CONCURRENCY", &concurrency), ("MOORING_MODEL_DELAY", "10m")],
    )
    .await;
    serving.until(200, "ok").await;
    let ann = serving.sign_up(&stage, "ann").await;
    for n in 0..many {
        stage.ask(ann, new_task(), start(&format!("What about {n}?"))).await.unwrap();
    }
    let thinking = || async {
        let list = serving.post("tasks/list", json!({})).await;
        let drafting = |task: &&serde_json::Value| task["active"]["step"] == "draft";
        list["tasks"].as_array().unwrap().iter().filter(drafting).count()
    };
    let since = Instant::now();
    while thinking().await < many {
        assert!(since.elapsed() < Duration::from_secs(30), "the models are not all asked");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    let mut took = Vec::new();
    for _ in 0..20 {
        let asked = Instant::now();
        assert_eq!(serving.ready().await.0, 200);
        took.push(asked.elapsed());
        let asked = Instant::now();
        assert_eq!(thinking().await, many, "none of them has a free connection to thank for it");
        took.push(asked.elapsed());
        let held: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in trans%'",
        )
        .fetch_one(&stage.pool)
        .await
        .unwrap();
        assert_eq!(held, 0, "no transaction is held across a call");
    }
    took.sort();
    let (half, worst) = (took[took.len() / 2], took[took.len() - 1]);
    eprintln!("answered in {half:?}, at worst in {worst:?}");
    // The machine may be busy with other tests; a pool that is used up would make all of them wait.
    assert!(half < PROMPT, "{took:?}");
}
