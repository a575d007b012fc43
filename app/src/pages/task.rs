//! One task: its status, evidence, draft, what waits, what happened, and the one next step.

pub mod clash; // another version had become current
mod review; // the texts: typed, waiting, current, earlier
mod steps; // the one next step
pub mod timeline; // what happened, when it is wanted

use domain::{id::TaskId, intent::Verdict, intent::Wish, snapshot::Snapshot};
use leptos::prelude::*;

use leptos_router::hooks::use_params_map;

use self::{review::Texts, steps::NextStep, timeline::Timeline};
use super::{
    apart,
    frame::{Frame, Here, Private},
    missing::MissingPage,
    standing::{all_last, entries_of, lasting, standing, told, view_of},
};
use crate::{
    app::Handle,
    cache::Found,
    components::{
        draft::DraftCard,
        evidence::EvidenceCard,
        kept::KeptCard,
        notice::Notice,
        others::{Other, OtherTexts, OtherWish},
        outbox::{OutboxCard, OutboxWish},
        progress::{self, Progress},
        settle::SettleCard,
        show::Show,
        status::Status,
    },
    signal::{Effect, Memo, RwSignal, Signal},
    words::{
        home, labels, problem, refusal,
        status::{Standing, Tone},
    },
};

/// The page of the task that the address names.
#[component]
pub fn TaskPage() -> impl IntoView {
    let here = Here::get()?;
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|p| p.get("id")).and_then(|raw| raw.parse::<TaskId>().ok()));
    Some(move || match id.get() {
        None => view! { <MissingPage /> }.into_any(),
        Some(task) => view! {
            <Private with_status=true>
                <Task here task />
            </Private>
        }
        .into_any(),
    })
}

#[component]
fn Task(here: Here, task: TaskId) -> impl IntoView {
    let Here { handle, shown, .. } = here;
    handle.with(|keeper| keeper.watch(Some(task)));
    let standing = standing(here);
    // What was opened and is really there is where the learner is.
    let at_home = Memo::new(move |_| standing.with(|s| s.freshness.is_confirmed() && s.task.is_some()));
    Effect::new(move |_| {
        if at_home.get() && shown.current.get_untracked() != Some(task) {
            handle.with(|keeper| keeper.make_current(task));
        }
    });
    let status = told(here, Memo::new(move |_| standing.with(view_of)));
    let title =
        Memo::new(move |_| standing.with(|s| s.task.as_ref().map_or_else(|| labels::TASK.into(), |t| t.title.clone())));
    let texts = Texts::of(here, task);
    let clash = clash::clash(here, standing, texts);
    let clashing = Memo::new(move |_| clash.with(Option::is_some));
    view! {
        <Frame kind="task" title=title>
            <div class="page__head">
                <Status view=status />
                <Heading standing />
            </div>
            <Show when=move || clashing.get()>
                <div class="page__head">
                    {apart::clash_part(here, task, clash)}
                </div>
            </Show>
            <Kept here task standing clashing texts />
            <Others here task standing clashing texts />
            <Show when=move || !clashing.get()>
                <Parts here task standing texts />
            </Show>
        </Frame>
        <Show when=move || !clashing.get()>
            <NextStep here task standing texts />
        </Show>
    }
    .into_any()
}

/// Which task it is, how far it has come, and what is to be known beside its state.
#[component]
fn Heading(standing: Memo<Standing>) -> impl IntoView {
    let about = Memo::new(move |_| {
        standing.with(|s| s.task.as_ref().map(|t| (t.title.clone(), t.question.clone(), progress::steps(t))))
    });
    let notice = Memo::new(move |_| standing.with(|s| s.task.as_ref().and_then(|t| t.notice.clone())));
    view! {
        {move || {
            about
                .get()
                .map(|(title, question, steps)| {
                    view! {
                        <h1 class="page__title">{title}</h1>
                        <p class="page__lead">{question}</p>
                        <Progress steps=Signal::stored(steps) />
                    }
                })
        }}
        {move || notice.get().map(|n| view! { <Notice tone=Tone::Waiting words=problem::notice(&n) /> }.into_any())}
    }
    .into_any()
}

/// The typed text, in every state that does not show it in its field.
#[component]
fn Kept(here: Here, task: TaskId, standing: Memo<Standing>, clashing: Memo<bool>, texts: Texts) -> impl IntoView {
    let in_field = Memo::new(move |_| {
        standing.with(|s| s.task.as_ref().is_some_and(|t| t.state == domain::explanation::StateName::AwaitingReview))
    });
    let hidden = move || clashing.get() || !in_field.get();
    let text = Signal::derive(move || texts.typed.get().map(|typed| typed.text).filter(|_| hidden()));
    let copy = move |text: String| {
        here.handle.with(|keeper| keeper.device().copy(&text));
    };
    view! {
        <Show when=move || text.with(Option::is_some)>
            <div class="page__head">
                <KeptCard
                    text
                    lasts=Signal::derive(move || all_last(here))
                    copy=Callback::new(copy)
                    discard=Callback::new(move |()| texts.discard_typed(here, task))
                />
            </div>
        </Show>
    }
    .into_any()
}

