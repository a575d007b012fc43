//! A text for other programs: through the clipboard, or the system's own sheet.

use app::ports::device::HandOver;
use futures::{FutureExt as _, future::LocalBoxFuture};
use js_sys::{Promise, Reflect};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ShareData, Window};

/// Browsers without a sheet do not know the word. None has one where the connection is not secure.
pub fn has_sheet() -> bool {
    web_sys::window().is_some_and(|w| Reflect::has(&w.navigator(), &"share".into()).unwrap_or_default())
}

/// Has to begin before anything is waited for: a browser allows it only to the tap itself.
pub fn give(text: &str, to: HandOver) -> LocalBoxFuture<'static, bool> {
    let begun = web_sys::window().filter(Window::is_secure_context).and_then(|window| begin(&window, text, to));
    async move {
        match begun {
            Some(promise) => JsFuture::from(promise).await.is_ok(),
            None => false,
        }
    }
    .boxed_local()
}

fn begin(window: &Window, text: &str, to: HandOver) -> Option<Promise> {
    let navigator = window.navigator();
    match to {
        HandOver::Clipboard => Some(navigator.clipboard().write_text(text)),
        HandOver::Sheet { title } => has_sheet().then(|| {
            let what = ShareData::new();
            what.set_title(&title);
            what.set_text(text);
            navigator.share_with_data(&what)
        }),
    }
}
