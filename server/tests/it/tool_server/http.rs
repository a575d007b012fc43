//! The same server at an address: who may come in, sessions, and statuses of every kind.

use std::{
    collections::{BTreeSet, VecDeque},
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::{delete, get, post},
};
use serde_json::{Value, json};
use server::{
    secret::Secret,
    sources::mcp::{Settings, way::Way},
};
use tokio::{net::TcpListener, sync::Notify};

use super::{Answer, answer, asked_by};

const SESSION: &str = "mcp-session-id";

/// What it is told in confidence, and demands.
pub const TOKEN: &str = r#"token/with\"confided-5678"#;

/// A server that listens until the test ends. Clones are the same server.
#[derive(Clone)]
pub struct AtAddress {
    pub url: String,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    sessions: Mutex<BTreeSet<String>>,
    begun: AtomicUsize,
    asked: Mutex<Vec<String>>,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
    /// How the next calls of a tool are answered, in place of the tool.
    statuses: Mutex<VecDeque<(u16, Option<&'static str>)>>,
    /// Answers come as events.
    events: AtomicBool,
    /// As [`answer`] takes it.
    handshake: Mutex<&'static str>,
    /// Who asks for `held` waits for this.
    held: Notify,
    /// How it says that it does not know a session.
    unknown: Mutex<Unknown>,
    /// Questions of its own that went out.
    questions: AtomicUsize,
}

/// How a server says that it does not know a session.
#[derive(Clone, Copy, Debug, Default)]
pub enum Unknown {
    #[default]
    NotFound,
    /// A bad request, with an error under the ID of the request.
    UnderItsId,
    /// The same, under no ID.
    UnderNone,
}

impl AtAddress {
    pub async fn begin() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let seen = Arc::new(Seen::default());
        let router = Router::new()
            .route("/mcp", post(asked))
            .route("/mcp", delete(StatusCode::OK))
            .route("/mcp", get(listened_to));
        let router = router.with_state(Arc::clone(&seen));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, seen }
    }

    pub fn settings(&self) -> Settings {
        asked_by(Way::Http { url: self.url.clone(), token: Some(Secret::from(TOKEN.to_owned())) })
    }

    /// Sessions that were begun.
    pub fn sessions(&self) -> usize {
        self.seen.begun.load(SeqCst)
    }

    /// The records that its tool was asked for.
    pub fn asked(&self) -> Vec<String> {
        self.seen.asked.lock().unwrap().clone()
    }

    pub fn most_at_once(&self) -> usize {
        self.seen.most_at_once.load(SeqCst)
    }

    /// As a server that was started anew.
    pub fn forget_sessions(&self) {
        self.seen.sessions.lock().unwrap().clear();
    }

    pub fn says_of_an_unknown_session(&self, how: Unknown) {
        *self.seen.unknown.lock().unwrap() = how;
    }

    /// Questions of its own that went out.
    pub fn questions(&self) -> usize {
        self.seen.questions.load(SeqCst)
    }

    /// As another server at the same address.
    pub fn become_one_that(&self, handshake: &'static str) {
        *self.seen.handshake.lock().unwrap() = handshake;
    }

    /// Waits until somebody asks for `held`.
    pub async fn is_holding(&self) {
        for _ in 0..3000 {
            if 0 < self.seen.at_once.load(SeqCst) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("in 30 s nobody asked for it");
    }

    /// Answers whoever asks for `held`.
    pub fn let_go(&self) {
        self.seen.held.notify_waiters();
    }

    pub fn then(&self, status: u16, retry_after: Option<&'static str>) {
        self.seen.statuses.lock().unwrap().push_back((status, retry_after));
    }

    pub fn answer_by_events(&self) {
        self.seen.events.store(true, SeqCst);
    }
}

