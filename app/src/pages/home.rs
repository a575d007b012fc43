//! Start a task; the current one, if there is one.

use domain::{
    fault::Code,
    freshness::Link,
    intent::Wish,
    outbox::{Entry, Sending},
};
use leptos::prelude::*;
use leptos_router::{NavigateOptions, hooks::use_navigate};

use super::{
    frame::{Frame, Here, Private},
    program::ReadyNote,
    standing::{all_last, lasting, standing, told, view_of},
    task::{listed, outbox_wish},
};
use crate::{
    cache::{Found, Place, Unsent},
    components::{
        notice::Notice,
        others::{Other, OtherTexts, OtherWish},
        outbox::OutboxCard,
        resume::ResumeCard,
        start::{Offer, StartForm, StartWish},
        status::{Marks, Status, StatusView},
    },
    signal::{Effect, Memo, RwSignal, Signal},
    sync::{Keeper, session::Session},
    words::{home, labels, refusal, sending, status, status::Tone},
};

/// The first page.
#[component]
pub fn HomePage() -> impl IntoView {
    view! {
        <Private with_status=true>
            <Home />
        </Private>
    }
}

#[component]
fn Home() -> impl IntoView {
    let here = Here::get()?;
    let Here { handle, shown, .. } = here;
    handle.with(|keeper| keeper.watch(shown.current.get_untracked()));
    Effect::new(move |_| {
        let current = shown.current.get();
        handle.with(|keeper| keeper.watch(current));
    });
    // Storage may have been cleared while the session lives: the server's open task is offered.
    let lost = Memo::new(move |_| shown.current.get().is_none() && shown.session.with(Session::is_confirmed));
    Effect::new(move |_| {
        if lost.get() {
            handle.with(Keeper::find_current);
        }
    });
    let standing = standing(here);
    // The status is of the task that was asked for last: while its start waits, nothing is known of it, and
    // what is known of the one before is no answer.
    let starting = Memo::new(move |_| shown.outbox.with(|all| all.iter().any(waits_to_start)));
    let status = Memo::new(move |_| {
        if starting.get() {
            return StatusView { words: status::start_waits(all_last(here)), marks: Marks::NONE };
        }
        let none = shown.current.with(Option::is_none);
        let settled = none && shown.none_open.get();
        if none && !settled && shown.link.get() == Link::Up {
            return StatusView { words: status::looking(), marks: Marks::NONE };
        }
        standing.with(|s| if settled { nothing_to_tell(shown.link.get()) } else { view_of(s) })
    });
    let status = told(here, status);
    let resume = Memo::new(move |_| {
        let starting = starting.get();
        standing.with(|s| s.task.clone().map(|task| (task, s.freshness.is_confirmed() && !starting, starting)))
    });
    let asked = RwSignal::new(String::new());
    Some(view! {
        <Frame kind="home" title=labels::START_A_TASK>
            <Status view=status />
            {move || {
                resume
                    .get()
                    .map(|(task, confirmed, tagged)| {
                        let now = shown.server_now.get_untracked();
                        // Where the status speaks of this task, its words need no repeating.
                        view! { <ResumeCard task confirmed tagged now /> }
                    })
            }}
            <OutboxCard
                entries=Signal::derive(move || {
                    lasting(here, shown.outbox.with(|all| asked.with(|asked| waiting(all, asked))))
                })
                about=Callback::new(move |entry: Entry| handle.with(|keeper| keeper.known_title(&entry.intent)).flatten())
                ask=outbox_wish(handle)
                copier=here.copier()
            />
            <Start here asked />
            <ReadyNote />
        </Frame>
    })
}

/// The server has listed the tasks, and there is none to go on with; as long as it answers, that holds.
fn nothing_to_tell(link: Link) -> StatusView {
    let answers = link == Link::Up;
    let freshness = if answers { "confirmed" } else { "stale" };
    StatusView { words: status::no_task(answers), marks: Marks { freshness, ..Marks::NONE } }
}

fn waits_to_start(entry: &Entry) -> bool {
    matches!(entry.intent.wish, Wish::Start { .. }) && entry.sending.is_waiting()
}

