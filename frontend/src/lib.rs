//! The browser host: hands the application a device made of local storage, timers and an event
//! stream, and puts its screens in the place of the shell.

mod crash; // a page that broke says so
pub mod device; // one browser tab

use std::rc::Rc;

use app::{
    api::wire::Wire,
    app::app,
    sync::Keeper,
    words::said::{self, Catalogue},
};
use leptos::mount::mount_to;
use wasm_bindgen::{JsCast, prelude::wasm_bindgen};
use web_sys::HtmlElement;

use self::device::{Browser, fetch::Fetch};

/// Marks the shell's content; gone once the application has taken its place.
const SHELL: &str = "data-mooring-shell";

/// Runs as soon as the program has arrived: reads what the device remembers, shows it in place of
/// the shell in one step, then starts to ask the server.
#[wasm_bindgen(start)]
pub fn start() {
    let Some(root) = shell_root() else { return };
    crash::say_so_on_panic();
    if let Some(catalogue) = catalogue() {
        said::speak(catalogue);
    }
    let keeper = Keeper::open(Rc::new(Browser::new()), Rc::new(Wire(Rc::new(Fetch))));
    let screens = keeper.clone();
    let _ = root.remove_attribute(SHELL);
    root.replace_children_with_node_0();
    mount_to(root, move || app(screens)).forget();
    keeper.start();
}

/// The sentences of another language than English, where the boot script was to get them and did.
fn catalogue() -> Option<&'static Catalogue> {
    let text = js_sys::Reflect::get(&js_sys::global(), &"mooringWords".into()).ok()?;
    Catalogue::read(text.as_string()?)
}

/// The root, while it still holds the shell: a second call finds none.
fn shell_root() -> Option<HtmlElement> {
    let document = web_sys::window()?.document()?;
    let root = document.get_element_by_id("root")?;
    root.has_attribute(SHELL).then(|| root.dyn_into().ok()).flatten()
}
