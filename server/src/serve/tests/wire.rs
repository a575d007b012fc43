//! What crosses the wire: one shape for every answer, one shell for every page.

use axum::http::{Method, Request};
use serde_json::json;

use super::{Browser, World, read};
use crate::serve::health::Part;

const TASK: &str = "00000000-0000-4000-8000-000000000001";

#[tokio::test]
async fn what_can_never_be_right_is_malformed() {
    let mut browser = Browser::new(&World::new());
    browser.sign_up("Ada").await.done();
    let start = "/api/v1/tasks/start";
    let long = format!(r#"{{"pad":"{}"}}"#, "x".repeat(2 * 1024 * 1024));
    let typed = json!({ "op_id": TASK, "task_id": TASK, "record_id": "r", "question": 5 }).to_string();
    for bad in ["", "{", "[]", "null", "name=Ada", "\u{0}", "{}", &typed, r#"{"op_id":"not an id"}"#] {
        browser.post(start, bad.to_owned()).await.refused(422, "malformed");
    }
    browser.post(start, long).await.refused(422, "too_long");
    let unknown = browser.post("/api/v1/who-am-i", r#"{"schema":2}"#).await.refused(422, "malformed");
    assert_eq!(unknown.params.get("schema").map(String::as_str), Some("2"));
    browser.post("/api/v1/who-am-i", r#"{"schema":1,"unheard_of":true}"#).await.done();
}

#[tokio::test]
async fn a_text_over_its_limit_and_a_text_with_nul_are_named() {
    let mut browser = Browser::new(&World::new());
    browser.sign_up("Ada").await.done();
    let start = |question: String| {
        json!({ "op_id": TASK, "task_id": TASK, "record_id": "r", "question": question }).to_string()
    };
    let refused = browser.post("/api/v1/tasks/start", start("x".repeat(100_000))).await.refused(422, "too_long");
    assert_eq!(refused.params.get("field").map(String::as_str), Some("question"));
    browser.post("/api/v1/tasks/start", start("a\0b".to_owned())).await.refused(422, "bad_characters");
    browser.post("/api/v1/tasks/start", start(" ".to_owned())).await.refused(422, "empty");
}

#[tokio::test]
async fn the_status_follows_from_the_code() {
    let mut browser = Browser::new(&World::new());
    let edit = json!({ "op_id": TASK, "task_id": TASK, "base_version": 1, "text": "mine" }).to_string();
    browser.post("/api/v1/tasks/edit", edit.clone()).await.refused(401, "signed_out");
    browser.sign_up("Ada").await.done();
    let stale = browser.post("/api/v1/tasks/edit", edit).await.refused(409, "stale_version");
    assert_eq!(stale.current.map(|task| task.seq), Some(7));
    let other = json!({ "op_id": TASK, "task_id": TASK, "as_user": TASK, "base_version": 1, "text": "mine" });
    browser.post("/api/v1/tasks/edit", other.to_string()).await.refused(401, "other_user");
    browser.post("/api/v1/tasks/read", json!({ "task_id": TASK }).to_string()).await.refused(404, "not_found");
    let draft = json!({ "task_id": TASK, "version": 1 }).to_string();
    let away = browser.post("/api/v1/tasks/draft", draft).await;
    away.refused(503, "unavailable");
    assert_eq!(away.header("retry-after"), "2");
}

#[tokio::test]
async fn a_panic_is_not_available_and_the_next_request_is_fine() {
    let mut browser = Browser::new(&World::new());
    browser.sign_up("Ada").await.done();
    browser.post("/api/v1/tasks/list", "{}").await.refused(503, "unavailable");
    browser.who().await.done();
}

#[tokio::test]
async fn what_is_not_there_is_not_found_in_our_own_words() {
    let mut browser = Browser::new(&World::new());
    for path in ["/api", "/api/", "/api/v1", "/api/v1/unknown", "/api/v2/who-am-i", "/api/v1/tasks/x/stream/y"] {
        browser.get(path).await.refused(404, "not_found");
        browser.post(path, "{}").await.refused(404, "not_found");
        browser.post(path, "neither here nor there").await.refused(404, "not_found");
    }
    browser.get("/api/v1/who-am-i").await.refused(404, "not_found");
    browser.post("/api/v1/tasks/x/stream", "{}").await.refused(404, "not_found");
}

#[tokio::test]
async fn a_plain_form_is_not_redirected() {
    let mut browser = Browser::new(&World::new());
    let request = Request::builder()
        .method(Method::POST)
        .uri("/api/v1/who-am-i")
        .header("accept", "text/html")
        .header("referer", "http://127.0.0.1:3000/sign-in")
        .body("{}".into())
        .unwrap();
    read(browser.send(request).await).await.refused(401, "signed_out");
}

#[tokio::test]
async fn another_sites_post_is_refused_and_a_scripts_is_not() {
    let mut browser = Browser::new(&World::new());
    for (name, value) in [("origin", "https://evil.example"), ("origin", "null"), ("sec-fetch-site", "cross-site")] {
        let request = Request::builder().method(Method::POST).uri("/api/v1/who-am-i").header(name, value);
        read(browser.send(request.body("{}".into()).unwrap()).await).await.refused(403, "foreign_origin");
    }
    let ours =
        Request::builder().method(Method::POST).uri("/api/v1/who-am-i").header("origin", "http://localhost:3000");
    read(browser.send(ours.body("{}".into()).unwrap()).await).await.refused(401, "signed_out");
    browser.who().await.refused(401, "signed_out");
}

#[tokio::test]
async fn every_page_is_the_same_shell() {
    let mut browser = Browser::new(&World::new());
    let first = browser.get("/").await;
    assert_eq!((first.status.as_u16(), first.header("content-type")), (200, "text/html; charset=utf-8"));
    for page in ["/tasks", &format!("/tasks/{TASK}"), "/library", "/library/x", "/sign-in", "/sign-up", "/about"] {
        let other = browser.get(page).await;
        assert_eq!((other.status.as_u16(), &other.body), (200, &first.body), "{page}");
    }
    let unknown = browser.get("/no/such/page").await;
    assert_eq!((unknown.status.as_u16(), &unknown.body), (404, &first.body));
    let kept = Request::builder().uri("/about").header("if-none-match", first.header("etag"));
    assert_eq!(read(browser.send(kept.body("".into()).unwrap()).await).await.status.as_u16(), 304);
}

#[tokio::test]
async fn a_missing_file_is_never_a_page() {
    let mut browser = Browser::new(&World::new());
    assert_eq!(browser.get("/pkg/app.js").await.body, "js");
    for missing in ["/pkg/app-0123.wasm", "/favicon.ico", "/sw.js.map"] {
        let read = browser.get(missing).await;
        assert_eq!(read.status.as_u16(), 404);
        assert!(!read.header("content-type").starts_with("text/html"), "{missing}");
    }
}

#[tokio::test]
async fn every_answer_forbids_what_is_not_ours() {
    let mut browser = Browser::new(&World::new());
    for path in ["/", "/no/such/page", "/api/none", "/pkg/app.js", "/healthz"] {
        let read = browser.get(path).await;
        assert!(read.header("content-security-policy").contains("script-src 'self' 'wasm-unsafe-eval';"), "{path}");
        assert_eq!(read.header("x-content-type-options"), "nosniff");
    }
}

#[tokio::test]
async fn ready_is_red_while_something_that_should_run_is_down() {
    let mut world = World::new();
    let green = Browser::new(&world).get("/readyz").await;
    assert_eq!((green.status.as_u16(), green.json()["worker"].as_str()), (200, Some("off")));
    world.listener = Part::Down;
    let red = Browser::new(&world).get("/readyz").await;
    assert_eq!((red.status.as_u16(), red.json()["ready"].as_bool()), (503, Some(false)));
    assert_eq!(Browser::new(&world).get("/healthz").await.status.as_u16(), 200);
}
