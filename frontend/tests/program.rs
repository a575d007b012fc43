//! What the page's own script finds out about the program's files reaches the application, and what
//! the application asks for reaches the script.

use std::{cell::RefCell, rc::Rc};

use app::ports::device::{Device, Newer, Program, Trigger};
use frontend::device::Browser;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// As the script does it.
fn script(text: &str) -> String {
    js_sys::eval(text).ok().and_then(|value| value.as_string()).unwrap_or_default()
}

#[wasm_bindgen_test]
fn what_is_known_of_the_files_is_read_and_heard() {
    let browser = Browser::new();
    assert_eq!(browser.program(), Program::default(), "before anything is known, nothing is claimed");
    let heard = Rc::new(RefCell::new(Vec::new()));
    let hear = heard.clone();
    browser.on_trigger(Rc::new(move |trigger| hear.borrow_mut().push(trigger)));
    script(
        "Object.assign(document.documentElement.dataset, { build: '0a1b2c3d', kept: 'yes', newer: 'waits' });
         dispatchEvent(new Event('mooring-program'))",
    );
    assert_eq!(*heard.borrow(), [Trigger::Program]);
    let build = "0a1b2c3d".to_owned();
    assert_eq!(browser.program(), Program { build, kept: true, newer: Newer::Waits });
}

#[wasm_bindgen_test]
fn what_is_asked_for_reaches_the_script() {
    script(
        "globalThis.asked = [];
         for (const what of ['mooring-look', 'mooring-renew']) addEventListener(what, () => asked.push(what))",
    );
    let browser = Browser::new();
    browser.look_for_build();
    browser.renew();
    assert_eq!(script("asked.join()"), "mooring-look,mooring-renew");
}
