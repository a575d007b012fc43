//! Tabs take turns, by the browser's Web Locks where there are any (a secure context only).
//!
//! The methods are looked up by name: the bindings are behind a compiler flag that would have to be set
//! for every build.

use std::{cell::Cell, rc::Rc};

use app::ports::device::Turn;
use futures::{
    channel::oneshot,
    future::{Either, select},
};
use gloo_timers::future::TimeoutFuture;
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::AbortController;

/// A turn that nobody else could take.
struct Free;

impl Turn for Free {
    fn is_lost(&self) -> bool {
        false
    }
}

/// A lock that this tab has; the browser gives it to the next one when the sender is dropped.
struct Locked {
    lost: Rc<Cell<bool>>,
    _until_dropped: oneshot::Sender<()>,
}

impl Turn for Locked {
    fn is_lost(&self) -> bool {
        self.lost.get()
    }
}

/// Waits for the lock, and takes it away from one that has had it for longer than the patience.
pub async fn take(name: String, patience_ms: u32) -> Box<dyn Turn> {
    let Some(locks) = Locks::here() else { return Box::new(Free) };
    let patience = TimeoutFuture::new(patience_ms);
    let giving_up = AbortController::new().ok();
    let options = Object::new();
    if let Some(controller) = &giving_up {
        let _ = Reflect::set(&options, &"signal".into(), &controller.signal());
    }
    let Some((turn, granted)) = locks.ask(&name, &options) else { return Box::new(Free) };
    match select(granted, patience).await {
        Either::Left((Ok(()), _)) => return Box::new(turn),
        // Refused, as in a document without an origin: there are no tabs to take turns with.
        Either::Left((Err(_), _)) => return Box::new(Free),
        Either::Right(((), granted)) => {
            if let Some(controller) = giving_up {
                controller.abort();
                // It may have been granted in the same moment.
                if granted.await.is_ok() {
                    return Box::new(turn);
                }
            }
        }
    }
    let options = Object::new();
    let _ = Reflect::set(&options, &"steal".into(), &JsValue::TRUE);
    let Some((turn, granted)) = locks.ask(&name, &options) else { return Box::new(Free) };
    if granted.await.is_ok() { Box::new(turn) } else { Box::new(Free) }
}

struct Locks {
    manager: JsValue,
    request: Function,
}

impl Locks {
    fn here() -> Option<Self> {
        let navigator = web_sys::window()?.navigator();
        let manager = Reflect::get(&navigator, &"locks".into()).ok().filter(JsValue::is_object)?;
        let request = Reflect::get(&manager, &"request".into()).ok()?.dyn_into().ok()?;
        Some(Self { manager, request })
    }

    /// Asks for a lock: a turn to be, and word of when it is there. The word is broken off if it never
    /// will be.
    fn ask(&self, name: &str, options: &Object) -> Option<(Locked, oneshot::Receiver<()>)> {
        let (release, released) = oneshot::channel::<()>();
        let (grant, granted) = oneshot::channel::<()>();
        let held = Closure::once(move |_lock: JsValue| -> Promise {
            let _ = grant.send(());
            future_to_promise(async move {
                let _ = released.await;
                Ok(JsValue::UNDEFINED)
            })
        });
        let asked = self.request.call3(&self.manager, &name.into(), options, held.as_ref()).ok()?;
        let ended = JsFuture::from(asked.dyn_into::<Promise>().ok()?);
        let lost = Rc::new(Cell::new(false));
        let stolen = lost.clone();
        spawn_local(async move {
            // It ends with an error if it was given up, refused, or taken away by another tab.
            stolen.set(ended.await.is_err());
            drop(held);
        });
        Some((Locked { lost, _until_dropped: release }, granted))
    }
}
