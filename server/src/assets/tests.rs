//! A build of the client in a folder: what is served of it, and in which form.

use axum::{
    body::Body,
    http::{Request, header},
};
use tempfile::TempDir;
use tower::ServiceExt;

use super::*;

const WASM: &[u8] = b"\0asm, and much more";
const PAGES: [&str; 2] = ["/", "/tasks/{task_id}"];

/// A build with a few files, two of them in compressed forms.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, data: &[u8]| fs::write(folder.path().join(name), data).unwrap();
    write("mooring-1.wasm", WASM);
    write("mooring-1.wasm.br", b"small");
    write("mooring-1.wasm.gz", b"smaller");
    write("boot-1.js", b"start();");
    write("piece-1.wasm", b"needed later");
    write("picture-1.png", b"png");
    write("keep-1.js", b"addEventListener('fetch', keep);");
    write("leave-1.js", b"registration.unregister();");
    let names = serde_json::json!({
        "boot.js": "boot-1.js", "mooring.wasm": "mooring-1.wasm", "piece.wasm": "piece-1.wasm", "picture.png": "picture-1.png",
        "worker/keep.js": "keep-1.js", "worker/leave.js": "leave-1.js",
    });
    write("manifest.json", names.to_string().as_bytes());
    folder
}

async fn ask(folder: &TempDir, keeps: bool, path: &str, headers: &[(header::HeaderName, &str)]) -> (Response, String) {
    let site = Site::open(Some(folder.path())).unwrap();
    let build = site.document(keeps).build;
    let mut request = Request::builder().uri(path);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    let response = site.router(&build, keeps, &PAGES).oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (head, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    (Response::from_parts(head, Body::empty()), String::from_utf8_lossy(&body).into_owned())
}

fn says(response: &Response, name: header::HeaderName) -> &str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn a_file_is_sent_in_the_smallest_form_that_is_taken_and_kept_for_ever() {
    let folder = folder();
    let whole = String::from_utf8_lossy(WASM).into_owned();
    for (accepted, encoding, body) in [
        ("gzip, deflate, br", "br", "small"),
        ("br;q=0, gzip", "gzip", "smaller"),
        ("gzip;q=0, br;q=0", "", whole.as_str()),
        ("*;q=0", "", whole.as_str()),
        ("", "", whole.as_str()),
    ] {
        let (response, sent) = ask(&folder, true, "/assets/mooring-1.wasm", &[(ACCEPT_ENCODING, accepted)]).await;
        assert_eq!((says(&response, CONTENT_ENCODING), sent.as_str()), (encoding, body), "{accepted:?}");
        assert_eq!(says(&response, CONTENT_TYPE), "application/wasm");
        assert_eq!(says(&response, VARY), "accept-encoding");
        assert_eq!(says(&response, CACHE_CONTROL), "public, max-age=31536000, immutable");
    }
    let (picture, _) = ask(&folder, true, "/assets/picture-1.png", &[(ACCEPT_ENCODING, "br")]).await;
    assert_eq!((says(&picture, CONTENT_ENCODING), says(&picture, CONTENT_TYPE)), ("", "image/png"));
}

#[tokio::test]
async fn a_missing_file_is_not_a_page_and_is_not_kept() {
    let folder = folder();
    for gone in ["/assets/gone-1.js", "/assets/manifest.json", "/assets/mooring-1.wasm.br", "/assets/../boot-1.js"] {
        let (response, _) = ask(&folder, true, gone, &[]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{gone}");
        assert!(!says(&response, CONTENT_TYPE).starts_with("text/html"), "{gone}");
    }
    let (response, _) = ask(&folder, true, "/assets/gone-1.js", &[]).await;
    assert_eq!(says(&response, CACHE_CONTROL), "no-store");
}

#[test]
fn browsers_are_told_what_a_file_is() {
    assert_eq!(content_type("mooring-1a.wasm"), "application/wasm");
    assert_eq!(content_type("mooring-1a.css"), "text/css; charset=utf-8");
    assert_eq!(content_type("manifest-1a.webmanifest"), "application/manifest+json");
}

#[tokio::test]
async fn the_script_that_keeps_them_names_all_files_but_the_scripts_beside_pages() {
    let folder = folder();
    let (response, script) = ask(&folder, true, "/sw.js", &[]).await;
    assert_eq!(says(&response, CONTENT_TYPE), "text/javascript; charset=utf-8");
    assert_eq!(says(&response, CACHE_CONTROL), "no-cache");
    let made_of = script.strip_prefix("const MOORING = ").unwrap().split_once(";\n").unwrap().0;
    let made_of: serde_json::Value = serde_json::from_str(made_of).unwrap();
    let files = ["boot-1.js", "mooring-1.wasm", "picture-1.png", "piece-1.wasm"].map(|file| format!("/assets/{file}"));
    assert_eq!(made_of["files"], serde_json::json!(files));
    assert_eq!(made_of["pages"], serde_json::json!(PAGES));
    assert!(script.ends_with("addEventListener('fetch', keep);"));

    let tag = says(&response, header::ETAG).to_owned();
    let (again, body) = ask(&folder, true, "/sw.js", &[(header::IF_NONE_MATCH, &tag)]).await;
    assert_eq!((again.status(), body.as_str()), (StatusCode::NOT_MODIFIED, ""));
}

#[tokio::test]
async fn where_devices_are_to_keep_nothing_the_script_takes_everything_away() {
    let folder = folder();
    let (_, script) = ask(&folder, false, "/sw.js", &[]).await;
    assert_eq!(script, "registration.unregister();");
    let site = Site::open(Some(folder.path())).unwrap();
    assert!(site.document(true).html.contains("data-worker=\"/sw.js\""));
    assert!(!site.document(false).html.contains("data-worker"));
}

#[tokio::test]
async fn a_build_has_another_name_when_any_of_its_files_has() {
    let (one, other) = (folder(), folder());
    let manifest = fs::read_to_string(other.path().join("manifest.json")).unwrap();
    fs::write(other.path().join("manifest.json"), manifest.replace("piece-1.wasm", "piece-2.wasm")).unwrap();
    let document = |folder: &TempDir| Site::open(Some(folder.path())).unwrap().document(true);
    let (one, other) = (document(&one), document(&other));
    assert_ne!(one.build, other.build);
    assert!(one.html.contains(&format!("data-build=\"{}\"", one.build)));
}

#[test]
fn a_folder_without_a_list_is_refused_in_words() {
    let empty = tempfile::tempdir().unwrap();
    let refused = Site::open(Some(empty.path())).err().unwrap().to_string();
    assert!(refused.contains("holds no build of the client"), "{refused}");
}

#[tokio::test]
async fn a_program_without_the_browsers_half_has_no_script() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("manifest.json"), "{}").unwrap();
    assert_eq!(ask(&folder, true, "/sw.js", &[]).await.0.status(), StatusCode::NOT_FOUND);
    assert!(parse(b"<html>").is_err());
}
