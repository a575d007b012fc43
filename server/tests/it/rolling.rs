//! A rolling restart: who leaves hands back at once and takes nothing more, who comes goes on.

use std::io::Write as _;

use domain::explanation::StateName;
use rustix::process::Signal;

use crate::{
    doubles::Turn,
    processes::Process,
    stage::{Stage, accept},
};

#[tokio::test(flavor = "multi_thread")]
async fn one_server_leaves_while_another_comes_and_fifty_tasks_go_on_e5() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    // A lease that outlasts the test: what goes on was handed back, it did not run out.
    let busy = [("MOORING_CONCURRENCY", "100"), ("MOORING_LEASE", "10m")];
    let mut leaving = Process::serve(&stage, &[("MOORING_MODEL_DELAY", "10m"), busy[0], busy[1]]).await;
    let tasks = stage.start_many(ann, 50).await;
    let in_flight = "select count(*) from task where active_step = 'draft' and mooring_now() < lease_until";
    stage.until_count("all are in flight", in_flight, 50).await;

    // A request that does not end keeps the leaving one there, so that it could claim if it would.
    let mut unfinished = std::net::TcpStream::connect(leaving.addr()).unwrap();
    unfinished.write_all(b"GET / HTTP/1.1\r\nhost: slow\r\n").unwrap();
    let coming = async {
        leaving.signal(Signal::TERM);
        Process::serve(&stage, &busy).await
    };
    let coming = coming.await;
    let by = |process: &Process| {
        let name = process.name();
        format!("select count(*) from task_event where kind = 'claimed' and details ->> 'process' = '{name}'")
    };
    stage.until_count("all were handed back, and taken", &by(&coming), 50).await;
    let taken_before = stage.count(&by(&leaving)).await;
    let more = stage.start_many(stage.learner("ben").await, 20).await;
    stage.until_all_are("awaiting_review", tasks.len() + more.len()).await;
    assert_eq!(taken_before, 50);
    assert_eq!(stage.count(&by(&leaving)).await, 50, "the leaving one claims nothing more");
    drop(unfinished);
    assert!(leaving.end().await.success(), "and ends well");

    for task in &tasks {
        let seen = stage.snapshot(ann, *task).await;
        stage.ask(ann, *task, accept(&seen)).await.unwrap();
    }
    stage.until_all_are("saved", tasks.len()).await;
    assert_eq!(stage.count("select count(*) from library.entry").await, 50);
    assert_eq!(stage.count("select count(*) from task_event where kind = 'try_failed'").await, 0, "no try is used up");
    drop(coming);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_told_to_stop_hands_its_task_back_at_once() {
    let stage = Stage::new().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    stage.model.then(Turn::Hang);
    let task = stage.start(ann).await;
    stage.until_seen(ann, task, "the model asked", |_| stage.model.calls().under_way() == 1).await;
    working.stop().await;
    assert!(stage.snapshot(ann, task).await.active.is_none(), "no lease is left behind");
    let next = stage.work_apart("next", stage.lease);
    stage.until(ann, task, StateName::AwaitingReview).await;
    let failed = stage.events(ann, task).await.into_iter().find(|e| e.kind == "try_failed");
    assert_eq!(failed, None, "no try was used up");
    next.stop().await;
}
