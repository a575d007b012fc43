//! Postgres itself dies, again and again, while learners and workers are at it: nothing is lost,
//! nothing is done twice, and nobody has to lend a hand (E31).

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use app::{api::error::ApiError, ports::backend::Backend as _};
use domain::{
    explanation::{StateName, replay},
    fault::Code,
    id::{OpId, TaskId, UserId},
    intent::{Done, Wish},
    retry::Terms,
    snapshot::Snapshot,
};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use rustix::process::{Pid, Signal, kill_process};

use crate::{
    processes::Process,
    stage::{Stage, accept, new_op, new_task, rounds, start},
};

/// However long an outage takes; what is not done by then needs a hand.
const PATIENCE: Duration = Duration::from_mins(1);

/// Asks until there is an answer, as a device does: the same operation each time.
async fn insist(stage: &Stage, owner: UserId, task: TaskId, op: OpId, wish: Wish) -> Result<Done, ApiError> {
    let since = Instant::now();
    loop {
        match stage.ask_as(owner, task, op, wish.clone()).await {
            Err(error) if error.code == Code::Unavailable && since.elapsed() < PATIENCE => {}
            answered => return answered,
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn come_to(stage: &Stage, owner: UserId, task: TaskId, state: StateName) -> Snapshot {
    let since = Instant::now();
    let mut last = None;
    while since.elapsed() < PATIENCE {
        if let Ok(seen) = stage.backend.task(owner, task).await {
            if seen.state == state {
                return seen;
            }
            last = Some((seen.state, seen.problem));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the task did not come to {state:?} by itself; it is {last:?}");
}

/// One learner after the other, from start to saved, until the outages are over.
async fn learn(stage: Arc<Stage>, owner: UserId, over: Arc<AtomicBool>) -> Vec<TaskId> {
    let mut tasks = Vec::new();
    while !over.load(SeqCst) {
        let (task, op) = (new_task(), new_op());
        insist(&stage, owner, task, op, start(&format!("What of {task}?"))).await.unwrap();
        let seen = come_to(&stage, owner, task, StateName::AwaitingReview).await;
        insist(&stage, owner, task, new_op(), accept(&seen)).await.unwrap();
        come_to(&stage, owner, task, StateName::Saved).await;
        tasks.push(task);
    }
    tasks
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_that_is_killed_at_random_under_load_costs_time_and_nothing_else_e31() {
    let folder = tempfile::tempdir().unwrap();
    let stage = Arc::new(Stage::at(folder.path(), Terms::default()).await);
    let working = stage.work();
    let mut other = Process::work(&stage, &[("MOORING_LEASE", "10s"), ("MOORING_MODEL_DELAY", "50ms")]);
    let over = Arc::new(AtomicBool::new(false));
    let mut learners = Vec::new();
    for n in 0..6 {
        let owner = stage.learner(&format!("learner {n}")).await;
        learners.push((owner, tokio::spawn(learn(stage.clone(), owner, over.clone()))));
    }

    let seed = rand::random();
    eprintln!("the moments of the outages are drawn from seed {seed}");
    let mut drawn = StdRng::seed_from_u64(seed);
    for _ in 0..rounds(3, 20) {
        tokio::time::sleep(Duration::from_millis(drawn.random_range(200..1500))).await;
        let pid = stage.postgres.server_pid().unwrap();
        let at_once = if drawn.random() { Signal::KILL } else { Signal::QUIT };
        kill_process(Pid::from_raw(pid).unwrap(), at_once).unwrap();
        let since = Instant::now();
        while stage.store.now().await.is_err() || stage.postgres.server_pid() == Some(pid) {
            assert!(since.elapsed() < PATIENCE, "Postgres does not come back");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    over.store(true, SeqCst);

    let mut done = 0;
    for (owner, learner) in learners {
        for task in learner.await.unwrap() {
            assert_eq!(stage.entries(task).await, 1, "one entry");
            let live = stage.store.head(task).await.unwrap().unwrap().task;
            assert_eq!(replay(task, &stage.store.log(task).await.unwrap()), Some(live), "the log is the state");
            let seen = stage.snapshot(owner, task).await;
            assert_eq!((seen.state, seen.drafts.len(), seen.evidence.len()), (StateName::Saved, 1, 1));
            done += 1;
        }
    }
    eprintln!("{done} tasks went through");
    assert!(6 <= done);
    assert!(other.is_alive(), "the worker in its own process outlived its database");
    working.stop().await;
    drop(other);
    Arc::into_inner(stage).unwrap().postgres.remove().await.unwrap();
}
