//! A slow step keeps its task for as long as its heart beats.

use std::time::Duration;

use domain::{explanation::StateName, snapshot::Snapshot};

use crate::{
    doubles::{Turn, drafted},
    stage::Stage,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_takes_three_leases_keeps_its_one_attempt_e1() {
    let mut stage = Stage::new().await;
    stage.lease = Duration::from_secs(1);
    let ann = stage.learner("ann").await;
    let (working, other) = (stage.work(), stage.work_apart("other", stage.lease));
    stage.model.then(Turn::Answer(drafted("Slow.")).after(stage.lease * 3));
    let task = stage.start(ann).await;
    let drafting = |s: &Snapshot| s.active.as_ref().is_some_and(|a| a.step == "draft");
    stage.until_seen(ann, task, "drafting", drafting).await;
    let before = stage.kinds(ann, task).await;

    let mut looks = 0;
    let seen = loop {
        let seen = stage.snapshot(ann, task).await;
        if seen.state == StateName::AwaitingReview {
            break seen;
        }
        assert_eq!((seen.state, drafting(&seen)), (StateName::EvidenceSaved, true), "it never leaves running");
        looks += 1;
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert!(10 < looks, "three leases are long enough to look often");
    assert_eq!(seen.current_draft().unwrap().text.as_deref(), Some("Slow."));
    assert_eq!(stage.model.calls().begun(), 1, "one call");
    let after = stage.kinds(ann, task).await;
    assert_eq!(after.iter().filter(|kind| *kind == "claimed").count(), 1, "one attempt");
    assert_eq!(after[before.len()..], ["draft_produced", "proposed"], "nothing else happened meanwhile");
    working.stop().await;
    other.stop().await;
}
