//! The web as a client meets it, over a backend that is scripted and accounts that are in memory.

mod fakes;
mod sessions;
mod streams;
mod wire;

use app::api::error::ApiError;
use axum::{
    Router,
    body::Body,
    http::{Method, Request, StatusCode, header},
    response::Response,
};
use serde_json::Value;
use tower::ServiceExt;

use self::fakes::World;

/// One browser: a router, and the cookie it was given.
struct Browser {
    router: Router,
    cookie: Option<String>,
}

/// An answer, read whole.
struct Read {
    status: StatusCode,
    headers: axum::http::HeaderMap,
    body: String,
}

impl Browser {
    fn new(world: &World) -> Self {
        Self { router: world.router(), cookie: None }
    }

    async fn send(&mut self, request: Request<Body>) -> Response {
        let (mut head, body) = request.into_parts();
        if let Some(cookie) = &self.cookie {
            head.headers.insert(header::COOKIE, cookie.parse().unwrap());
        }
        let response = self.router.clone().oneshot(Request::from_parts(head, body)).await.unwrap();
        for set in response.headers().get_all(header::SET_COOKIE) {
            let pair = set.to_str().unwrap().split(';').next().unwrap();
            self.cookie = (!pair.ends_with('=')).then(|| pair.to_owned());
        }
        response
    }

    async fn get(&mut self, path: &str) -> Read {
        let request = Request::builder().uri(path).body(Body::empty()).unwrap();
        read(self.send(request).await).await
    }

    async fn post(&mut self, path: &str, body: impl Into<Body>) -> Read {
        let request = Request::builder().method(Method::POST).uri(path).body(body.into()).unwrap();
        read(self.send(request).await).await
    }

    async fn sign_up(&mut self, name: &str) -> Read {
        self.post("/api/v1/sign-up", format!(r#"{{"name":"{name}","passphrase":"correct horse"}}"#)).await
    }

    async fn sign_in(&mut self, name: &str, passphrase: &str) -> Read {
        self.post("/api/v1/sign-in", format!(r#"{{"name":"{name}","passphrase":"{passphrase}"}}"#)).await
    }

    async fn who(&mut self) -> Read {
        self.post("/api/v1/who-am-i", "{}").await
    }
}

async fn read(response: Response) -> Read {
    let (head, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    Read { status: head.status, headers: head.headers, body: String::from_utf8(body.to_vec()).unwrap() }
}

impl Read {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// A refusal in the one shape, with the status of its code.
    #[track_caller]
    fn refused(&self, status: u16, code: &str) -> ApiError {
        let error: ApiError = serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not ours: {}", self.body));
        assert_eq!((self.status.as_u16(), self.json()["code"].as_str()), (status, Some(code)), "{}", self.body);
        assert_eq!(self.json()["schema"], 1);
        assert_eq!((self.header("content-type"), self.header("cache-control")), ("application/json", "no-store"));
        assert_eq!(self.header("location"), "");
        error
    }

    #[track_caller]
    fn done(&self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        assert_eq!(self.json()["schema"], 1);
        assert_eq!((self.header("content-type"), self.header("cache-control")), ("application/json", "no-store"));
        self.json()
    }
}