/// Entries that are shown in the list; a start that was refused is told beside the form instead, while the
/// form holds its question.
fn waiting(all: &[Entry], asked: &str) -> Vec<Entry> {
    all.iter().filter(|e| !is_refused_start(e, asked)).cloned().collect()
}

fn is_refused_start(entry: &Entry, asked: &str) -> bool {
    let starts = matches!(&entry.intent.wish, Wish::Start { question, .. } if question == asked);
    starts && !entry.sending.is_waiting()
}

#[component]
fn Start(
    here: Here,
    /// The question that is in the form.
    asked: RwSignal<String>,
) -> impl IntoView {
    let Here { handle, shown, .. } = here;
    let records = offered(here);
    let pressed = RwSignal::new(false);
    lead_to_started(here, pressed);
    let inside = RwSignal::new(false);
    let local = RwSignal::new(None::<String>);
    let refused = Memo::new(move |_| {
        asked.with(|asked| shown.outbox.with(|all| all.iter().rev().find(|e| is_refused_start(e, asked)).cloned()))
    });
    let start = move |wish: StartWish, even_if_similar: bool| {
        let StartWish { record_id, question } = wish;
        let now_asked = question.clone();
        pressed.set(true);
        handle.with(|keeper| {
            let wish = Wish::Start { record_id, question, even_if_similar };
            let answer = keeper.wish(None, wish, None);
            if answer.is_ok() {
                // The same question again; another one that was refused stays until the learner lets it go.
                for entry in shown.outbox.get_untracked().iter().filter(|e| is_refused_start(e, &now_asked)) {
                    keeper.discard(entry.intent.op_id);
                }
            }
            local.set(answer.err().map(|fault| refusal::of_fault(&fault)));
        });
    };
    let keep = Callback::new(move |StartWish { record_id, question }| {
        local.set(None);
        asked.set(question.clone());
        let unsent = Some(Unsent::question(record_id, question)).filter(|u| !u.is_blank() || !u.record_id.is_empty());
        handle.with(|keeper| keeper.keep_unsent(Place::Start, unsent.as_ref()));
    });
    let problem = Signal::derive(move || {
        local.get().or_else(|| {
            refused.with(|entry| match entry.as_ref().map(|e| &e.sending) {
                Some(Sending::Refused { fault }) if fault.code != Code::SimilarTask => Some(refusal::of_fault(fault)),
                _ => None,
            })
        })
    });
    let sending = Signal::derive(move || {
        let lasts = all_last(here);
        shown
            .outbox
            .with(|all| all.iter().rev().find(|e| waits_to_start(e)).map(|e| sending::starting(&e.sending, lasts)))
    });
    let typed = handle.with(|keeper| keeper.unsent(Place::Start)).flatten().unwrap_or_default();
    asked.set(typed.text.clone());
    let typed = RwSignal::new(StartWish { record_id: typed.record_id, question: typed.text });
    let form = Form { asked, typed, inside, pressed };
    follow_confirmed(here, form);
    view! {
        {move || refused.get().and_then(|entry| similar(&entry, Callback::new(move |wish| start(wish, true))))}
        <OtherQuestions here form />
        // Drawn anew for another text, and for nothing else.
        {move || {
            view! {
                <StartForm
                    records
                    initial=typed.get()
                    problem
                    sending
                    inside
                    on_type=keep
                    start=Callback::new(move |wish| start(wish, false))
                />
            }
        }}
    }
    .into_any()
}

/// What the form holds, and what is done with it.
#[derive(Clone, Copy)]
struct Form {
    asked: RwSignal<String>,
    typed: RwSignal<StartWish>,
    /// Whether somebody is in a field of it.
    inside: RwSignal<bool>,
    /// Whether *Start* was pressed on this page.
    pressed: RwSignal<bool>,
}

