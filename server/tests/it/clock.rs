//! A process whose clock is ten minutes off steals nothing and lets nothing expire (E23). Whose
//! clock is right is for nobody to say: what counts is how far it is from the database's, so it is
//! the database's that is moved. That nothing reads a process's clock at all, `tidy` sees to.

use domain::{explanation::StateName, fault::Code, retry::Terms};
use serde_json::json;

use crate::{
    processes::Process,
    serving::Serving,
    stage::{Stage, accept},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_ten_minutes_off_means_no_early_steal_and_no_early_expiry_e23() {
    for off in ["10 minutes", "-10 minutes"] {
        // Less than the clock is off: whoever went by a process's own would be wrong each time.
        let stage = Stage::on(Terms { proposal_s: 5 * 60, ..Terms::default() }).await;
        stage.shift_clock(off).await;
        let serving = Serving::begin(&stage, &[("MOORING_NO_WORKER", "1")]).await;
        let ann = serving.sign_up(&stage, "ann").await;
        // Three leases long, before the eyes of a second worker that would take it.
        let slow = [("MOORING_MODEL_DELAY", "3s")];
        let _workers = [Process::work(&stage, &slow), Process::work(&stage, &slow)];
        let task = stage.start(ann).await;
        let seen = stage.until(ann, task, StateName::AwaitingReview).await;
        let kinds = stage.kinds(ann, task).await;
        assert_eq!(kinds.iter().filter(|kind| *kind == "claimed").count(), 1, "nobody stole it: {kinds:?}");
        assert!(!kinds.contains(&"try_failed".to_owned()), "{kinds:?}");
        let left = seen.proposal.as_ref().unwrap().expires_at.since(seen.server_time);
        assert!((4 * 60..=5 * 60).contains(&left.as_secs()), "{left:?}");

        stage.shift_clock("4 minutes").await;
        stage.ask(ann, task, accept(&seen)).await.expect("it has not expired");
        stage.until(ann, task, StateName::Saved).await;
        let late = stage.reviewed(ann).await;
        stage.shift_clock("6 minutes").await;
        assert_eq!(stage.ask(ann, late.task_id, accept(&late)).await.unwrap_err().code, Code::Expired);
        let listed = serving.post("tasks/list", json!({})).await;
        assert_eq!(listed["tasks"].as_array().unwrap().len(), 2, "nor has the session");
    }
}
