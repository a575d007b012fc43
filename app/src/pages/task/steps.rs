//! The one next step of a task, in the bar at the bottom.

use domain::{explanation::StateName, id::TaskId, intent::Wish, snapshot::Outcome, text::Hash};
use leptos::prelude::*;

use super::{
    super::{
        frame::Here,
        standing::{all_last, entries_of, is_under_way},
    },
    review::Texts,
};
use crate::{
    components::{
        bar::{AskButton, Bar, Note},
        sure::Sure,
    },
    signal::{Memo, RwSignal, Signal},
    words::{
        asking, home, labels, refusal, sending,
        status::{self, Standing},
    },
};

/// Which step comes next; the bar is drawn anew only when that changes.
#[derive(Clone, PartialEq, Eq)]
enum Next {
    Nothing,
    Wait,
    Review { offered: bool },
    Retry { missing: bool },
    Saved { entry: Option<String> },
    Ended,
}

/// The bar.
#[component]
pub fn NextStep(here: Here, task: TaskId, standing: Memo<Standing>, texts: Texts) -> impl IntoView {
    let next = Memo::new(move |_| {
        standing.with(|s| match s.task.as_ref().map(|t| (t.state, t)) {
            Some((StateName::AwaitingReview, t)) => Next::Review { offered: t.proposal.is_some() },
            Some((StateName::SourceMissing, _)) => Next::Retry { missing: true },
            Some((StateName::SourceUnavailable | StateName::DraftFailed, _)) => Next::Retry { missing: false },
            Some((StateName::Saved, t)) => Next::Saved {
                entry: match &t.outcome {
                    Some(Outcome::Saved { entry_id, .. }) => Some(format!("/library/{entry_id}")),
                    _ => None,
                },
            },
            Some((StateName::Cancelled, _)) => Next::Ended,
            None if s.gone => Next::Ended,
            Some((state, _)) if is_working(state) => Next::Wait,
            _ => Next::Nothing,
        })
    });
    // Whoever pressed far down the page sees here what the status says at its top.
    let saved = Memo::new(move |_| standing.with(status::in_the_library));
    move || match next.get() {
        Next::Nothing => ().into_any(),
        Next::Wait => view! { <Wait here task /> }.into_any(),
        Next::Review { offered } => view! { <Review here task standing texts offered /> }.into_any(),
        Next::Retry { missing } => view! { <Retry here task missing /> }.into_any(),
        Next::Saved { entry } => view! {
            <Bar note=Signal::derive(move || saved.get().map(Note::Word)) arrived=true>
                <a class="button button--primary" href=entry.unwrap_or_else(|| "/library".to_owned())>
                    {labels::OPEN_IN_LIBRARY}
                </a>
                <a class="button" href="/">
                    {labels::NEW_TASK}
                </a>
            </Bar>
        }
        .into_any(),
        Next::Ended => view! {
            <Bar arrived=true>
                <a class="button button--primary" href="/">
                    {labels::NEW_TASK}
                </a>
                <a class="button" href="/tasks">
                    {labels::TASKS}
                </a>
            </Bar>
        }
        .into_any(),
    }
}

/// Whether there is nothing to decide on yet, because the first draft or another one is still to come.
pub fn is_working(state: StateName) -> bool {
    matches!(state, StateName::Created | StateName::EvidenceSaved)
}

/// The way out.
#[component]
pub fn CancelTask(here: Here, task: TaskId) -> impl IntoView {
    let cancel = move |()| {
        here.handle.with(|keeper| keeper.wish(Some(task), Wish::Cancel, None).err());
        tell_pressed(here, task);
    };
    view! {
        <Sure
            label=labels::CANCEL_TASK
            question=asking::CANCEL
            class="button button--quiet button--danger"
            act=Callback::new(cancel)
        />
    }
}

#[component]
fn Wait(here: Here, task: TaskId) -> impl IntoView {
    view! {
        <Bar note=Signal::derive(move || under_way(here, task).map(Note::Pressed))>
            <CancelTask here task />
        </Bar>
    }
    .into_any()
}

/// What is under way for this task, in words.
fn under_way(here: Here, task: TaskId) -> Option<String> {
    let waiting = entries_of(here, task);
    // The newest is what was pressed last.
    let entry = waiting.iter().rfind(|e| e.sending.is_waiting())?;
    Some(sending::under_way(&sending::wish(&entry.intent.wish), &entry.sending, all_last(here)))
}

/// Tells those who listen that something was refused, where the status does not say it itself.
pub fn tell_refused(here: Here, task: TaskId, clashing: Memo<bool>) {
    let refused = Memo::new(move |_| {
        let entries = entries_of(here, task).into_iter();
        entries.filter(|entry| !entry.sending.is_waiting()).collect::<Vec<_>>()
    });
    Effect::new(move |known: Option<usize>| {
        let newest = refused.with(|refused| refused.last().cloned());
        let now = refused.with(Vec::len);
        if known.is_some_and(|known| known < now) && !clashing.get_untracked() {
            let words = newest.map(|entry| sending::sending(&entry, untrack(|| all_last(here))));
            here.handle.with(|keeper| keeper.device().announce(&words.unwrap_or_default()));
        }
        now
    });
}