/// What was typed for this draft in another tab or visit.
#[component]
fn Others(here: Here, task: TaskId, standing: Memo<Standing>, clashing: Memo<bool>, texts: Texts) -> impl IntoView {
    let in_field = move || {
        standing.with(|s| s.task.as_ref().is_some_and(|t| t.state == domain::explanation::StateName::AwaitingReview))
    };
    let act = move |(other, wish): (Other, OtherWish)| texts.act_on_other(here, task, &other, wish);
    view! {
        <Show when=move || texts.others.with(|all| !all.is_empty())>
            <div class="page__head">
                <OtherTexts
                    texts=Signal::derive(move || texts.others.with(|all| listed(all)))
                    lead=home::OTHER_DRAFT.words()
                    may_use=Signal::derive(move || in_field() && !clashing.get())
                    act=Callback::new(act)
                />
            </div>
        </Show>
    }
    .into_any()
}

/// Texts as a component shows them.
pub fn listed(found: &[Found]) -> Vec<Other> {
    let other = |f: &Found| Other { record_id: f.unsent.record_id.clone(), text: f.unsent.text.clone() };
    found.iter().map(other).collect()
}

/// The cards of a task.
#[component]
fn Parts(here: Here, task: TaskId, standing: Memo<Standing>, texts: Texts) -> impl IntoView {
    let Here { handle, shown, zone } = here;
    let known = Memo::new(move |_| standing.with(|s| s.task.is_some()));
    let of_task =
        move |pick: fn(&Snapshot) -> bool| Memo::new(move |_| standing.with(|s| s.task.as_ref().is_some_and(pick)));
    let unsettled = of_task(|t| t.state == domain::explanation::StateName::NeedsChecking);
    let save_intended = of_task(Snapshot::may_have_saved);
    let in_review = of_task(|t| t.state == domain::explanation::StateName::AwaitingReview);
    let offered = of_task(|t| t.proposal.is_some());
    let open = of_task(|t| !t.phase.is_finished());
    let evidence =
        Memo::new(move |_| standing.with(|s| s.task.as_ref().map(|t| t.evidence.clone()).unwrap_or_default()));
    let ask = move |wish: Wish| {
        // A wish that the state forbids is refused by the server, with a reason, in the outbox.
        handle.with(|keeper| keeper.wish(Some(task), wish, None).err()).flatten()
    };
    let unsettling = RwSignal::new(None::<String>);
    let settle = move |(verdict, note): (Verdict, String)| {
        unsettling.set(ask(Wish::Settle { verdict, note }).map(|fault| refusal::of_fault(&fault)));
    };
    let button = move |label: &'static str, wish: Callback<(), Option<Wish>>| {
        view! {
            <button
                class="button button--quiet"
                type="button"
                on:click=move |_| {
                    if let Some(wish) = wish.run(()) {
                        ask(wish);
                    }
                }
            >
                {label}
            </button>
        }
    };
    let redraft = Callback::new(move |()| {
        texts.base.with_untracked(|base| base.as_ref().map(|b| Wish::Redraft { base_version: b.version }))
    });
    view! {
        <Show when=move || known.get()>
            <div class="page__left">
                <EvidenceCard evidence draft=texts.on_screen now=shown.server_now zone />
            </div>
        </Show>
        <div class="page__right">
            <OutboxCard entries=Signal::derive(move || lasting(here, entries_of(here, task))) ask=outbox_wish(handle) />
            <Show when=move || unsettled.get()>
                <SettleCard save_intended problem=unsettling settle=Callback::new(settle) />
            </Show>
            <Show when=move || known.get()>
                <DraftCard
                    versions=texts.versions
                    base=texts.base
                    typed=texts.typed
                    editable=in_review
                    reading=texts.reading
                    behind=texts.behind
                    earlier=texts.earlier
                    read_earlier=Callback::new(move |version| texts.read_earlier(here, task, version))
                    on_type=Callback::new(move |text| texts.type_in(here, task, text))
                    on_discard=Callback::new(move |()| texts.discard_typed(here, task))
                >
                    <Show when=move || in_review.get()>{button(labels::NEW_DRAFT.words(), redraft)}</Show>
                    <Show when=move || in_review.get() && offered.get()>
                        {button(labels::LOOK_AGAIN.words(), Callback::new(|()| Some(Wish::Reopen)))}
                    </Show>
                    <Show when=move || open.get()>
                        {button(labels::CANCEL_TASK.words(), Callback::new(|()| Some(Wish::Cancel)))}
                    </Show>
                </DraftCard>
            </Show>
        </div>
        <Show when=move || known.get()>
            <div class="page__after">
                <Timeline here task />
            </div>
        </Show>
    }
    .into_any()
}

/// What a learner may do with what waits.
pub fn outbox_wish(handle: Handle) -> Callback<OutboxWish> {
    Callback::new(move |wish| {
        handle.with(|keeper| match wish {
            OutboxWish::SendNow => keeper.send_now(),
            OutboxWish::Discard(op) => keeper.discard(op),
            OutboxWish::Copy(text) => keeper.device().copy(&text),
        });
    })
}
