//! What other tabs of this browser do to what is stored.

use std::rc::Rc;

use app::{
    ports::device::Trigger,
    slots::{self, Concern},
};
use wasm_bindgen::JsCast;
use web_sys::StorageEvent;

use super::online::on;

/// Calls `act` when another tab signed somebody in or out, changed what waits or typed a text. Storage
/// that was emptied as a whole has no key; the application itself never does that.
pub fn listen(act: &Rc<dyn Fn(Trigger)>) {
    let Some(window) = web_sys::window() else { return };
    on(&window, "storage", act, |event| {
        let key = event.dyn_ref::<StorageEvent>()?.key();
        let Some(key) = key else { return Some(Trigger::Cleared) };
        slots::concern(&key).map(|concern| match concern {
            Concern::Everything => Trigger::OtherTab,
            Concern::Text => Trigger::OtherText,
        })
    });
}
