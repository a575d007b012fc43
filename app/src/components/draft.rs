//! The text, its versions, and the field to change it.
//!
//! Invariant: nothing that arrives from the server is written over what the learner has typed or is
//! composing. A field that was only entered is not typed into: it shows the newest text, for that is
//! the one which can be accepted.
//!
//! A browser's field knows one line end: LF. What is pasted with CRLF becomes LF before anybody can see it,
//! and so is what is saved from the field; a version that was written elsewhere keeps its own line ends for
//! as long as nothing is typed over it.

use domain::{
    snapshot::Draft,
    text::{DraftText, Hash},
};
use leptos::{html::Textarea, prelude::*};

use super::{show::Show, sure::Sure};
use crate::{
    signal::{Effect, Memo, RwSignal, Signal},
    words::{asking, home, labels},
};

/// What belongs into the field while nothing was typed: the newest text of a version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    pub version: u32,
    pub text: String,
    /// The newest version that the server has: a lower one while edits wait to become versions.
    pub stored: u32,
}

impl Base {
    /// Whether the field, which knows no CR, would read `text` for it.
    pub fn reads(&self, text: &str) -> bool {
        self.text == text || as_in_field(&self.text) == as_in_field(text)
    }
}

/// A text with the line ends that a field gives back.
pub fn as_in_field(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// What was typed over a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The version that it builds on, or the newest that the server had when it was begun.
    pub base_version: u32,
    /// The text that it was typed over.
    pub seen: Option<Hash>,
    pub text: String,
}

/// The draft card. Further buttons come as children.
#[component]
pub fn DraftCard(
    #[prop(into)] versions: Signal<Vec<Draft>>,
    #[prop(into)] base: Signal<Option<Base>>,
    #[prop(into)] typed: Signal<Option<Typed>>,
    /// Whether the text may be changed in the state that the task is in.
    #[prop(into)]
    editable: Signal<bool>,
    /// The earlier version that is being read; none for the current one.
    reading: RwSignal<Option<u32>>,
    /// Set while the field still shows an older text than the base, because one is being composed.
    behind: RwSignal<bool>,
    /// The earlier versions that were asked for and are here.
    #[prop(into)]
    earlier: Signal<Vec<Draft>>,
    #[prop(into)] read_earlier: Callback<u32>,
    #[prop(into)] on_type: Callback<String>,
    #[prop(into)] on_discard: Callback<()>,
    /// What is different between versions, at the end.
    changes: AnyView,
    children: Children,
) -> impl IntoView {
    let current = Memo::new(move |_| versions.with(|all| all.last().cloned()));
    // A card that is drawn anew begins with the current text.
    reading.set(None);
    behind.set(false);
    let choose = Callback::new(move |version: u32| {
        let is_current = current.with_untracked(|c| c.as_ref().is_some_and(|c| c.version == version));
        reading.set((!is_current).then_some(version));
        if !is_current {
            read_earlier.run(version);
        }
    });
    let waits = Memo::new(move |_| {
        let current = current.with(|current| current.as_ref().map(|current| current.version));
        base.with(|base| base.as_ref().map(|base| base.version)) > current
    });
    let whose = move || {
        let current = current.get()?;
        if let Some(version) = reading.get() {
            return versions.with(|all| all.iter().find(|draft| draft.version == version).map(labels::version_by));
        }
        Some(if waits.get() { labels::EDIT_WAITS.into() } else { labels::version_by(&current) })
    };
    let field_shown = move || editable.get() && reading.get().is_none();
    view! {
        <section class="card card--draft">
            <header class="card__head">
                <h2 class="card__title">{labels::DRAFT}</h2>
                <p class="card__note">{whose}</p>
            </header>
            <div class="card__body">
                <div class="draft__ways">
                    <Versions versions reading waits choose />
                    <a class="draft__evidence" href="#evidence">
                        {labels::TO_EVIDENCE}
                    </a>
                </div>
                <Show
                    when=move || base.with(Option::is_some)
                    fallback=|| view! { <p class="empty">{home::NO_DRAFT}</p> }
                >
                    <Field base typed behind on_type shown=Signal::derive(field_shown) />
                    <Show when=move || !field_shown()>
                        <Reading base reading earlier />
                    </Show>
                    <Notes base typed reading editable />
                </Show>
                <div class="card__actions">
                    <Show when=move || field_shown() && typed.with(Option::is_some)>
                        <Sure
                            label=labels::DISCARD_CHANGES
                            question=asking::CHANGES
                            class="button button--quiet"
                            act=on_discard
                        />
                    </Show>
                    {children()}
                </div>
                {changes}
            </div>
        </section>
    }
    .into_any()
}

