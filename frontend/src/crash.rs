//! A program that panicked leaves a page that looks alive. This says so and offers to reload;
//! what was typed is in storage already.

use std::panic;

use app::words::labels;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Document, Element};

/// Sets the hook, besides the one that writes to the console.
pub fn say_so_on_panic() {
    panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        // Nothing may panic in here: what cannot be built is left out.
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            let _ = show(&document);
        }
    }));
}

fn show(document: &Document) -> Option<()> {
    if document.query_selector(".crash").ok()?.is_some() {
        return None;
    }
    let crash = element(document, "div", "crash", "")?;
    crash.set_attribute("role", "alert").ok()?;
    let (title, words) = (
        element(document, "p", "crash__title", labels::CRASH_TITLE.words())?,
        element(document, "p", "", labels::CRASH.words())?,
    );
    crash.append_child(&title).ok()?;
    crash.append_child(&words).ok()?;
    let reload = element(document, "button", "button button--primary", labels::RELOAD.words())?;
    let act = Closure::<dyn Fn()>::new(|| {
        if let Some(window) = web_sys::window() {
            let _ = window.location().reload();
        }
    });
    reload.add_event_listener_with_callback("click", act.as_ref().unchecked_ref()).ok()?;
    act.forget();
    crash.append_child(&reload).ok()?;
    document.body()?.append_child(&crash).ok()?;
    Some(())
}

fn element(document: &Document, tag: &str, class: &str, text: &str) -> Option<Element> {
    let element = document.create_element(tag).ok()?;
    element.set_class_name(class);
    element.set_text_content(Some(text));
    Some(element)
}
