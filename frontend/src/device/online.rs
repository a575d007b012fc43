//! Moments at which it is worth asking the server. What the browser believes about its network is
//! one of them and no more: it is never asked whether it is online.

use std::rc::Rc;

use app::ports::device::Trigger;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Event, EventTarget, PageTransitionEvent, VisibilityState};

/// Calls `act` at each of them, for as long as the tab lives.
pub fn listen(act: &Rc<dyn Fn(Trigger)>) {
    let Some(window) = web_sys::window() else { return };
    on(&window, "online", act, |_| Some(Trigger::Online));
    on(&window, "offline", act, |_| Some(Trigger::Offline));
    on(&window, "pageshow", act, |event| {
        let restored = event.dyn_ref::<PageTransitionEvent>().is_some_and(PageTransitionEvent::persisted);
        Some(Trigger::PageShown { restored })
    });
    // The last that some pages hear.
    on(&window, "pagehide", act, |_| Some(Trigger::Hidden));
    if let Some(document) = window.document() {
        on(&document, "freeze", act, |_| Some(Trigger::Hidden));
        on(&document, "resume", act, |_| Some(Trigger::Thawed));
        let now = document.clone();
        on(&document, "visibilitychange", act, move |_| {
            let visible = now.visibility_state() == VisibilityState::Visible;
            Some(if visible { Trigger::Visible } else { Trigger::Hidden })
        });
    }
}

/// Has the browser ask before the page is left, where `loses` says so.
pub fn before_leaving(loses: Rc<dyn Fn() -> bool>) {
    let Some(window) = web_sys::window() else { return };
    let listener = Closure::<dyn Fn(Event)>::new(move |event: Event| {
        if loses() {
            event.prevent_default();
            // Older browsers heed only this.
            let _ = js_sys::Reflect::set(&event, &"returnValue".into(), &true.into());
        }
    });
    let _ = window.add_event_listener_with_callback("beforeunload", listener.as_ref().unchecked_ref());
    listener.forget();
}

/// Listens to one kind of event.
pub(super) fn on(
    target: &EventTarget,
    kind: &str,
    act: &Rc<dyn Fn(Trigger)>,
    trigger: impl Fn(&Event) -> Option<Trigger> + 'static,
) {
    let act = act.clone();
    let listener = Closure::<dyn Fn(Event)>::new(move |event: Event| {
        if let Some(trigger) = trigger(&event) {
            act(trigger);
        }
    });
    let _ = target.add_event_listener_with_callback(kind, listener.as_ref().unchecked_ref());
    // As long as the tab: there is nobody who could take it off again.
    listener.forget();
}
