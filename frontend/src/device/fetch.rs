//! The way to the server, by the browser's `fetch`.

use app::ports::server::{Answered, Post};
use futures::future::LocalBoxFuture;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers, RequestInit, Response};

/// Posts to the origin that the page came from.
pub struct Fetch;

/// Cuts the call short when nobody waits for it any more; afterwards it does nothing.
struct Cut(Option<AbortController>);

impl Drop for Cut {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

impl Post for Fetch {
    fn post(&self, path: &'static str, body: String) -> LocalBoxFuture<'static, Option<Answered>> {
        Box::pin(async move {
            let cut = Cut(AbortController::new().ok());
            let headers = Headers::new().ok()?;
            headers.set("Content-Type", "application/json").ok()?;
            headers.set("Accept", "application/json").ok()?;
            let init = RequestInit::new();
            init.set_method("POST");
            init.set_headers(&headers);
            init.set_body(&JsValue::from(body));
            init.set_signal(cut.0.as_ref().map(AbortController::signal).as_ref());
            let response = JsFuture::from(web_sys::window()?.fetch_with_str_and_init(path, &init)).await.ok()?;
            let response: Response = response.dyn_into().ok()?;
            let text = JsFuture::from(response.text().ok()?).await.ok()?.as_string()?;
            Some(Answered { status: response.status(), text })
        })
    }
}
