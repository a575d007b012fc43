//! Turns and storage events, in a real browser: a frame of the same site stands for another tab.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says so what must hold")]

use std::{cell::RefCell, rc::Rc};

use app::ports::device::{Device, Trigger};
use frontend::device::Browser;
use futures::future::{Either, select};
use gloo_timers::future::TimeoutFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Waits until something holds, for ten seconds at most.
async fn until(holds: impl Fn() -> bool) -> bool {
    for _ in 0..200 {
        if holds() {
            return true;
        }
        TimeoutFuture::new(50).await;
    }
    false
}

#[wasm_bindgen_test]
async fn a_turn_passes_on_when_it_is_given_back() {
    let browser = Browser::new();
    let first = browser.turn("passes-on".to_owned(), 60_000).await;
    let second = browser.turn("passes-on".to_owned(), 60_000);
    let another = browser.turn("another".to_owned(), 60_000).await;
    assert!(!another.is_lost(), "turns of other names are not waited for");
    let Either::Right(((), second)) = select(second, TimeoutFuture::new(300)).await else {
        panic!("two had the same turn");
    };
    drop(first);
    let second = second.await;
    assert!(!second.is_lost());
}

#[wasm_bindgen_test]
async fn a_turn_that_is_held_for_too_long_is_taken_away_and_its_holder_learns_it() {
    let browser = Browser::new();
    let held = browser.turn("too-long".to_owned(), 60_000).await;
    let taken = browser.turn("too-long".to_owned(), 200).await;
    assert!(until(|| held.is_lost()).await);
    assert!(!taken.is_lost());
    drop(held);
    drop(taken);
    let next = browser.turn("too-long".to_owned(), 60_000).await;
    assert!(!next.is_lost(), "who comes after them finds it free");
}

#[wasm_bindgen_test]
async fn what_another_tab_stores_is_told_apart() {
    let heard = Rc::new(RefCell::new(Vec::new()));
    let hear = heard.clone();
    Browser::new().on_trigger(Rc::new(move |trigger| hear.borrow_mut().push(trigger)));
    let user = "00000000-0000-0000-0000-00000000dead";
    for (act, told) in [
        (format!("setItem('mooring.v1.{user}.text.start.x', '1')"), Some(Trigger::OtherText)),
        (format!("setItem('mooring.v1.{user}.outbox.x', '1')"), Some(Trigger::OtherTab)),
        (format!("setItem('mooring.v1.{user}.snapshot.x', '1')"), None),
        ("setItem('mooring.v1.who', '1')".to_owned(), Some(Trigger::OtherTab)),
        ("clear()".to_owned(), Some(Trigger::Cleared)),
    ] {
        heard.borrow_mut().clear();
        in_another_tab(&act);
        if let Some(told) = told {
            assert!(until(|| heard.borrow().contains(&told)).await, "{act}");
        } else {
            in_another_tab("setItem('mooring.v1.leaving', '1')");
            assert!(until(|| heard.borrow().contains(&Trigger::OtherTab)).await);
            assert_eq!(heard.borrow().len(), 1, "{act}");
        }
    }
}

fn in_another_tab(act: &str) {
    let script = format!(
        "(() => {{
            const id = 'another-tab';
            const frame = document.getElementById(id) ?? document.body.appendChild(document.createElement('iframe'));
            frame.id = id;
            frame.contentWindow.localStorage.{act};
        }})()"
    );
    js_sys::eval(&script).expect("a frame of this site may use its storage");
}