#[component]
fn Versions(
    versions: Signal<Vec<Draft>>,
    reading: RwSignal<Option<u32>>,
    /// Whether the field holds an edit that is none of these yet.
    waits: Memo<bool>,
    choose: Callback<u32>,
) -> impl IntoView {
    let newest = move || versions.with(|all| all.last().map(|draft| draft.version)).filter(|_| !waits.get());
    view! {
        <div class="chips" role="group" aria-label=labels::VERSIONS>
            <For each=move || versions.get() key=|draft| draft.version let:draft>
                {
                    let version = draft.version;
                    let pressed = move || reading.get().or(newest()) == Some(version);
                    view! {
                        <button
                            class="chip"
                            type="button"
                            aria-pressed=move || pressed().to_string()
                            on:click=move |_| choose.run(version)
                        >
                            {labels::chip(&draft)}
                        </button>
                    }
                }
            </For>
        </div>
    }
    .into_any()
}

/// The field itself. It stays in the page while something else is read, so that caret and undo stay.
#[component]
fn Field(
    base: Signal<Option<Base>>,
    typed: Signal<Option<Typed>>,
    behind: RwSignal<bool>,
    on_type: Callback<String>,
    shown: Signal<bool>,
) -> impl IntoView {
    let node = NodeRef::<Textarea>::new();
    let inside = RwSignal::new(false);
    // Between the first key and the first letter of an input method nothing is typed yet, and a
    // write would break it off.
    let composing = RwSignal::new(false);
    let of_base = move || base.get().map(|base| base.text).unwrap_or_default();
    Effect::new(move |_| {
        let (typed, inside, composing) = (typed.get().map(|typed| typed.text), inside.get(), composing.get());
        let (untouched, wanted) = (typed.is_none(), as_in_field(&typed.unwrap_or_else(of_base)));
        let Some(field) = node.get() else { return };
        let differs = field.value() != wanted;
        let leave = composing || inside && !untouched;
        if differs && !leave {
            field.set_value(&wanted);
        }
        behind.set(differs && leave && untouched);
    });
    view! {
        <div class="field" hidden=move || !shown.get()>
            <label class="field__label visually-hidden" for="draft">
                {labels::DRAFT}
            </label>
            <textarea
                id="draft"
                class="field__text field__text--draft"
                rows="8"
                dir="auto"
                node_ref=node
                on:focus=move |_| inside.set(true)
                on:blur=move |_| {
                    inside.set(false);
                    composing.set(false);
                }
                on:compositionstart=move |_| composing.set(true)
                on:compositionend=move |_| composing.set(false)
                on:input=move |ev| on_type.run(event_target_value(&ev))
            ></textarea>
        </div>
    }
    .into_any()
}

/// A line about the text above it, with room for it whatever there is to say.
#[component]
fn Notes(
    base: Signal<Option<Base>>,
    typed: Signal<Option<Typed>>,
    reading: RwSignal<Option<u32>>,
    editable: Signal<bool>,
) -> impl IntoView {
    let too_long = move || typed.with(|t| t.as_ref().and_then(|t| home::length(t.text.len(), DraftText::LIMIT)));
    let words = move || {
        let newest = base.with(|b| b.as_ref().map_or(0, |b| b.version));
        if reading.get().is_some() {
            return home::EARLIER.words();
        }
        match typed.get().filter(|_| editable.get()) {
            Some(typed) if typed.base_version < newest => home::MOVED_ON.words(),
            Some(_) => home::UNSAVED.words(),
            None => "",
        }
    };
    view! {
        <p class="field__hint draft__note">{words}</p>
        {move || too_long().map(|words| view! { <p class="field__warning">{words}</p> }.into_any())}
    }
    .into_any()
}

#[component]
fn Reading(base: Signal<Option<Base>>, reading: RwSignal<Option<u32>>, earlier: Signal<Vec<Draft>>) -> impl IntoView {
    let text = move || match reading.get() {
        None => base.get().map(|base| base.text),
        Some(version) => {
            earlier.with(|all| all.iter().find(|draft| draft.version == version).and_then(|draft| draft.text.clone()))
        }
    };
    view! {
        <div class="reading" lang="" dir="auto">{move || text().unwrap_or_else(|| home::EARLIER_COMING.into())}</div>
    }
    .into_any()
}
