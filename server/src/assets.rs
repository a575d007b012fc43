//! The static files, inside the binary: hashed names, compressed ahead of time.
//!
//! `cargo xtask build` fills `target/site` and writes its `manifest.json`: plain name to hashed name.
//! A hashed file never changes, so it may be kept for ever; a missing one is a 404 and never a page,
//! which a browser would otherwise take for a script.

use std::{borrow::Cow, collections::BTreeMap, sync::LazyLock};

use app::shell::ShellAssets;
use axum::{
    Router,
    extract::Path,
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY},
    },
    response::{IntoResponse, Response},
    routing::get,
};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../target/site"]
struct Site;

/// Plain names to hashed names; empty in a binary that was built without the browser's half.
static MANIFEST: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| Site::get("manifest.json").map(|file| parse(&file.data)).unwrap_or_default());

fn parse(manifest: &[u8]) -> BTreeMap<String, String> {
    serde_json::from_slice(manifest).unwrap_or_else(|error| {
        tracing::error!(%error, "the list of static files inside the binary cannot be read");
        BTreeMap::new()
    })
}

/// The addresses that the shell is rendered with.
pub fn shell_assets() -> ShellAssets {
    ShellAssets {
        stylesheet: address("mooring.css"),
        boot: address("boot.js"),
        manifest: address("manifest.webmanifest"),
        icon: address("icon.svg"),
        js: address("mooring.js"),
        wasm: address("mooring.wasm"),
    }
}

/// The address of a static file by its plain name.
pub fn address(name: &str) -> String {
    format!("/assets/{}", MANIFEST.get(name).map_or(name, String::as_str))
}

/// All addresses, for a service worker that keeps them.
pub fn addresses() -> impl Iterator<Item = String> {
    MANIFEST.values().map(|hashed| format!("/assets/{hashed}"))
}

/// The contents of a static file by its plain name, for those that need an address of their own.
pub fn contents(name: &str) -> Option<Cow<'static, [u8]>> {
    Site::get(MANIFEST.get(name)?).map(|file| file.data)
}

/// `GET /assets/{hashed name}`.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/assets/{*name}", get(serve))
}

async fn serve(Path(name): Path<String>, headers: HeaderMap) -> Response {
    if !MANIFEST.values().any(|hashed| *hashed == name) {
        return missing();
    }
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    for encoding in [Encoding::Brotli, Encoding::Gzip, Encoding::Identity] {
        if encoding.is_accepted(accepted)
            && let Some(file) = Site::get(&format!("{name}{}", encoding.suffix()))
        {
            return found(&name, encoding, file.data);
        }
    }
    missing()
}

fn found(name: &str, encoding: Encoding, data: Cow<'static, [u8]>) -> Response {
    let mut response = axum::body::Body::from(bytes(data)).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, content_type(name));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(token) = encoding.token() {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(token));
    }
    response
}

fn bytes(data: Cow<'static, [u8]>) -> axum::body::Bytes {
    match data {
        Cow::Borrowed(data) => axum::body::Bytes::from_static(data),
        Cow::Owned(data) => data.into(),
    }
}

/// Not kept: the file may be there after the next deployment.
fn missing() -> Response {
    (StatusCode::NOT_FOUND, [(CACHE_CONTROL, "no-store")], "There is no such file.\n").into_response()
}

fn content_type(name: &str) -> HeaderValue {
    let guess = mime_guess::from_path(name).first_or_octet_stream();
    let text = guess.type_() == "text" && guess.get_param("charset").is_none();
    let value = if text { format!("{guess}; charset=utf-8") } else { guess.to_string() };
    HeaderValue::from_str(&value).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}

/// In which form a file is sent: the smallest that the browser takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl Encoding {
    fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
            Self::Identity => "",
        }
    }

    fn token(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Identity => None,
        }
    }

    /// Whether `Accept-Encoding` takes it; `;q=0` refuses. Identity is our last resort in any case.
    fn is_accepted(self, header: &str) -> bool {
        let Some(token) = self.token() else { return true };
        let weight = |wanted: &str| {
            header.split(',').find_map(|part| {
                let mut pieces = part.split(';').map(str::trim);
                pieces.next().filter(|name| name.eq_ignore_ascii_case(wanted))?;
                let quality = pieces.find_map(|piece| piece.strip_prefix("q=")).unwrap_or("1");
                Some(quality.parse::<f32>().is_ok_and(|quality| 0.0 < quality))
            })
        };
        weight(token).or_else(|| weight("*")).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_used_only_if_it_is_accepted() {
        for (header, brotli, gzip) in [
            ("gzip, deflate, br, zstd", true, true),
            ("gzip;q=0.5", false, true),
            ("br;q=0, gzip", false, true),
            ("*", true, true),
            ("*;q=0", false, false),
            ("", false, false),
        ] {
            assert_eq!(Encoding::Brotli.is_accepted(header), brotli, "br in {header:?}");
            assert_eq!(Encoding::Gzip.is_accepted(header), gzip, "gzip in {header:?}");
        }
    }

    #[test]
    fn browsers_are_told_what_a_file_is() {
        assert_eq!(content_type("mooring-1a.wasm"), "application/wasm");
        assert_eq!(content_type("mooring-1a.css"), "text/css; charset=utf-8");
        assert_eq!(content_type("manifest-1a.webmanifest"), "application/manifest+json");
    }

    #[tokio::test]
    async fn a_missing_file_is_not_a_page() {
        let response = serve(Path("gone-1a.js".into()), HeaderMap::new()).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
        assert_eq!(response.headers()[CONTENT_TYPE], "text/plain; charset=utf-8");
    }

    #[test]
    fn a_broken_list_is_an_empty_one() {
        assert!(parse(b"<html>").is_empty());
    }
}
