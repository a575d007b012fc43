//! What is shown while something is true.
//!
//! Leptos' own is compiled once more for each condition and each content; this one is there once.

use std::sync::Arc;

use crate::signal::Memo;
use leptos::prelude::*;

/// A question that is asked again whenever its answer may have changed.
#[derive(Clone)]
pub struct When(Arc<dyn Fn() -> bool + Send + Sync>);

impl<F: Fn() -> bool + Send + Sync + 'static> From<F> for When {
    fn from(ask: F) -> Self {
        Self(Arc::new(ask))
    }
}

#[component]
pub fn Show(#[prop(into)] when: When, children: ChildrenFn, #[prop(optional, into)] fallback: ViewFn) -> impl IntoView {
    let shown = Memo::new(move |_| (when.0)());
    (move || if shown.get() { children() } else { fallback.run() }).into_any()
}
