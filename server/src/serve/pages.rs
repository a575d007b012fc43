//! One shell for every page: the same bytes for every address and everybody.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use domain::text::Hash;

use super::answer;

/// The addresses that the screens know.
pub const ADDRESSES: [&str; 8] =
    ["/", "/tasks", "/tasks/{task_id}", "/library", "/library/{entry_id}", "/sign-in", "/sign-up", "/about"];

struct Shell {
    html: Bytes,
    tag: HeaderValue,
}

/// Every page, and the answer to addresses that nobody knows.
pub fn routes(html: String) -> Router {
    let tag = format!("\"{}\"", Hash::of(&html));
    let tag = HeaderValue::from_str(&tag).unwrap_or(HeaderValue::from_static("\"\""));
    let shell = Arc::new(Shell { html: html.into(), tag });
    let pages = ADDRESSES.iter().fold(Router::new(), |router, page| router.route(page, get(page_of)));
    pages.fallback(unknown).with_state(shell)
}

async fn page_of(State(shell): State<Arc<Shell>>, headers: HeaderMap) -> Response {
    if headers.get(header::IF_NONE_MATCH) == Some(&shell.tag) {
        return dressed(&shell, StatusCode::NOT_MODIFIED, Bytes::new());
    }
    dressed(&shell, StatusCode::OK, shell.html.clone())
}

/// An address that looks like a file has no page: a browser must not take HTML for a script.
async fn unknown(State(shell): State<Arc<Shell>>, request: Request) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let file = request.uri().path().rsplit('/').next().is_some_and(|last| last.contains('.'));
    match (reads, file) {
        (true, false) => dressed(&shell, StatusCode::NOT_FOUND, shell.html.clone()),
        (true, true) => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
        (false, _) => answer::nothing_here().await,
    }
}

fn dressed(shell: &Shell, status: StatusCode, html: Bytes) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        // Kept, but asked about each time: a new build has a new shell.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, shell.tag.clone()),
    ];
    (status, headers, html).into_response()
}
