//! What happened, line by line.

use domain::{snapshot::EventLine, time::Timestamp};
use leptos::prelude::*;

use crate::words::{home, labels, timeline, times::Zone};

/// The timeline, folded away until it is wanted.
#[component]
pub fn TimelineCard(
    #[prop(into)] events: Signal<Vec<EventLine>>,
    #[prop(into)] now: Signal<Option<Timestamp>>,
    zone: Zone,
    /// Told when it is unfolded or folded away.
    #[prop(into)]
    toggled: Callback<bool>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    view! {
        <details class="card card--timeline" prop:open=move || open.get()>
            <summary
                class="card__head"
                on:click=move |ev| {
                    ev.prevent_default();
                    open.update(|open| *open = !*open);
                    toggled.run(open.get_untracked());
                }
            >
                <h2 class="card__title">{labels::WHAT_HAPPENED}</h2>
            </summary>
            <Show
                when=move || !events.with(Vec::is_empty)
                fallback=|| view! { <p class="empty">{home::NO_EVENTS}</p> }
            >
                <ol class="timeline">
                    <For each=move || events.get() key=|event| event.seq let:event>
                        <li class=format!("timeline__line timeline__line--{}", timeline::kind(&event))>
                            <p class="timeline__what">{timeline::what(&event)}</p>
                            <p class="timeline__when">{timeline::when(&event, now.get_untracked(), zone)}</p>
                        </li>
                    </For>
                </ol>
            </Show>
        </details>
    }
    .into_any()
}
