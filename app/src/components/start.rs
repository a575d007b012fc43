//! The form for a new task.

use domain::record::RecordList;
use leptos::{ev::SubmitEvent, prelude::*};

use crate::{
    signal::{RwSignal, Signal},
    words::{home, labels},
};

/// Which records there are to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// The list has not arrived.
    Asking,
    These(RecordList),
    /// There is no list: a name is typed.
    Anything,
}

impl Offer {
    /// An empty list is none.
    pub fn of(list: RecordList) -> Self {
        if list.records.is_empty() { Self::Anything } else { Self::These(list) }
    }
}

/// What was chosen and written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartWish {
    pub record_id: String,
    pub question: String,
}

/// Record, question, Start. What is typed is told at every input, to be kept.
#[component]
pub fn StartForm(
    #[prop(into)] records: Signal<Offer>,
    /// What was typed before this page was opened.
    initial: StartWish,
    /// Why it cannot be sent as it is.
    #[prop(into)]
    problem: Signal<Option<String>>,
    /// How far a start that is under way has come, in words.
    #[prop(into)]
    sending: Signal<Option<String>>,
    /// Whether somebody is in the question's field.
    inside: RwSignal<bool>,
    #[prop(into)] on_type: Callback<StartWish>,
    #[prop(into)] start: Callback<StartWish>,
) -> impl IntoView {
    let record = RwSignal::new(initial.record_id);
    // A name that was typed while there was no list is not taken out of the hand by one that does not hold it.
    let by_name = RwSignal::new(false);
    let keeps_name = move |list: &RecordList| {
        by_name.get_untracked()
            && list.records.iter().all(|r| record.with_untracked(|typed| typed != r.record_id.as_str()))
    };
    let question = RwSignal::new(initial.question);
    let now = move || StartWish { record_id: record.get_untracked(), question: question.get_untracked() };
    let typed = move || on_type.run(now());
    view! {
        <section class="card card--start">
            <h1 class="card__title">{labels::START_A_TASK}</h1>
            <form
                class="form"
                on:submit=move |ev: SubmitEvent| {
                    ev.prevent_default();
                    start.run(now());
                }
            >
                // Labels stand beside their fields: WebKit takes what stands in a field into a name around it.
                <div class="field">
                    <label class="field__label" for="record">
                        {labels::WORKSHOP_RECORD}
                    </label>
                    {move || match records.get() {
                        Offer::Asking => {
                            view! {
                                <select id="record" class="field__select" disabled=true>
                                    <option value="">{home::RECORDS_COMING}</option>
                                </select>
                            }
                                .into_any()
                        }
                        Offer::These(list) if !keeps_name(&list) => view! { <Choice list record typed=Callback::new(move |()| typed()) /> }.into_any(),
                        Offer::These(_) | Offer::Anything => {
                            view! {
                                <input
                                    id="record"
                                    class="field__input"
                                    type="text"
                                    autocapitalize="none"
                                    autocomplete="off"
                                    prop:value=move || record.get()
                                    on:input=move |ev| {
                                        by_name.set(true);
                                        record.set(event_target_value(&ev));
                                        typed();
                                    }
                                />
                                <span class="field__hint">{home::RECORD_HINT}</span>
                            }
                                .into_any()
                        }
                    }}
                </div>
                <div class="field">
                    <label class="field__label" for="question">
                        {labels::QUESTION}
                    </label>
                    <textarea
                        id="question"
                        class="field__text"
                        rows="3"
                        dir="auto"
                        placeholder=labels::QUESTION_HINT
                        prop:value=question.get_untracked()
                        on:focus=move |_| inside.set(true)
                        on:blur=move |_| inside.set(false)
                        on:input=move |ev| {
                            question.set(event_target_value(&ev));
                            typed();
                        }
                    ></textarea>
                </div>
                {move || problem.get().map(|words| view! { <p class="field__error" role="alert">{words}</p> }.into_any())}
                <button
                    class="button button--primary button--wide"
                    type="submit"
                    aria-busy=move || sending.get().is_some().then_some("true")
                >
                    {labels::START}
                </button>
                {move || sending.get().map(|words| view! { <p class="field__hint">{words}</p> }.into_any())}
            </form>
        </section>
    }
    .into_any()
}

#[component]
fn Choice(list: RecordList, record: RwSignal<String>, typed: Callback<()>) -> impl IntoView {
    let none = list.records.iter().all(|r| record.with_untracked(|chosen| chosen != r.record_id.as_str()));
    if none {
        record.set(String::new());
    }
    view! {
        <select
            id="record"
            class="field__select"
            on:change=move |ev| {
                record.set(event_target_value(&ev));
                typed.run(());
            }
        >
            <option value="" selected=none>{home::CHOOSE_RECORD}</option>
            {list
                .records
                .into_iter()
                .map(|summary| {
                    let id = summary.record_id.as_str().to_owned();
                    let selected = record.with_untracked(|chosen| *chosen == id);
                    view! { <option value=id selected=selected>{summary.title}</option> }
                })
                .collect_view()}
        </select>
    }
}
