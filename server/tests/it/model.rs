//! A model behind somebody else's server: what it is sent, and what becomes of each answer.

use std::time::Duration;

use app::ports::backend::Backend as _;
use domain::{explanation::StateName, intent::Wish, retry::Terms, snapshot::Usage};
use serde_json::Value;
use server::sources::fixture::FixtureSource;

use crate::{
    chat_server::{ChatServer, KEY, Says, completion},
    stage::Stage,
};

const USED_UP: &str = r#"{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}"#;
const UNAUTHORIZED: &str = r#"{"error": {"message": "Incorrect API key: {key}", "code": "invalid_api_key"}}"#;

#[tokio::test(flavor = "multi_thread")]
async fn each_answer_of_the_model_is_retried_bounded_failed_or_marked_s4() {
    let stage = Stage::on(Terms { tries: 3, backoff_ms: 10, ..Terms::default() }).await;
    let server = ChatServer::begin().await;
    let working = stage.asking(FixtureSource::embedded(), server.model());
    let big = "x".repeat(1_100_000);
    for (nth, (says, times, code, calls)) in [
        (Says::Status(429, Some("1"), ""), 1, None, 2),
        (Says::Status(500, None, "{}"), 2, None, 3),
        (Says::Status(503, None, "<html>"), 3, Some("model_unreachable"), 3),
        (Says::Status(401, None, UNAUTHORIZED), 1, Some("model_refused"), 1),
        (Says::Status(403, None, ""), 1, Some("model_refused"), 1),
        (Says::Status(429, None, USED_UP), 1, Some("model_refused"), 1),
        (Says::Raw(r#"{"error": {"message": "no", "code": 502}}"#.to_owned()), 1, None, 2),
        (Says::Raw(r#"{"error": {"message": "no", "code": 400}}"#.to_owned()), 1, Some("model_refused"), 1),
        (Says::HalfAn(401), 1, Some("model_refused"), 1),
        (Says::Status(404, None, ""), 1, Some("model_refused"), 1),
        (Says::Status(302, None, ""), 1, Some("model_refused"), 1),
        (Says::Raw("{\"choices\": [".to_owned()), 1, Some("draft_malformed"), 1),
        (Says::Raw(big.clone()), 1, Some("draft_too_large"), 1),
        (completion(&big[..30_000], "stop"), 1, Some("draft_too_large"), 1),
        (completion(" \n\u{0}", "stop"), 3, Some("draft_empty"), 3),
    ]
    .into_iter()
    .enumerate()
    {
        let ann = stage.learner(&format!("ann {nth}")).await;
        let before = server.asked().len();
        for _ in 0..times {
            server.then(says.clone());
        }
        let task = stage.start(ann).await;
        let end = if code.is_some() { StateName::DraftFailed } else { StateName::AwaitingReview };
        let seen = stage.until(ann, task, end).await;
        assert_eq!(seen.problem.map(|problem| problem.code).as_deref(), code, "case {nth}");
        assert_eq!(server.asked().len() - before, calls, "case {nth}: calls of the model");
        assert_eq!(seen.evidence.len(), 1, "case {nth}: the evidence is kept");
    }

    let ann = stage.learner("ann").await;
    server.then(completion("Bring an apron and", "length"));
    let task = stage.start(ann).await;
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    assert_eq!(seen.notice.as_ref().unwrap().code, "draft_incomplete", "cut off at the limit, and said so");
    let draft = seen.current_draft().unwrap();
    assert_eq!((draft.produced_by.as_str(), draft.simulated), ("test-model", false));
    assert_eq!(draft.usage, Some(Usage { read: 100, written: 20 }));
    assert_eq!(
        stage.backend.draft(ann, task, draft.version).await.unwrap().usage,
        draft.usage,
        "also where it is read alone"
    );
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_that_the_model_asks_for_is_waited_for_s4() {
    let stage = Stage::on(Terms { tries: 3, backoff_ms: 10, ..Terms::default() }).await;
    let server = ChatServer::begin().await;
    server.then(Says::Status(429, Some("30"), ""));
    let working = stage.asking(FixtureSource::embedded(), server.model());
    let ann = stage.learner("ann").await;
    let task = stage.start(ann).await;
    let seen = stage.until_seen(ann, task, "a wait", |seen| seen.next_try_at.is_some()).await;
    let wait = seen.next_try_at.unwrap().since(seen.updated_at);
    assert!(Duration::from_secs(29) <= wait, "{wait:?}");
    stage.shift_clock("31 seconds").await;
    stage.until(ann, task, StateName::AwaitingReview).await;
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_hangs_is_given_up_within_the_step() {
    let stage = Stage::on(Terms { tries: 2, backoff_ms: 10, ..Terms::default() }).await;
    let server = ChatServer::begin().await;
    server.then(Says::Hang).then(completion("Bring an apron.", "stop"));
    let working = stage.asking_within(Duration::from_secs(2), FixtureSource::embedded(), server.model());
    let ann = stage.learner("ann").await;
    let task = stage.start(ann).await;
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    assert_eq!((seen.current_draft().unwrap().text.as_deref(), server.asked().len()), (Some("Bring an apron."), 2));
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_model_counts_is_counted_against_the_tasks_budget() {
    let stage = Stage::on(Terms { model_tokens: 200, backoff_ms: 10, ..Terms::default() }).await;
    let server = ChatServer::begin().await;
    let working = stage.asking(FixtureSource::embedded(), server.model());
    let ann = stage.learner("ann").await;
    let seen = stage.reviewed(ann).await;
    for (version, code) in [(1, None), (2, Some("budget_used_up"))] {
        stage.ask(ann, seen.task_id, Wish::Redraft { base_version: version }).await.unwrap();
        let back = stage.until(ann, seen.task_id, StateName::AwaitingReview).await;
        assert_eq!(back.drafts.len(), 2, "120 tokens a draft: the second is begun within the 200, a third is not");
        assert_eq!(back.notice.map(|notice| notice.code).as_deref(), code);
    }
    assert_eq!(server.asked().len(), 2);

    // Replies that are no drafts are counted too: the third try would be over the 200.
    let ben = stage.learner("ben").await;
    server.then(completion(" \n", "stop")).then(completion("", "stop"));
    let task = stage.start(ben).await;
    let failed = stage.until(ben, task, StateName::DraftFailed).await;
    assert_eq!(failed.problem.map(|problem| problem.code).as_deref(), Some("budget_used_up"));
    assert_eq!(server.asked().len(), 4);
    working.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_gives_orders_is_sent_as_data_and_no_secret_comes_back_s1() {
    let stage = Stage::new().await;
    let server = ChatServer::begin().await;
    let working = stage.asking(FixtureSource::embedded(), server.model());
    let ann = stage.learner("ann").await;
    let task = stage.start_about(ann, "lino-cut").await;
    let seen = stage.until(ann, task, StateName::AwaitingReview).await;
    let content = &seen.newest_evidence().unwrap().content;

    let (bearer, body) = server.asked().remove(0);
    assert_eq!(bearer, format!("Bearer {KEY}"), "the key goes into its header");
    assert!(!body.to_string().contains(KEY), "and nowhere else");
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages.iter().map(|m| m["role"].as_str().unwrap()).collect::<Vec<_>>(), ["system", "user"]);
    let said: Value = serde_json::from_str(messages[1]["content"].as_str().unwrap()).unwrap();
    assert_eq!(said["record"]["content"].as_str(), Some(content.as_str()), "the record is one value within the data");
    let members: Vec<&String> = said.as_object().unwrap().keys().collect();
    assert_eq!(members, ["question", "record"], "evidence and question, nothing else");
    let text = seen.current_draft().unwrap().text.clone().unwrap();
    assert!(text.contains("(not shown)") && !text.contains(KEY), "the server repeated the key: {text}");

    // Characters that are not kept may stand within it.
    let parted = KEY.chars().flat_map(|c| [c, '\u{7f}', '\0']).collect::<String>();
    server.then(completion(&format!("It is {parted}."), "stop"));
    stage.ask(ann, task, Wish::Redraft { base_version: 1 }).await.unwrap();
    let again = stage.until_seen(ann, task, "a second draft", |seen| seen.draft_version == Some(2)).await;
    assert_eq!(again.current_draft().unwrap().text.as_deref(), Some("It is (not shown)."));
    working.stop().await;
}
