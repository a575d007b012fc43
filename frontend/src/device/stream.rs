//! The event stream, by the browser's `EventSource`.
//!
//! Its own way of reconnecting is not used: it hides statuses and waits as it likes. At the first
//! error it is closed, and the application decides when to open another one.

use std::rc::Rc;

use app::ports::device::{Heard, Stream};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Event, EventSource, MessageEvent};

struct Open {
    source: EventSource,
    _listeners: Vec<Closure<dyn Fn(Event)>>,
}

impl Stream for Open {}

impl Drop for Open {
    fn drop(&mut self) {
        self.source.close();
    }
}

/// A stream that never opened.
struct Closed;

impl Stream for Closed {}

/// Opens a stream and tells what is heard.
pub fn open(url: &str, hear: Rc<dyn Fn(Heard)>) -> Box<dyn Stream> {
    let Ok(source) = EventSource::new(url) else {
        wasm_bindgen_futures::spawn_local(async move { hear(Heard::Broken) });
        return Box::new(Closed);
    };
    let listeners = vec![
        listen(&source, "open", &hear, |_| Heard::Opened),
        listen(&source, "task", &hear, |event| Heard::Task(data(event))),
        listen(&source, "beat", &hear, |event| Heard::Beat(data(event))),
        listen(&source, "gone", &hear, |event| Heard::Gone(data(event))),
        listen(&source, "error", &hear, |event| {
            if let Some(source) = event.target().and_then(|t| t.dyn_into::<EventSource>().ok()) {
                source.close();
            }
            Heard::Broken
        }),
    ];
    Box::new(Open { source, _listeners: listeners })
}

fn listen(
    source: &EventSource,
    kind: &str,
    hear: &Rc<dyn Fn(Heard)>,
    told: impl Fn(&Event) -> Heard + 'static,
) -> Closure<dyn Fn(Event)> {
    let hear = hear.clone();
    let listener = Closure::<dyn Fn(Event)>::new(move |event: Event| hear(told(&event)));
    let _ = source.add_event_listener_with_callback(kind, listener.as_ref().unchecked_ref());
    listener
}

fn data(event: &Event) -> String {
    event.dyn_ref::<MessageEvent>().and_then(|message| message.data().as_string()).unwrap_or_default()
}