/// What can be asked about: as the device remembers it, then as the server says.
fn offered(Here { handle, shown, .. }: Here) -> RwSignal<Offer> {
    let records = RwSignal::new(handle.with(Keeper::known_records).flatten().map_or(Offer::Asking, Offer::of));
    let certain = Memo::new(move |_| shown.session.with(Session::is_confirmed));
    Effect::new(move |_| {
        if certain.get() {
            handle.with(|keeper| {
                keeper.fetch(
                    |server| server.records(),
                    move |keeper, answer| match answer {
                        Ok(list) => {
                            keeper.keep_records(&list);
                            let offer = Offer::of(list);
                            // The field is drawn anew only for another offer: a choice was made in it. The
                            // answer may come when the page is gone.
                            if records.try_with_untracked(|known| *known != offer) == Some(true) {
                                records.set(offer);
                            }
                        }
                        Err(_) if records.try_with_untracked(|known| *known == Offer::Asking) == Some(true) => {
                            records.set(Offer::Anything);
                        }
                        Err(_) => {}
                    },
                );
            });
        }
    });
    records
}

/// Only a start that was pressed here leads to its task; one from an earlier visit does not.
fn lead_to_started(Here { shown, .. }: Here, pressed: RwSignal<bool>) {
    let navigate = use_navigate();
    Effect::new(move |_| {
        if let Some(task) = shown.started.get()
            && pressed.get_untracked()
        {
            navigate(&format!("/tasks/{task}"), NavigateOptions::default());
        }
    });
}

/// A start from an earlier visit was confirmed, and its text let go: the field follows, once nobody is in it.
fn follow_confirmed(Here { handle, shown, .. }: Here, form: Form) {
    let Form { asked, typed, inside, pressed } = form;
    Effect::new(move |_| {
        shown.texts.track();
        let done = shown.started.get().is_some() && !inside.get() && !pressed.get_untracked();
        let gone = || handle.with(|keeper| keeper.unsent(Place::Start)).flatten().is_none();
        if done && !asked.with_untracked(String::is_empty) && gone() {
            asked.set(String::new());
            typed.set(StartWish::default());
        }
    });
}

/// Questions that were typed in other tabs or at other times.
#[component]
fn OtherQuestions(here: Here, form: Form) -> impl IntoView {
    let Here { handle, shown, .. } = here;
    let Form { asked, typed, .. } = form;
    let others = RwSignal::new(Vec::<Found>::new());
    Effect::new(move |_| {
        shown.texts.track();
        others.set(handle.with(|keeper| keeper.other_texts(Place::Start, &[])).unwrap_or_default());
    });
    let act = move |(other, wish): (Other, OtherWish)| {
        let same = |f: &&Found| f.unsent.text == other.text && f.unsent.record_id == other.record_id;
        let Some(found) = others.with_untracked(|all| all.iter().find(same).cloned()) else { return };
        handle.with(|keeper| match wish {
            OtherWish::Discard => keeper.discard_other(Place::Start, &found),
            OtherWish::Use => {
                if let Some(used) = keeper.use_other(Place::Start, &found) {
                    asked.set(used.text.clone());
                    typed.set(StartWish { record_id: used.record_id, question: used.text });
                }
            }
        });
    };
    view! {
        <OtherTexts
            texts=Signal::derive(move || others.with(|all| listed(all)))
            lead=home::OTHER_QUESTION.words()
            may_use=Signal::stored(true)
            act=Callback::new(act)
            copier=here.copier()
        />
    }
}

/// The same question to the same record is open: to that task, or another one on purpose.
fn similar(entry: &Entry, anyway: Callback<StartWish>) -> Option<impl IntoView + use<>> {
    let Sending::Refused { fault } = &entry.sending else { return None };
    let Wish::Start { record_id, question, .. } = entry.intent.wish.clone() else { return None };
    if fault.code != Code::SimilarTask {
        return None;
    }
    let open = fault.params.get("task_id").map(|task| format!("/tasks/{task}"));
    let wish = StartWish { record_id, question };
    Some(view! {
        <Notice tone=Tone::Waiting title=home::SIMILAR_TITLE words=refusal::of_fault(fault)>
            {open
                .map(|href| {
                    view! {
                        <a class="button button--primary" href=href>
                            {labels::OPEN_THAT_TASK}
                        </a>
                    }
                })}
            <button class="button" type="button" on:click=move |_| anyway.run(wish.clone())>
                {labels::START_ANOTHER}
            </button>
        </Notice>
    })
}