async fn asked(State(seen): State<Arc<Seen>>, headers: HeaderMap, body: String) -> Response {
    let bearer = format!("Bearer {TOKEN}");
    if headers.get(header::AUTHORIZATION).is_none_or(|value| value != bearer.as_str()) {
        return (StatusCode::UNAUTHORIZED, format!("not with {bearer}")).into_response();
    }
    let message: Value = serde_json::from_str(&body).unwrap();
    let is_first = message["method"] == "initialize";
    let session = headers.get(SESSION).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    if !is_first && !seen.sessions.lock().unwrap().contains(&session) {
        let id = match *seen.unknown.lock().unwrap() {
            Unknown::NotFound => return StatusCode::NOT_FOUND.into_response(),
            Unknown::UnderItsId => &message["id"],
            Unknown::UnderNone => &Value::Null,
        };
        let error = json!({ "code": -32000, "message": "Bad Request: No valid session ID provided" });
        let said = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
        return (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], said).into_response();
    }
    if message["method"].is_null() && *seen.handshake.lock().unwrap() == "floods" {
        // It asks, and takes no answer.
        pending::<()>().await;
    }
    if message["method"] == "tools/call" {
        if let Some((status, wait)) = seen.statuses.lock().unwrap().pop_front() {
            let status = StatusCode::from_u16(status).unwrap();
            return match wait {
                Some(wait) => (status, [(header::RETRY_AFTER, wait)], format!("no, {TOKEN}")).into_response(),
                None => (status, format!("no, {TOKEN}")).into_response(),
            };
        }
        seen.most_at_once.fetch_max(seen.at_once.fetch_add(1, SeqCst) + 1, SeqCst);
        if let Some(record) = message["params"]["arguments"]["record_id"].as_str() {
            seen.asked.lock().unwrap().push(record.to_owned());
        }
        if message["params"]["arguments"]["record_id"] == "slow" {
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        if message["params"]["arguments"]["record_id"] == "held" {
            seen.held.notified().await;
        }
        seen.at_once.fetch_sub(1, SeqCst);
        if message["params"]["arguments"]["record_id"] == "fails" {
            let error = json!({ "code": -32000, "message": "the tool's own" });
            let said = json!({ "jsonrpc": "2.0", "id": message["id"], "error": error }).to_string();
            return ([(header::CONTENT_TYPE, "application/json")], said).into_response();
        }
        if message["params"]["arguments"]["record_id"] == "no-message" {
            let said = r#"{"note": "what stands in a record"}"#;
            return ([(header::CONTENT_TYPE, "application/json")], said).into_response();
        }
    }
    let handshake = *seen.handshake.lock().unwrap();
    match answer(&message, 2, handshake, TOKEN) {
        Answer::Say(reply) if is_first => {
            let session = format!("session-{}", seen.begun.fetch_add(1, SeqCst) + 1);
            seen.sessions.lock().unwrap().insert(session.clone());
            (
                [(header::CONTENT_TYPE, "application/json"), (header::HeaderName::from_static(SESSION), &session)],
                reply.to_string(),
            )
                .into_response()
        }
        Answer::Say(reply) if seen.events.load(SeqCst) => {
            ([(header::CONTENT_TYPE, "text/event-stream")], format!("event: message\ndata: {reply}\n\n"))
                .into_response()
        }
        Answer::Say(reply) => ([(header::CONTENT_TYPE, "application/json")], reply.to_string()).into_response(),
        Answer::Nothing => StatusCode::ACCEPTED.into_response(),
        Answer::Hang => pending().await,
        Answer::Die => {
            // The head is there, and then the connection is not.
            let broken = futures::stream::iter([Err::<String, _>(std::io::Error::other("gone"))]);
            ([(header::CONTENT_TYPE, "application/json")], Body::from_stream(broken)).into_response()
        }
    }
}

/// Its own stream: whoever listens there is asked and asked, by a server that floods.
async fn listened_to(State(seen): State<Arc<Seen>>) -> Response {
    if *seen.handshake.lock().unwrap() != "floods" {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let questions = futures::stream::repeat_with(move || {
        let id = format!("{}-{}", seen.questions.fetch_add(1, SeqCst), "x".repeat(10_000));
        let question = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        Ok::<_, std::convert::Infallible>(format!("data: {question}\n\n"))
    });
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(questions)).into_response()
}
