//! The cards of a task. What is to be read next comes first: on a phone that is the evidence until there is a
//! draft, and from then on the draft. On a wide screen they stand beside each other either way.

use domain::{explanation::StateName, id::TaskId, intent::Wish, snapshot::Snapshot};
use leptos::prelude::*;

use super::{
    super::{
        frame::Here,
        standing::{entries_of, lasting},
    },
    beside::Others,
    changes::Changes,
    notes::{FoundOut, Settling},
    outbox_wish,
    review::Texts,
    steps::{self, CancelTask},
    timeline::Timeline,
};
use crate::{
    components::{
        copy::CopyButton,
        draft::{DraftCard, Typed},
        evidence::EvidenceCard,
        outbox::OutboxCard,
        show::Show,
    },
    signal::{Memo, Signal},
    words::{labels, status::Standing},
};

/// All of them.
#[component]
pub fn Parts(
    here: Here,
    task: TaskId,
    standing: Memo<Standing>,
    clashing: Memo<bool>,
    texts: Texts,
    found_out: FoundOut,
) -> impl IntoView {
    let known = Memo::new(move |_| standing.with(|s| s.task.is_some()));
    // Drawn anew as each of the two arrives, so that nothing slides to another place.
    let arrived = Memo::new(move |_| {
        standing
            .with(|s| s.task.as_ref().map_or((false, false), |t| (!t.evidence.is_empty(), t.draft_version.is_some())))
    });
    // Until there is something to decide on, the bar has it.
    let open = Memo::new(move |_| {
        standing.with(|s| s.task.as_ref().is_some_and(|t| !t.phase.is_finished() && !steps::is_working(t.state)))
    });
    let evidence = move || view! { <Seen here standing texts /> };
    let draft = move || view! { <Written here task standing clashing texts found_out /> };
    view! {
        {move || {
            let (_, drafted) = arrived.get();
            if drafted { (draft(), evidence()).into_any() } else { (evidence(), draft()).into_any() }
        }}
        <Show when=move || known.get()>
            <div class="page__after">
                <Waiting here task standing place=Place::Last />
                <Timeline here task />
                <Show when=move || open.get()>
                    <CancelTask here task />
                </Show>
            </div>
        </Show>
    }
    .into_any()
}

/// What was seen at the source.
#[component]
fn Seen(here: Here, standing: Memo<Standing>, texts: Texts) -> impl IntoView {
    let known = Memo::new(move |_| standing.with(|s| s.task.is_some()));
    let evidence =
        Memo::new(move |_| standing.with(|s| s.task.as_ref().map(|t| t.evidence.clone()).unwrap_or_default()));
    let coming = Memo::new(move |_| standing.with(|s| s.task.as_ref().is_some_and(|t| t.state == StateName::Created)));
    let again = Memo::new(move |_| standing.with(|s| s.task.as_ref().and_then(Snapshot::seen_again_at)));
    view! {
        <Show when=move || known.get()>
            <div class="page__left">
                <EvidenceCard
                    evidence
                    draft=texts.on_screen
                    coming
                    again
                    now=here.shown.server_now
                    zone=here.zone
                />
            </div>
        </Show>
    }
    .into_any()
}

/// What is to be settled, the draft, and what waits.
#[component]
fn Written(
    here: Here,
    task: TaskId,
    standing: Memo<Standing>,
    clashing: Memo<bool>,
    texts: Texts,
    found_out: FoundOut,
) -> impl IntoView {
    let of_task =
        move |pick: fn(&Snapshot) -> bool| Memo::new(move |_| standing.with(|s| s.task.as_ref().is_some_and(pick)));
    let known = of_task(|_| true);
    let unsettled = of_task(|t| t.state == StateName::NeedsChecking);
    let save_intended = of_task(Snapshot::may_have_saved);
    let in_review = of_task(|t| t.state == StateName::AwaitingReview);
    let offered = of_task(|t| t.proposal.is_some());
    let button = move |label: &'static str, wish: Callback<(), Option<Wish>>| {
        let press = move |_| {
            if let Some(wish) = wish.run(()) {
                // A wish that the state forbids is refused by the server, with a reason, in the outbox.
                here.handle.with(|keeper| keeper.wish(Some(task), wish, None).err());
                steps::tell_pressed(here, task);
            }
        };
        view! {
            <button class="button button--quiet" type="button" on:click=press>
                {label}
            </button>
        }
    };
    let redraft = Callback::new(move |()| {
        texts.base.with_untracked(|base| base.as_ref().map(|b| Wish::Redraft { base_version: b.version }))
    });
    let newest = Signal::derive(move || texts.base.get().unwrap_or_default().text);
    view! {
        <div class="page__right">
            <Show when=move || unsettled.get()>
                <Settling here task found_out save_intended />
            </Show>
            <Others here task standing clashing texts />
            <Show when=move || known.get()>
                <DraftCard
                    versions=texts.versions
                    base=texts.base
                    typed=Signal::derive(move || {
                        let base_version = texts.builds_on.get()?;
                        texts.typed.get().map(|typed| Typed { base_version, ..typed })
                    })
                    editable=in_review
                    reading=texts.reading
                    behind=texts.behind
                    earlier=texts.earlier
                    read_earlier=Callback::new(move |version| texts.read_earlier(here, task, version))
                    on_type=Callback::new(move |text| texts.type_in(here, task, text))
                    on_discard=Callback::new(move |()| texts.discard_typed(here, task))
                    changes=view! { <Changes here texts /> }.into_any()
                >
                    <Show when=move || !in_review.get() && texts.base.with(Option::is_some)>
                        <CopyButton text=newest class="button button--quiet" copier=here.copier() />
                    </Show>
                    <Show when=move || in_review.get()>{button(labels::NEW_DRAFT.words(), redraft)}</Show>
                    // In the place that the way back takes while something is typed.
                    <Show when=move || in_review.get() && offered.get() && texts.typed.with(Option::is_none)>
                        {button(labels::LOOK_AGAIN.words(), Callback::new(|()| Some(Wish::Reopen)))}
                    </Show>
                </DraftCard>
            </Show>
            <Waiting here task standing place=Place::AtDraft />
        </div>
    }
    .into_any()
}

/// Where what waits on this device stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Something is to be decided, or there is nothing else to be seen.
    AtDraft,
    /// It comes and goes by itself, and nothing that is being read moves for it. The bar has what was pressed.
    Last,
}

/// What waits, in one place or the other.
#[component]
fn Waiting(here: Here, task: TaskId, standing: Memo<Standing>, place: Place) -> impl IntoView {
    let place_now = Memo::new(move |_| {
        standing.with(|s| match &s.task {
            Some(_) if s.waiting.iter().all(|entry| entry.sending.is_waiting()) => Place::Last,
            _ => Place::AtDraft,
        })
    });
    let entries =
        Signal::derive(
            move || {
                if place_now.get() == place { lasting(here, entries_of(here, task)) } else { Vec::new() }
            },
        );
    view! { <OutboxCard entries ask=outbox_wish(here.handle) copier=here.copier() /> }
}
