//! The program's own files, as `assets/program.js` finds them: what it knows stands on the document's
//! element, and what it is asked for reaches it as events.

use std::rc::Rc;

use app::ports::device::{Newer, Program, Trigger};
use web_sys::Event;

use super::online::on;

/// Calls `act` whenever something has changed.
pub fn listen(act: &Rc<dyn Fn(Trigger)>) {
    if let Some(window) = web_sys::window() {
        on(&window, "mooring-program", act, |_| Some(Trigger::Program));
    }
}

pub fn stand() -> Program {
    let root = web_sys::window().and_then(|w| w.document()).and_then(|d| d.document_element());
    let read = |name| root.as_ref().and_then(|root| root.get_attribute(name)).unwrap_or_default();
    let newer = match read("data-newer").as_str() {
        "waits" => Newer::Waits,
        "taken" => Newer::Taken,
        _ => Newer::None,
    };
    Program { build: read("data-build"), kept: read("data-kept") == "yes", newer }
}

/// Nobody hears it where there are no service workers.
pub fn ask(what: &str) {
    if let (Some(window), Ok(event)) = (web_sys::window(), Event::new(what)) {
        let _ = window.dispatch_event(&event);
    }
}
