//! What changed from one version to the next, when it is wanted.

use domain::snapshot::Draft;
use leptos::prelude::*;

use super::{
    super::{apart, frame::Here},
    review::Texts,
};
use crate::{
    components::{difference::Compared, fold::Fold, show::Show},
    signal::{Memo, RwSignal, Signal},
    words::home,
};

/// Two versions, the older one first.
pub type PairMemo = Memo<Option<(Draft, Draft)>>;

/// The earlier version that is being read, or else the one before the current, beside the current one.
fn pair(texts: Texts) -> PairMemo {
    Memo::new(move |_| {
        let reading = texts.reading.get();
        let fetched = texts.earlier.with(|all| all.iter().find(|draft| Some(draft.version) == reading).cloned());
        texts.versions.with(|all| {
            let (current, before) = all.split_last()?;
            let older = match reading {
                Some(version) => before.iter().find(|draft| draft.version == version),
                None => before.last(),
            };
            Some((fetched.or_else(|| older.cloned())?, current.clone()))
        })
    })
}

/// Folded away; nothing where there is one version only.
#[component]
pub fn Changes(here: Here, texts: Texts) -> impl IntoView {
    let pair = pair(texts);
    let since = Memo::new(move |_| pair.with(|pair| pair.as_ref().map_or(0, |(older, _)| older.version)));
    let wanted = RwSignal::new(false);
    view! {
        <Show when=move || pair.with(Option::is_some)>
            <Fold label=Signal::derive(move || home::changed_since(since.get())) wanted>
                {move || wanted.get().then(|| apart::changes_part(here, pair))}
            </Fold>
        </Show>
    }
    .into_any()
}

/// What is in it.
#[component]
pub fn ChangesView(pair: PairMemo) -> impl IntoView {
    move || {
        let (older, current) = pair.get()?;
        let view = match (older.text, current.text) {
            (Some(before), Some(now)) => {
                let older = (home::earlier(older.version), before);
                let newer = (home::current(current.version), now);
                view! { <Compared older newer /> }.into_any()
            }
            _ => view! { <p class="empty">{home::EARLIER_COMING}</p> }.into_any(),
        };
        Some(view)
    }
}
