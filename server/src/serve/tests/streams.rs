//! The event stream, read as a client reads it. Time stands still unless a test waits.

use std::time::Duration;

use axum::{
    body::{Body, BodyDataStream},
    http::Request,
};
use domain::id::{TaskId, UserId};
use futures::StreamExt;
use serde_json::Value;
use tokio::time::timeout;
use uuid::Uuid;

use super::{Browser, World, read};

const TASK: TaskId = TaskId(Uuid::from_u128(77));

struct Stream {
    body: BodyDataStream,
    text: String,
}

/// One event: its kind, its id, its data.
type Event = (String, Option<String>, Value);

impl Stream {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let found = event.lines().find_map(|line| line.strip_prefix(name));
                    found.map(|value| value.trim_start_matches([':', ' ']).to_owned())
                };
                let data = serde_json::from_str(&field("data").unwrap()).unwrap();
                let event = (field("event").unwrap(), field("id"), data);
                self.text = rest.to_owned();
                return Some(event);
            }
            let chunk = self.body.next().await?.unwrap();
            self.text += std::str::from_utf8(&chunk).unwrap();
        }
    }

    async fn expect(&mut self, kind: &str) -> Value {
        let event = timeout(Duration::from_secs(11), self.next()).await.expect("nothing was sent").expect("ended");
        assert_eq!(event.0, kind, "{event:?}");
        assert_eq!(event.1.is_some(), kind == "task", "only a task moves the place to go on from");
        assert_eq!(event.2["schema"], 1);
        event.2
    }
}

async fn ada(world: &World) -> (Browser, UserId) {
    let mut browser = Browser::new(world);
    let who = browser.sign_up("Ada").await.done();
    (browser, who["user_id"].as_str().unwrap().parse().unwrap())
}

async fn open(browser: &mut Browser, query: &str, last: Option<&str>) -> Stream {
    let mut request = Request::builder().uri(format!("/api/v1/tasks/{TASK}/stream{query}"));
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    let response = browser.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(response.status().as_u16(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    Stream { body: response.into_body().into_data_stream(), text: String::new() }
}

#[tokio::test(start_paused = true)]
async fn a_stream_tells_what_is_new_and_then_beats() {
    let world = World::new();
    let (mut browser, owner) = ada(&world).await;
    world.backend.put(owner, TASK, 3);
    let mut stream = open(&mut browser, "", None).await;
    assert_eq!(stream.expect("task").await["seq"], 3);
    assert_eq!(stream.expect("beat").await["seq"], 3);
    assert_eq!(stream.expect("beat").await["active"], Value::Null);

    world.backend.put(owner, TASK, 4);
    world.live.publish(TASK, 4);
    assert_eq!(stream.expect("task").await["seq"], 4);

    // Nobody gave a hint of this one.
    world.backend.put(owner, TASK, 5);
    assert_eq!(stream.expect("task").await["seq"], 5);
    assert_eq!(stream.expect("beat").await["seq"], 5);
}

#[tokio::test(start_paused = true)]
async fn a_client_goes_on_from_where_it_was() {
    let world = World::new();
    let (mut browser, owner) = ada(&world).await;
    world.backend.put(owner, TASK, 3);
    open(&mut browser, "?after_seq=3", None).await.expect("beat").await;
    open(&mut browser, "?after_seq=2", None).await.expect("task").await;
    open(&mut browser, "?after_seq=0", Some("3")).await.expect("beat").await;
    browser.get(&format!("/api/v1/tasks/{TASK}/stream?after_seq=x")).await.refused(422, "malformed");
    assert!(world.live.is_empty(), "a closed stream is no onlooker");
}

#[tokio::test(start_paused = true)]
async fn what_is_not_mine_is_not_there() {
    let world = World::new();
    let (mut browser, owner) = ada(&world).await;
    world.backend.put(owner, TASK, 3);
    let path = format!("/api/v1/tasks/{TASK}/stream");
    Browser::new(&world).get(&path).await.refused(401, "signed_out");
    let mut other = Browser::new(&world);
    other.sign_up("Bob").await.done();
    let theirs = other.get(&path).await;
    theirs.refused(404, "not_found");
    assert_eq!(theirs.body, browser.get(&format!("/api/v1/tasks/{}/stream", Uuid::nil())).await.body);
    assert_eq!(theirs.body, browser.get("/api/v1/tasks/nonsense/stream").await.body);
}

#[tokio::test(start_paused = true)]
async fn the_stream_ends_with_the_session() {
    let world = World::new();
    let (mut browser, owner) = ada(&world).await;
    world.backend.put(owner, TASK, 3);
    let mut stream = open(&mut browser, "?after_seq=3", None).await;
    stream.expect("beat").await;
    browser.post("/api/v1/sign-out", "{}").await.done();
    assert_eq!(stream.expect("gone").await["code"], "signed_out");
    assert!(stream.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn the_stream_ends_with_the_server() {
    let world = World::new();
    let (mut browser, owner) = ada(&world).await;
    world.backend.put(owner, TASK, 3);
    let response = Request::builder().uri(format!("/api/v1/tasks/{TASK}/stream")).body(Body::empty()).unwrap();
    let response = browser.send(response).await;
    world.shutdown.cancel();
    let told = read(response).await.body;
    assert!(told.starts_with("event: task\nid: 3\ndata: {"), "{told}");
}
