//! Processes that die again and again around the calls: what is stored is never asked for again,
//! what is missing once more for each death, and a call that kills is given up.

use std::time::Duration;

use domain::{
    explanation::StateName,
    id::{TaskId, UserId},
    retry::Terms,
};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

use crate::{
    stage::{Stage, new_task, rounds},
    witnessed::{Orders, POISON, ask_about},
};

async fn begin(stage: &Stage, owner: UserId, record: &str) -> TaskId {
    let task = new_task();
    stage.ask(owner, task, ask_about(record)).await.unwrap();
    task
}

/// How many tries of a step were lost with the process that made them.
async fn lost(stage: &Stage, task: TaskId, step: &str) -> usize {
    let lost: i64 = sqlx::query_scalar(
        "select count(*) from task_event where task_id = $1 and kind = 'try_failed'
            and details ->> 'code' = 'process_lost' and details ->> 'step' = $2",
    )
    .bind(task.0)
    .bind(step)
    .fetch_one(&stage.pool)
    .await
    .unwrap();
    usize::try_from(lost).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_is_not_asked_again_and_what_is_missing_once_more_a_kill_e29() {
    let stage = Stage::on(Terms { tries: 1000, model_calls: 1000, ..Terms::default() }).await;
    let ann = stage.learner("ann").await;
    let folder = tempfile::tempdir().unwrap();
    let orders = Orders { source_ms: 150, model_ms: 150, ..Orders::new(&stage, folder.path()) };
    let seed = rand::random();
    eprintln!("the moments of the kills are drawn from seed {seed}");
    let mut drawn = StdRng::seed_from_u64(seed);
    let mut tasks = Vec::new();
    for n in 0..rounds(12, 200) {
        for twin in ["a", "b"] {
            let record = format!("record-{n}-{twin}");
            tasks.push((begin(&stage, ann, &record).await, record));
        }
        let before = orders.calls().len();
        let mut process = orders.begin();
        for _ in 0..500 {
            // Its own first line, and one call.
            if before + 1 < orders.calls().len() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::time::sleep(Duration::from_millis(drawn.random_range(0..250))).await;
        process.kill();
    }
    let _last = orders.begin();
    let mut again = 0;
    for (task, record) in tasks {
        stage.until(ann, task, StateName::AwaitingReview).await;
        for step in ["look_up", "draft"] {
            let (asked, lost) = (orders.count(step, &record), lost(&stage, task, step).await);
            assert!((1..=1 + lost).contains(&asked), "{asked} calls for {step} of {record}, {lost} lost");
            again += asked - 1;
        }
    }
    let needless: Vec<_> = orders.calls().into_iter().filter(|call| call.stored).collect();
    assert_eq!(needless, [], "asked for although it was stored");
    assert!(0 < again, "no kill met a call: the drawn moments show nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_kills_its_process_is_given_up_and_its_neighbours_go_on_e20() {
    let terms = Terms::default();
    let stage = Stage::on(terms).await;
    let ann = stage.learner("ann").await;
    let folder = tempfile::tempdir().unwrap();
    // Longer than the deadly reply takes: whoever is in flight beside it dies with it.
    let orders = Orders { model_ms: 300, ..Orders::new(&stage, folder.path()) };
    let mut others = Vec::new();
    for n in 0..rounds(6, 30) {
        others.push(begin(&stage, ann, &format!("neighbour-{n}")).await);
    }
    // The last to be taken, each time: all others are in flight when it kills.
    let poison = begin(&stage, ann, POISON).await;
    let (mut process, mut deaths) = (orders.begin(), 0);
    let mut given_up = None;
    for _ in 0..3000 {
        let seen = stage.snapshot(ann, poison).await;
        if seen.state == StateName::DraftFailed {
            given_up = seen.problem;
            break;
        }
        if process.is_over() {
            deaths += 1;
            process = orders.begin();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(given_up.expect("it is given up").code, "process_lost");
    assert!(orders.count("draft", POISON) <= terms.tries as usize, "{} calls", orders.count("draft", POISON));
    assert_eq!(deaths, orders.count("draft", POISON), "each call was a death");
    for task in others {
        stage.until(ann, task, StateName::AwaitingReview).await;
    }
    let late = begin(&stage, ann, "late").await;
    stage.until(ann, late, StateName::AwaitingReview).await;
    assert!(!process.is_over());
}
