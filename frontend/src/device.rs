//! One browser tab, as the application knows it.

pub mod fetch; // the way to the server
mod give; // a text for other programs
mod online; // moments at which it is worth asking the server
mod program; // the program's own files
pub mod slots; // what is kept on this device
mod stream; // the event stream
mod tabs; // what other tabs do
pub mod turns; // tabs take turns

use std::rc::Rc;

use app::ports::device::{Device, HandOver, Heard, Keeping, Program, Slots, Stream, Trigger, Turn};
use domain::id::{OpId, TaskId};
use futures::future::LocalBoxFuture;
use gloo_timers::future::TimeoutFuture;
use uuid::Uuid;
use wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement, Performance, VisibilityState, Window};

/// The tab that this program runs in.
pub struct Browser {
    slots: Box<dyn Slots>,
    keeping: Keeping,
    name: String,
    steady: Option<Performance>,
}

impl Browser {
    /// Finds out once whether anything can be kept here.
    pub fn new() -> Self {
        let (slots, keeping) = slots::open();
        Self {
            slots,
            keeping,
            name: new_id().simple().to_string(),
            steady: web_sys::window().and_then(|w| w.performance()),
        }
    }
}

impl Default for Browser {
    fn default() -> Self {
        Self::new()
    }
}

/// Longer timers overflow in browsers and would fire at once.
fn timer(ms: u64) -> u32 {
    u32::try_from(ms).unwrap_or(u32::MAX).min(0x7fff_ffff)
}

fn window() -> Option<Window> {
    web_sys::window()
}

#[expect(clippy::disallowed_methods, reason = "this is the device that IDs come from")]
fn new_id() -> Uuid {
    Uuid::new_v4()
}

impl Device for Browser {
    fn slots(&self) -> &dyn Slots {
        &*self.slots
    }

    fn keeping(&self) -> Keeping {
        self.keeping
    }

    fn tab(&self) -> &str {
        &self.name
    }

    fn turn(&self, name: String, patience_ms: u64) -> LocalBoxFuture<'static, Box<dyn Turn>> {
        Box::pin(turns::take(name, timer(patience_ms)))
    }

    fn new_op(&self) -> OpId {
        OpId(new_id())
    }

    fn new_task(&self) -> TaskId {
        TaskId(new_id())
    }

    fn random(&self) -> f64 {
        js_sys::Math::random()
    }

    fn monotonic_ms(&self) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "milliseconds since the page opened"
        )]
        let now = self.steady.as_ref().map_or(0.0, Performance::now) as u64;
        now
    }

    fn offset_minutes(&self) -> i32 {
        #[expect(clippy::cast_possible_truncation, reason = "within a day")]
        let behind = js_sys::Date::new_0().get_timezone_offset() as i32;
        -behind
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        Box::pin(TimeoutFuture::new(timer(ms)))
    }

    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        wasm_bindgen_futures::spawn_local(work);
    }

    fn is_visible(&self) -> bool {
        window()
            .and_then(|w| w.document())
            .is_none_or(|document| document.visibility_state() == VisibilityState::Visible)
    }

    fn on_trigger(&self, act: Rc<dyn Fn(Trigger)>) {
        online::listen(&act);
        tabs::listen(&act);
        program::listen(&act);
    }

    fn ask_before_leaving(&self, loses: Rc<dyn Fn() -> bool>) {
        online::before_leaving(loses);
    }

    fn program(&self) -> Program {
        program::stand()
    }

    fn look_for_build(&self) {
        program::ask("mooring-look");
    }

    fn renew(&self) {
        program::ask("mooring-renew");
    }

    fn open_stream(&self, url: &str, hear: Rc<dyn Fn(Heard)>) -> Box<dyn Stream> {
        stream::open(url, hear)
    }

    fn announce(&self, sentence: &str) {
        let region = window().and_then(|w| w.document()).and_then(|d| d.get_element_by_id("announcer"));
        if let Some(region) = region {
            region.set_text_content(Some(sentence));
        }
    }

    fn set_title(&self, title: &str) {
        if let Some(document) = window().and_then(|w| w.document()) {
            document.set_title(title);
        }
    }

    fn focus_heading(&self) {
        let Some(main) = window().and_then(|w| w.document()).and_then(|d| d.get_element_by_id("main")) else { return };
        let heading = main.query_selector("h1").ok().flatten();
        // Only what may be focused is, and a heading may not by itself.
        if let Some(heading) = &heading {
            let _ = heading.set_attribute("tabindex", "-1");
        }
        if let Ok(target) = heading.unwrap_or(main).dyn_into::<HtmlElement>() {
            // The page stands at its top already, which may be above the heading.
            let still = FocusOptions::new();
            still.set_prevent_scroll(true);
            let _ = target.focus_with_options(&still);
        }
    }

    fn can_share(&self) -> bool {
        give::has_sheet()
    }

    fn hand_over(&self, text: &str, to: HandOver) -> LocalBoxFuture<'static, bool> {
        give::give(text, to)
    }
}
