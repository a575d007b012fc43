//! The static files, inside the binary: hashed names, compressed ahead of time.
//!
//! `cargo xtask build` fills `target/site` and writes its `manifest.json`: plain name to hashed name.
//! A hashed file never changes, so it may be kept for ever; a missing one is a 404 and never a page,
//! which a browser would otherwise take for a script.

mod encoding; // in which form a file is sent
mod service_worker; // the script that keeps the files on a device

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use app::{
    shell::{Language, ShellAssets, shell},
    words::said::Catalogue,
};
use axum::{
    Router,
    extract::{Path as Captured, State},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY},
    },
    response::{IntoResponse, Response},
    routing::get,
};
use domain::text::Hash;
use rust_embed::RustEmbed;

use self::encoding::Encoding;

/// Scripts that run beside pages have addresses of their own and are kept by nobody.
const BESIDE: &str = "worker/";

/// Sentences in other languages than English.
const LANGUAGES: &str = "languages/";

#[derive(RustEmbed)]
#[folder = "../target/site"]
struct Embedded;

/// The client's files, of one build.
pub struct Site {
    /// Plain names to hashed names; empty in a binary that was built without the browser's half.
    names: BTreeMap<String, String>,
    /// In the lab, files of another build take the place of those inside the binary.
    folder: Option<PathBuf>,
}

/// Why another build cannot be shown.
#[derive(Debug, thiserror::Error)]
#[error("{folder} holds no build of the client: {source}")]
pub struct NoSite {
    folder: PathBuf,
    source: io::Error,
}

/// The one document, and the name of the build that it belongs to.
pub struct Document {
    pub html: String,
    pub build: String,
}

impl Site {
    /// The files inside the binary, or those in a folder.
    pub fn open(folder: Option<&Path>) -> Result<Self, NoSite> {
        let Some(folder) = folder else {
            let names = Embedded::get("manifest.json").map(|file| parse(&file.data).unwrap_or_default());
            return Ok(Self { names: names.unwrap_or_default(), folder: None });
        };
        let manifest = fs::read(folder.join("manifest.json")).and_then(|text| parse(&text));
        let names = manifest.map_err(|source| NoSite { folder: folder.to_owned(), source })?;
        Ok(Self { names, folder: Some(folder.to_owned()) })
    }

    /// The document of every page. A build is named after all that it is made of, the document too:
    /// two builds with one name would be taken for one on a device. `keeps` is whether devices keep it.
    pub fn document(&self, keeps: bool) -> Document {
        let mut assets = self.shell_assets();
        let names = self.names.values().map(String::as_str).collect::<Vec<_>>().join("\n");
        let build = Hash::of(&format!("{names}{}", shell(&assets))).to_string()[..8].to_owned();
        assets.build.clone_from(&build);
        assets.worker = keeps.then(|| service_worker::ADDRESS.to_owned());
        Document { html: shell(&assets), build }
    }

    /// `GET /assets/{hashed name}`, and the script that keeps them all on a device, or takes them away.
    /// It is told the addresses of `pages`: at those the document is shown.
    pub fn router<S: Clone + Send + Sync + 'static>(self, build: &str, keeps: bool, pages: &[&str]) -> Router<S> {
        let script = service_worker::route(&self, build, keeps, pages);
        Router::new().route("/assets/{*name}", get(serve)).with_state(Arc::new(self)).merge(script)
    }

    fn shell_assets(&self) -> ShellAssets {
        ShellAssets {
            stylesheet: self.address("mooring.css"),
            boot: self.address("boot.js"),
            manifest: self.address("manifest.webmanifest"),
            icon: self.address("icon.svg"),
            touch_icon: self.address("icon-180.png"),
            js: self.address("mooring.js"),
            wasm: self.address("mooring.wasm"),
            build: String::new(),
            languages: self.languages(),
            worker: None,
        }
    }

    fn languages(&self) -> Vec<Language> {
        let names = self.names.keys().filter(|name| name.starts_with(LANGUAGES));
        let read = |name: &String| {
            let text = String::from_utf8(self.contents(name)?.into_owned()).ok()?;
            Some(Language { catalogue: Catalogue::read(text)?, address: self.address(name) })
        };
        names.filter_map(read).collect()
    }

    /// The address of a static file by its plain name.
    fn address(&self, name: &str) -> String {
        format!("/assets/{}", self.names.get(name).map_or(name, String::as_str))
    }

    /// The addresses of all that a page may need, now or later.
    fn addresses(&self) -> impl Iterator<Item = String> {
        let files = self.names.iter().filter(|(name, _)| !name.starts_with(BESIDE));
        files.map(|(_, hashed)| format!("/assets/{hashed}"))
    }

    /// The contents of a static file by its plain name, for those that need an address of their own.
    fn contents(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        self.get(self.names.get(name)?)
    }

    fn get(&self, file: &str) -> Option<Cow<'static, [u8]>> {
        match &self.folder {
            None => Embedded::get(file).map(|file| file.data),
            Some(folder) => fs::read(folder.join(file)).ok().map(Cow::Owned),
        }
    }
}

fn parse(manifest: &[u8]) -> io::Result<BTreeMap<String, String>> {
    serde_json::from_slice(manifest).map_err(|error| {
        tracing::error!(%error, "the list of static files cannot be read");
        error.into()
    })
}

async fn serve(State(site): State<Arc<Site>>, Captured(name): Captured<String>, headers: HeaderMap) -> Response {
    if !site.names.values().any(|hashed| *hashed == name) {
        return missing();
    }
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    for encoding in Encoding::ALL {
        if encoding.is_accepted(accepted)
            && let Some(data) = site.get(&format!("{name}{}", encoding.suffix()))
        {
            return found(&name, encoding, data);
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

#[cfg(test)]
mod tests;
