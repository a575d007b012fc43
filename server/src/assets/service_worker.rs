//! `/sw.js`: the script that keeps the document and the static files on a device, or, where that is
//! switched off, takes them away again.
//!
//! It stands at the root, since a script governs only what lies below its own address, and is asked
//! about each time: it is how a device learns of a new build.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use domain::text::Hash;
use serde_json::json;

use super::{Site, missing};

/// Where pages register it.
pub const ADDRESS: &str = "/sw.js";

struct Script {
    text: Bytes,
    tag: HeaderValue,
}

/// The script of a build.
pub fn route<S: Clone + Send + Sync + 'static>(site: &Site, build: &str, keeps: bool, pages: &[&str]) -> Router<S> {
    let script = text(site, build, keeps, pages).map(|text| {
        let tag = HeaderValue::from_str(&format!("\"{}\"", Hash::of(&text)));
        Script { tag: tag.unwrap_or(HeaderValue::from_static("\"\"")), text: text.into() }
    });
    Router::new().route(ADDRESS, get(serve)).with_state(script.map(Arc::new))
}

/// What the build is made of, and then the code.
fn text(site: &Site, build: &str, keeps: bool, pages: &[&str]) -> Option<String> {
    let code = site.contents(if keeps { "worker/keep.js" } else { "worker/leave.js" })?;
    let code = std::str::from_utf8(&code).ok()?;
    let files: Vec<String> = site.addresses().collect();
    let made_of = json!({ "build": build, "files": files, "pages": pages });
    Some(if keeps { format!("const MOORING = {made_of};\n\n{code}") } else { code.to_owned() })
}

async fn serve(State(script): State<Option<Arc<Script>>>, headers: HeaderMap) -> Response {
    let Some(script) = script else { return missing() };
    let dress = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, script.tag.clone()),
    ];
    if headers.get(header::IF_NONE_MATCH) == Some(&script.tag) {
        return (StatusCode::NOT_MODIFIED, dress).into_response();
    }
    (dress, script.text.clone()).into_response()
}
