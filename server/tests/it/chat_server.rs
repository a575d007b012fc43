//! A server that speaks as OpenAI's chat completions do, and does what a script says.

use std::{
    collections::VecDeque,
    future::pending,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::post,
};
use futures::StreamExt as _;
use serde_json::{Value, json};
use server::{
    model::openai::{OpenAiModel, Settings},
    secret::Secret,
};
use tokio::net::TcpListener;

/// What it is told in confidence.
pub const KEY: &str = "sk-confided-9012";

/// How one request is answered.
#[derive(Clone)]
pub enum Says {
    Status(u16, Option<&'static str>, &'static str),
    Body(Value),
    Raw(String),
    /// A failure whose body begins and does not go on.
    HalfAn(u16),
    Hang,
}

/// A server that listens until the test ends. Clones are the same server.
#[derive(Clone)]
pub struct ChatServer {
    pub url: String,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    script: Mutex<VecDeque<Says>>,
    asked: Mutex<Vec<(String, Value)>>,
}

impl ChatServer {
    pub async fn begin() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let seen = Arc::new(Seen::default());
        let router = Router::new().route("/v1/chat/completions", post(asked)).with_state(Arc::clone(&seen));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, seen }
    }

    pub fn model(&self) -> OpenAiModel {
        let key = Some(Secret::from(KEY.to_owned()));
        let settings = Settings { url: self.url.clone(), model: "test-model".to_owned(), key, reply_tokens: None };
        OpenAiModel::new(settings).unwrap()
    }

    /// What the next request gets; further ones queue behind it.
    pub fn then(&self, says: Says) -> &Self {
        self.seen.script.lock().unwrap().push_back(says);
        self
    }

    /// All requests so far: what came as `Authorization`, and the body.
    pub fn asked(&self) -> Vec<(String, Value)> {
        self.seen.asked.lock().unwrap().clone()
    }
}

/// A whole answer of this text.
pub fn completion(text: &str, finish_reason: &str) -> Says {
    Says::Body(json!({
        "id": "x", "object": "chat.completion", "model": "test-model",
        "choices": [{ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": finish_reason }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120 },
    }))
}

async fn asked(State(seen): State<Arc<Seen>>, headers: HeaderMap, body: String) -> Response {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    seen.asked.lock().unwrap().push((bearer.to_owned(), serde_json::from_str(&body).unwrap()));
    let next = seen.script.lock().unwrap().pop_front();
    // Unscripted, it gives away what it was told: nobody may hear of it.
    let says = next.unwrap_or_else(|| completion(&format!("Bring an apron. I was sent {bearer}."), "stop"));
    let json = [(header::CONTENT_TYPE, "application/json")];
    match says {
        Says::Status(status, wait, body) => {
            let body = body.replace("{key}", bearer);
            let status = StatusCode::from_u16(status).unwrap();
            match wait {
                Some(wait) => (status, [(header::RETRY_AFTER, wait)], body).into_response(),
                None => (status, body).into_response(),
            }
        }
        Says::Body(body) => (json, body.to_string()).into_response(),
        Says::Raw(body) => (json, body).into_response(),
        Says::HalfAn(status) => {
            let begins = futures::stream::iter([Ok::<_, std::io::Error>("{")]).chain(futures::stream::pending());
            (StatusCode::from_u16(status).unwrap(), json, Body::from_stream(begins)).into_response()
        }
        Says::Hang => {
            tokio::time::timeout(Duration::from_mins(1), pending::<()>()).await.unwrap_err();
            StatusCode::GATEWAY_TIMEOUT.into_response()
        }
    }
}
