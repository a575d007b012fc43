//! Start a task; the current one, if there is one.

use domain::{
    fault::Code,
    intent::Wish,
    outbox::{Entry, Sending},
};
use leptos::prelude::*;
use leptos_router::{NavigateOptions, hooks::use_navigate};

use super::{
    frame::{Frame, Here, Private},
    program::ReadyNote,
    standing::{is_under_way, standing, told, view_of},
    task::outbox_wish,
};
use crate::{
    cache::UnsentStart,
    components::{
        notice::Notice,
        outbox::OutboxCard,
        resume::ResumeCard,
        start::{Offer, StartForm, StartWish},
        status::{Marks, Status, StatusView},
    },
    sync::{Keeper, session::Session},
    words::{home, labels, refusal, status, status::Tone},
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
    let status = Memo::new(move |_| {
        let settled = shown.current.with(Option::is_none) && shown.none_open.get();
        standing.with(|s| if settled { nothing_to_tell() } else { view_of(s) })
    });
    let status = told(here, status);
    let resume = Memo::new(move |_| standing.with(|s| s.task.clone().map(|task| (task, s.freshness.is_confirmed()))));
    Some(view! {
        <Frame kind="home" title=labels::START_A_TASK>
            <Status view=status />
            {move || {
                resume
                    .get()
                    .map(|(task, confirmed)| {
                        view! { <ResumeCard task confirmed now=shown.server_now.get_untracked() /> }
                    })
            }}
            <OutboxCard
                entries=Signal::derive(move || shown.outbox.with(|all| listed(all)))
                ask=outbox_wish(handle)
            />
            <Start here />
            <ReadyNote />
        </Frame>
    })
}

/// The server has listed the tasks, and there is none to go on with.
fn nothing_to_tell() -> StatusView {
    StatusView { words: status::no_task(), marks: Marks { freshness: "confirmed", ..Marks::NONE } }
}

/// Entries that are shown in the list; a refused start is told beside the form instead.
fn listed(all: &[Entry]) -> Vec<Entry> {
    all.iter().filter(|e| e.sending.is_waiting() || !is_start(e)).cloned().collect()
}

fn is_start(entry: &Entry) -> bool {
    matches!(entry.intent.wish, Wish::Start { .. })
}

#[component]
fn Start(here: Here) -> impl IntoView {
    let Here { handle, shown, .. } = here;
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
    // Only a start that was pressed here leads to its task; one from an earlier visit does not.
    let pressed = RwSignal::new(false);
    let navigate = use_navigate();
    Effect::new(move |_| {
        if let Some(task) = shown.started.get()
            && pressed.get_untracked()
        {
            navigate(&format!("/tasks/{task}"), NavigateOptions::default());
        }
    });
    let local = RwSignal::new(None::<String>);
    let refused = Memo::new(move |_| {
        shown.outbox.with(|all| all.iter().rev().find(|e| is_start(e) && !e.sending.is_waiting()).cloned())
    });
    let start = move |wish: StartWish, even_if_similar: bool| {
        let StartWish { record_id, question } = wish;
        pressed.set(true);
        handle.with(|keeper| {
            let wish = Wish::Start { record_id, question, even_if_similar };
            let answer = keeper.wish(None, wish, None);
            if answer.is_ok() {
                for entry in shown.outbox.get_untracked().iter().filter(|e| is_start(e) && !e.sending.is_waiting()) {
                    keeper.discard(entry.intent.op_id);
                }
            }
            local.set(answer.err().map(|fault| refusal::of_fault(&fault)));
        });
    };
    let keep = Callback::new(move |StartWish { record_id, question }| {
        local.set(None);
        handle.with(|keeper| keeper.keep_unsent_start(&UnsentStart { record_id, question }));
    });
    let problem = Signal::derive(move || {
        local.get().or_else(|| {
            refused.with(|entry| match entry.as_ref().map(|e| &e.sending) {
                Some(Sending::Refused { fault }) if fault.code != Code::SimilarTask => Some(refusal::of_fault(fault)),
                _ => None,
            })
        })
    });
    let sending = Signal::derive(move || shown.outbox.with(|all| is_under_way(all, "start")));
    let initial = handle.with(Keeper::unsent_start).unwrap_or_default();
    let initial = StartWish { record_id: initial.record_id, question: initial.question };
    view! {
        {move || refused.get().and_then(|entry| similar(&entry, Callback::new(move |wish| start(wish, true))))}
        <StartForm
            records
            initial
            problem
            sending
            on_type=keep
            start=Callback::new(move |wish| start(wish, false))
        />
    }
    .into_any()
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
