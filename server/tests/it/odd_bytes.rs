//! Whatever bytes come from outside, a task ends in a clear failure or with a cleaned text (E22).

use domain::{explanation::StateName, id::SourceVersion, record::Observation, retry::Terms};
use server::{model::ModelError, sources::SourceError};

use crate::{
    doubles::{Turn, drafted},
    stage::Stage,
};

/// What a task comes to: its draft, or the code of its problem.
enum Then {
    Draft(&'static str),
    Fails(StateName, &'static str),
}

const MEGABYTES: usize = 5_000_000;

fn seen(title: &str, content: &str, version: &str) -> Observation {
    let source_version = SourceVersion(version.to_owned());
    Observation { title: title.to_owned(), content: content.to_owned(), source_version }
}

async fn stage() -> Stage {
    Stage::on(Terms { tries: 2, backoff_ms: 1, ..Terms::default() }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn nul_bytes_and_five_megabytes_of_a_model_never_leave_a_task_stuck_e22() {
    use Then::{Draft, Fails};
    let stage = stage().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let huge = "x".repeat(MEGABYTES);
    let nul = || format!("a\0b\u{7}{}", "\0x".repeat(MEGABYTES / 2));
    let failed = StateName::DraftFailed;
    for (reply, tries, then) in [
        (Ok("An\0 apron\r\nand\u{7} a towel".to_owned()), 1, Draft("An apron\nand a towel")),
        (Ok(huge), 1, Fails(failed, "draft_too_large")),
        (Ok("\0".repeat(MEGABYTES)), 2, Fails(failed, "draft_empty")),
        (Err((ModelError::Rejected as fn(String) -> ModelError, nul())), 1, Fails(failed, "model_refused")),
        (Err((ModelError::Malformed, nul())), 1, Fails(failed, "draft_malformed")),
        (Err((ModelError::Unreachable, nul())), 2, Fails(failed, "model_unreachable")),
    ] {
        let before = stage.model.calls().begun();
        for _ in 0..tries {
            stage.model.then(match reply.clone() {
                Ok(text) => Turn::Answer(drafted(&text)),
                Err((error, text)) => Turn::Fail(error(text)),
            });
        }
        check(&stage, ann, then).await;
        assert_eq!(stage.model.calls().begun() - before, tries);
    }
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nul_bytes_and_five_megabytes_of_a_source_never_leave_a_task_stuck_e22() {
    use Then::{Draft, Fails};
    let stage = stage().await;
    let ann = stage.learner("ann").await;
    let working = stage.work();
    let huge = "x".repeat(MEGABYTES);
    let nul = || format!("a\0b\u{7}{}", "\0x".repeat(MEGABYTES / 2));
    let failed = StateName::SourceUnavailable;
    for (reply, tries, then) in [
        (
            Ok(seen("Clay\0 and\u{7} water", "one\0\r\ntwo\r", "1\0")),
            1,
            Draft("Draft number 1 about Clay  and  water."),
        ),
        (Ok(seen(&"\0t".repeat(MEGABYTES / 2), "fine", &nul())), 1, Draft("Draft number 2 about ")),
        (Ok(seen("Clay", &huge, "1")), 1, Fails(failed, "reply_too_large")),
        (Ok(seen("Clay", "\0\0\0", "1")), 1, Fails(failed, "reply_malformed")),
        (Err((SourceError::Malformed as fn(String) -> SourceError, nul())), 1, Fails(failed, "reply_malformed")),
        (Err((SourceError::Refused, nul())), 1, Fails(failed, "source_refused")),
        (Err((SourceError::Unreachable, nul())), 2, Fails(failed, "source_unreachable")),
    ] {
        let before = stage.source.calls().begun();
        for _ in 0..tries {
            stage.source.then(match reply.clone() {
                Ok(seen) => Turn::Answer(seen),
                Err((error, text)) => Turn::Fail(error(text)),
            });
        }
        check(&stage, ann, then).await;
        assert_eq!(stage.source.calls().begun() - before, tries);
    }
    working.stop().await;
}

async fn check(stage: &Stage, owner: domain::id::UserId, then: Then) {
    let task = crate::stage::new_task();
    let question = format!("What of {task}?");
    stage.ask(owner, task, crate::stage::start(&question)).await.unwrap();
    let clean = |text: &str| text.len() < 64_000 && !text.contains(|c: char| c.is_control() && !"\n\t".contains(c));
    match then {
        Then::Draft(begins) => {
            let seen = stage.until(owner, task, StateName::AwaitingReview).await;
            let text = seen.current_draft().unwrap().text.clone().unwrap();
            assert!(text.starts_with(begins) && clean(&text), "{begins}: {}", &text[..text.len().min(200)]);
            let evidence = seen.newest_evidence().unwrap();
            assert!([&seen.title, &evidence.content, &evidence.source_version.0].into_iter().all(|text| clean(text)));
            assert!(seen.title.chars().count() <= 200 && evidence.source_version.0.chars().count() <= 200);
        }
        Then::Fails(state, code) => {
            let seen = stage.until(owner, task, state).await;
            assert_eq!(seen.problem.as_ref().map(|p| p.code.as_str()), Some(code));
            let told = serde_json::to_string(&(seen, stage.events(owner, task).await)).unwrap();
            assert!(told.len() < 64_000 && !told.contains("\\u0000"), "the other side's words do not travel");
        }
    }
}
