//! The web over real sockets, the real store and a real worker.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use axum::Router;
use domain::id::TaskId;
use futures::StreamExt;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use server::{
    accounts::{Desk, directory::PgDirectory, sessions::PgSessions},
    live::Live,
    serve::{
        self, Web,
        health::{Health, Part, Report, Work},
        origin::Origins,
    },
};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::stage::{QUESTION, Stage, new_op, new_task};

struct Site {
    stage: Stage,
    addr: SocketAddr,
    stop: CancellationToken,
    serving: JoinHandle<std::io::Result<()>>,
}

struct Fine;

#[async_trait]
impl Health for Fine {
    async fn report(&self) -> Report {
        let ok = Part::Ok;
        Report { database: ok, migrations: ok, listener: ok, worker: ok, work: Work::default(), warnings: vec![] }
    }
}

impl Site {
    async fn open() -> Self {
        let stage = Stage::new().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let router = serve::router(Web {
            backend: stage.backend.clone(),
            desk: Arc::new(Desk::new(Arc::new(PgDirectory::new(stage.db.clone())))),
            sessions: Arc::new(PgSessions::new(stage.db.clone())),
            // Nobody gives hints here: what a stream shows, it found by itself.
            live: Live::default(),
            health: Arc::new(Fine),
            origins: Origins::new(&[], addr),
            shell: "shell".to_owned(),
            assets: Router::new(),
            metrics: None,
            shutdown: stop.clone(),
        });
        let serving = tokio::spawn(serve::serve(listener, router, stop.clone()));
        Self { stage, addr, stop, serving }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}/api/v1/{path}", self.addr)
    }

    async fn post(&self, client: &Client, path: &str, body: Value) -> (StatusCode, Value) {
        let response = client.post(self.url(path)).json(&body).send().await.unwrap();
        (response.status(), response.json().await.unwrap())
    }

    /// A fresh browser, signed up.
    async fn learner(&self, name: &str) -> Client {
        let client = server::outgoing::plain().cookie_store(true).build().unwrap();
        let (status, who) = self.post(&client, "sign-up", json!({ "name": name, "passphrase": "correct horse" })).await;
        assert_eq!(status, 200, "{who}");
        client
    }

    async fn start(&self, client: &Client) -> TaskId {
        let task = new_task();
        let start = json!({ "op_id": new_op(), "task_id": task, "record_id": "wheel-throwing", "question": QUESTION });
        let (status, done) = self.post(client, "tasks/start", start).await;
        assert_eq!((status.as_u16(), done["op"]["code"].as_str()), (200, Some("started")), "{done}");
        task
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_started_watched_and_cancelled() {
    let site = Site::open().await;
    let _working = site.stage.work();
    let ada = site.learner("Ada").await;
    let task = site.start(&ada).await;

    let stream = ada.get(site.url(&format!("tasks/{task}/stream"))).send().await.unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    let mut chunks = stream.bytes_stream();
    let mut text = String::new();
    let seen = tokio::time::timeout(Duration::from_secs(30), async {
        while !text.contains(r#""state":"awaiting_review""#) {
            text += std::str::from_utf8(&chunks.next().await.unwrap().unwrap()).unwrap();
        }
    });
    seen.await.expect("the stream shows the draft");

    let cancel = json!({ "op_id": new_op(), "task_id": task });
    let (status, done) = site.post(&ada, "tasks/cancel", cancel).await;
    assert_eq!((status.as_u16(), done["task"]["state"].as_str()), (200, Some("cancelled")), "{done}");
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_elses_task_is_not_there() {
    let site = Site::open().await;
    let (ada, bob) = (site.learner("Ada").await, site.learner("Bob").await);
    let task = site.start(&ada).await;
    let nobodys = new_task();
    for path in ["tasks/read", "tasks/events", "tasks/cancel"] {
        let ask = |task: TaskId| json!({ "task_id": task, "op_id": new_op(), "after_seq": 0 });
        let theirs = site.post(&bob, path, ask(task)).await;
        assert_eq!(theirs.0, 404, "{path}");
        assert_eq!(theirs, site.post(&bob, path, ask(nobodys)).await, "{path}");
    }
    let stream = bob.get(site.url(&format!("tasks/{task}/stream"))).send().await.unwrap();
    assert_eq!(stream.status(), 404);
    assert_eq!(site.post(&ada, "tasks/read", json!({ "task_id": task })).await.1["state"], "created");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_written_as_somebody_else_is_not_stored() {
    let site = Site::open().await;
    let ada = site.learner("Ada").await;
    let start = json!({
        "op_id": new_op(), "task_id": new_task(), "as_user": new_task(), "record_id": "wheel-throwing", "question": QUESTION
    });
    let (status, refused) = site.post(&ada, "tasks/start", start).await;
    assert_eq!((status.as_u16(), refused["code"].as_str()), (401, Some("other_user")));
    assert_eq!(site.post(&ada, "tasks/list", json!({})).await.1["tasks"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn five_megabytes_are_refused_in_words_that_arrive() {
    let site = Site::open().await;
    let ada = site.learner("Ada").await;
    let (status, refused) = site.post(&ada, "tasks/start", json!({ "question": "x".repeat(5_000_000) })).await;
    assert_eq!((status.as_u16(), refused["code"].as_str()), (422, Some("too_long")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_asked_to_stop_ends_its_streams_first() {
    let site = Site::open().await;
    let ada = site.learner("Ada").await;
    let task = site.start(&ada).await;
    let stream = ada.get(site.url(&format!("tasks/{task}/stream"))).send().await.unwrap();
    let asked = Instant::now();
    site.stop.cancel();
    stream.bytes().await.expect("the stream ends, it does not break");
    site.serving.await.unwrap().unwrap();
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
}
