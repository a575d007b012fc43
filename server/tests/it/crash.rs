//! A process dies between an effect and its record: the same operation goes on, a read may be
//! repeated, a save never is, and what is saved is what was accepted.

use std::time::Duration;

use domain::{explanation::StateName, text::Hash};
use serde_json::json;

use crate::{
    learner::{Learner, accept as accept_over_http},
    processes::Process,
    stage::{Stage, accept},
};

/// Where the process dies; which step's operation goes on; what its successor asks for.
struct Death {
    boundary: &'static str,
    step: &'static str,
    /// Of that operation, just after the death.
    left: &'static str,
    look_ups: u64,
    model_calls: u64,
}

const DEATHS: [Death; 7] = [
    Death { boundary: "lookup.before_call", step: "look_up", left: "intended", look_ups: 1, model_calls: 1 },
    Death { boundary: "lookup.after_call", step: "look_up", left: "intended", look_ups: 1, model_calls: 1 },
    Death { boundary: "evidence.after_commit", step: "draft", left: "intended", look_ups: 0, model_calls: 1 },
    Death { boundary: "draft.after_call", step: "draft", left: "intended", look_ups: 0, model_calls: 1 },
    Death { boundary: "draft.after_commit", step: "draft", left: "done", look_ups: 0, model_calls: 0 },
    Death { boundary: "save.before_effect", step: "save", left: "sent", look_ups: 0, model_calls: 0 },
    Death { boundary: "save.after_effect", step: "save", left: "sent", look_ups: 0, model_calls: 0 },
];

#[tokio::test(flavor = "multi_thread")]
async fn after_a_death_between_call_and_outcome_the_same_operation_goes_on_e11() {
    let stage = Stage::new().await;
    stage.count_library_calls().await;
    for Death { boundary, step, left, look_ups, model_calls } in DEATHS {
        let ann = stage.learner(boundary).await;
        let asked = || (stage.source.calls().begun(), stage.model.calls().begun());
        let before = asked();
        let plan = format!("{boundary}=abort");
        let dying = Process::work(&stage, &[("MOORING_LAB", "1"), ("MOORING_FAULTS", &plan)]);
        let task = stage.start(ann).await;
        if step == "save" {
            let seen = stage.until(ann, task, StateName::AwaitingReview).await;
            stage.ask(ann, task, accept(&seen)).await.unwrap();
        }
        dying.aborts().await;
        let (op, found) = stage.only_operation(task, step).await;
        assert_eq!(found, left, "{boundary}: it died where it should");
        let had_saved = stage.entries(task).await == 1;

        let successor = stage.work_apart("successor", Duration::from_secs(1));
        let seen = stage.until_seen(ann, task, "an end", |s| s.active.is_none() && s.draft_version == Some(1)).await;
        if step != "save" {
            stage.ask(ann, task, accept(&seen)).await.unwrap();
        }
        stage.until(ann, task, StateName::Saved).await;
        assert_eq!(stage.only_operation(task, step).await, (op, "done".to_owned()), "{boundary}: the same operation");
        assert_eq!(
            asked(),
            (before.0 + look_ups, before.1 + model_calls),
            "{boundary}: what was stored is not asked for again, what was not is, once"
        );
        assert_eq!((stage.save_calls(task).await, stage.entries(task).await), (1, 1), "{boundary}: a save never is");

        let events = stage.events(ann, task).await;
        let claims: Vec<_> = events.iter().filter(|e| e.kind == "claimed" && e.op_id == Some(op)).collect();
        if step != "draft" {
            assert_eq!(claims.len(), 2, "{boundary}: both claims were for the one operation");
        }
        let was_found = events.iter().find(|e| e.kind == "save_confirmed").unwrap().details["found"].clone();
        assert_eq!(was_found, json!(had_saved), "{boundary}: a save that had happened was found, by its operation");
        successor.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_saved_has_the_hash_that_was_accepted_e12() {
    let stage = Stage::new().await;
    for (round, boundary) in (1..).zip(["accept.after_commit", "save.before_effect", "save.after_effect"]) {
        let plan = [("MOORING_LAB", "1"), ("MOORING_FAULTS", &format!("{boundary}=abort")[..])];
        let dies_at_accept = boundary == "accept.after_commit";
        let calm = [("MOORING_NO_WORKER", "1")];
        let dying_server = [plan[0], plan[1], calm[0]];
        let server = Process::serve(&stage, if dies_at_accept { &dying_server } else { &calm }).await;
        let ann = Learner::sign_up(&server, &format!("ann {round}")).await;
        // This model writes another text at each call.
        let working = stage.work();
        let seen = stage.reviewed(ann.id).await;
        let accepted = seen.current_draft().unwrap().hash.clone();
        working.stop().await;

        let picture = ann.read(&server, seen.task_id).await;
        let reply = ann.try_post(&server, "tasks/accept", accept_over_http(&picture)).await;
        assert_eq!(reply.is_err(), dies_at_accept, "{boundary}: the reply is lost only with its server");
        if dies_at_accept {
            server.aborts().await;
        } else {
            Process::work(&stage, &plan).aborts().await;
        }
        let recovered = stage.work_apart("successor", Duration::from_secs(1));
        let saved = stage.until(ann.id, seen.task_id, StateName::Saved).await;
        let text = stage.saved_text(seen.task_id).await;
        assert_eq!(Some(&text), seen.current_draft().unwrap().text.as_ref(), "{boundary}: byte for byte");
        assert_eq!(Hash::of(&text), accepted, "{boundary}");
        assert_eq!(
            (saved.drafts.len(), stage.model.calls().begun()),
            (1, round),
            "{boundary}: the model is not asked again"
        );
        recovered.stop().await;
    }
}
