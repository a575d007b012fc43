//! A call that ignores a cancel and answers later: its answer is discarded, and that is noted (E18).

use std::{sync::Arc, time::Duration};

use domain::{
    explanation::{StateName, replay},
    id::RecordId,
    intent::Wish,
};
use tokio::sync::Notify;

use crate::{
    doubles::{Turn, drafted, observation},
    stage::Stage,
};

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_comes_after_the_cancel_is_discarded_and_noted_e18() {
    for step in ["look_up", "draft"] {
        let stage = Stage::new().await;
        let ann = stage.learner("ann").await;
        let go = Arc::new(Notify::new());
        if step == "draft" {
            stage.model.then(Turn::Answer(drafted("Too late.")).when(&go));
        } else {
            let record = RecordId::parse("wheel-throwing").unwrap();
            stage.source.then(Turn::Answer(observation(&record, "2")).when(&go));
        }
        // Its next heartbeat is far away, and no word reaches it: the call goes on.
        let working = stage.work_apart("ignorant", Duration::from_mins(10));
        let task = stage.start(ann).await;
        let calls = if step == "draft" { stage.model.calls() } else { stage.source.calls() };
        stage.until_seen(ann, task, "the call", |_| calls.under_way() == 1).await;
        let cancelled = stage.ask(ann, task, Wish::Cancel).await.unwrap().task;
        assert_eq!((cancelled.state, calls.under_way()), (StateName::Cancelled, 1));

        go.notify_one();
        let noted = |s: &domain::snapshot::Snapshot| cancelled.seq < s.seq;
        let after = stage.until_seen(ann, task, "a note", noted).await;
        let note = stage.events(ann, task).await.pop().unwrap();
        assert_eq!((note.kind.as_str(), note.details["step"].as_str()), ("late_result_discarded", Some(step)));
        working.stop().await;

        let last = stage.snapshot(ann, task).await;
        assert_eq!((last.state, last.seq, &last.outcome), (StateName::Cancelled, after.seq, &cancelled.outcome));
        assert_eq!((&last.evidence, &last.drafts), (&cancelled.evidence, &cancelled.drafts), "nothing was kept of it");
        let kinds = stage.kinds(ann, task).await;
        assert_eq!(kinds.iter().filter(|kind| *kind == "late_result_discarded").count(), 1, "once");
        let replayed = replay(task, &stage.store.log(task).await.unwrap()).unwrap();
        let live = stage.store.head(task).await.unwrap().unwrap().task;
        assert_eq!(replayed, live, "the note changes nothing");
        assert_eq!((calls.begun(), calls.ended()), (1, 1));
    }
}