/// Tells those who listen what became of what they pressed, where the status will not change by it for now.
pub fn tell_pressed(here: Here, task: TaskId) {
    if here.shown.freshness.with_untracked(|freshness| freshness.is_confirmed()) {
        return;
    }
    if let Some(words) = untrack(|| under_way(here, task)) {
        here.handle.with(|keeper| keeper.device().announce(&words));
    }
}

#[component]
fn Review(here: Here, task: TaskId, standing: Memo<Standing>, texts: Texts, offered: bool) -> impl IntoView {
    let Here { handle, shown, .. } = here;
    let problem = RwSignal::new(None::<String>);
    let version = Memo::new(move |_| texts.base.with(|b| b.as_ref().map_or(0, |b| b.version)));
    let dirty = Memo::new(move |_| texts.typed.with(Option::is_some));
    // Accepted is what is on the screen, and nothing else.
    let hindrance = Memo::new(move |_| texts.in_view().hindrance(version.get()));
    let confirmed = Memo::new(move |_| standing.with(|s| s.freshness.is_confirmed()));
    // What was wrong with a text says nothing of the next one.
    Effect::new(move |_| {
        texts.typed.track();
        problem.set(None);
    });
    let note = Signal::derive(move || {
        let word = || {
            let hindrance = hindrance.get().filter(|_| offered);
            hindrance.or_else(|| offered.then(|| home::accept_note(version.get(), confirmed.get())).flatten())
        };
        let refused = problem.get().map(Note::Refused);
        refused.or_else(|| under_way(here, task).map(Note::Pressed)).or_else(|| word().map(Note::Word))
    });
    let busy = move |verb: &'static str| Signal::derive(move || is_under_way(&entries_of(here, task), verb));
    let accept = move |()| {
        if hindrance.with_untracked(Option::is_some) {
            return;
        }
        let seen = shown.task.with_untracked(|t| t.as_ref().and_then(|t| t.newest_evidence().cloned()));
        let (Some(base), Some(seen)) = (texts.base.get_untracked(), seen) else { return };
        let wish = Wish::Accept {
            draft_version: base.version,
            draft_hash: Hash::of(&base.text),
            seen_source_version: seen.source_version,
        };
        let answer = handle.with(|keeper| keeper.wish(Some(task), wish, Some(base.text)));
        problem.set(answer.and_then(Result::err).map(|fault| refusal::of_fault(&fault)));
        tell_pressed(here, task);
    };
    let save = move |()| {
        let (Some(typed), Some(base_version)) = (texts.typed.get_untracked(), texts.builds_on.get_untracked()) else {
            return;
        };
        let wish = Wish::Edit { base_version, text: typed.text.clone() };
        let answer = handle.with(|keeper| keeper.wish(Some(task), wish, Some(typed.text)));
        if let Some(Err(fault)) = answer {
            problem.set(Some(refusal::of_fault(&fault)));
        } else {
            problem.set(None);
            texts.sent(here, task);
        }
        tell_pressed(here, task);
    };
    let reopen = move |()| {
        handle.with(|keeper| keeper.wish(Some(task), Wish::Reopen, None).err());
        tell_pressed(here, task);
    };
    view! {
        <Bar note arrived=true>
            {if offered {
                view! {
                    <AskButton
                        label=Signal::derive(move || labels::accept(version.get()))
                        primary=Signal::derive(move || !dirty.get())
                        disabled=Signal::derive(move || hindrance.with(Option::is_some))
                        busy=busy("accept")
                        press=Callback::new(accept)
                    />
                }
                    .into_any()
            } else {
                view! {
                    <AskButton
                        label=labels::LOOK_AGAIN
                        primary=Signal::derive(move || !dirty.get())
                        busy=busy("reopen")
                        press=Callback::new(reopen)
                    />
                }
                    .into_any()
            }}
            <AskButton
                label=labels::SAVE_EDIT
                // What can be done next is the loud one, and neither changes its place.
                primary=dirty
                disabled=Signal::derive(move || !dirty.get())
                busy=busy("edit")
                press=Callback::new(save)
            />
        </Bar>
    }
    .into_any()
}

#[component]
fn Retry(here: Here, task: TaskId, missing: bool) -> impl IntoView {
    let retry = move |()| {
        here.handle.with(|keeper| keeper.wish(Some(task), Wish::Retry, None).err());
        tell_pressed(here, task);
    };
    view! {
        <Bar note=Signal::derive(move || under_way(here, task).map(Note::Pressed))>
            <AskButton
                label=labels::TRY_AGAIN
                primary=Signal::stored(true)
                busy=Signal::derive(move || is_under_way(&entries_of(here, task), "retry"))
                press=Callback::new(retry)
            />
            {missing
                .then(|| {
                    view! {
                        <a class="button" href="/">
                            {labels::NEW_TASK}
                        </a>
                    }
                })}
        </Bar>
    }
    .into_any()
}
