//! What other tabs of this browser do to what is stored.

use std::rc::Rc;

use app::{ports::device::Trigger, slots};
use wasm_bindgen::JsCast;
use web_sys::StorageEvent;

use super::online::on;

/// Calls `act` when another tab signed somebody in or out or changed what waits. A cleared storage
/// has no key and concerns everybody.
pub fn listen(act: &Rc<dyn Fn(Trigger)>) {
    let Some(window) = web_sys::window() else { return };
    on(&window, "storage", act, |event| {
        let key = event.dyn_ref::<StorageEvent>()?.key();
        key.is_none_or(|key| slots::concerns_all_tabs(&key)).then_some(Trigger::OtherTab)
    });
}
