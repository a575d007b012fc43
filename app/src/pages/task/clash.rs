//! Another version had become current: both texts, and a decision that is made again on purpose.

use domain::{id::TaskId, intent::Wish, outbox::Entry, snapshot::Snapshot, text::Hash};
use leptos::prelude::*;

use super::{
    super::frame::Here,
    review::{Texts, current_text, text_of},
};
use crate::{
    components::difference::{Choice, Clash, Difference},
    signal::{Effect, Memo},
    words::status::{self, Standing},
};

/// What is to be decided now.
pub type ClashMemo = Memo<Option<Clash>>;

/// The clash to be decided, if there is one and both texts are here.
pub fn clash(here: Here, standing: Memo<Standing>, texts: Texts) -> ClashMemo {
    let clash = Memo::new(move |_| {
        standing.with(|s| {
            let task = s.task.as_ref()?;
            let entry = s.waiting.iter().find(|entry| status::is_clash(entry, &s.waiting, task))?;
            let theirs = current_text(task)?;
            let (mine, text) = mine(entry, &s.waiting, task);
            let my_text = text.or_else(|| texts.earlier.with(|all| text_of(all, mine)))?;
            Some(Clash { mine, my_text, theirs: theirs.version, their_text: theirs.text })
        })
    });
    // The text of an accepted version that is not on this device any more is asked for.
    Effect::new(move |_| {
        let wanted = standing.with(|s| {
            let task = s.task.as_ref()?;
            let entry = s.waiting.iter().find(|entry| status::is_clash(entry, &s.waiting, task))?;
            let (version, text) = mine(entry, &s.waiting, task);
            text.is_none().then_some((task.task_id, version))
        });
        if let Some((task, version)) = wanted {
            texts.read_earlier(here, task, version);
        }
    });
    clash
}

/// The version that the learner decided on, and their last text: edits that built on the refused
/// one count too.
fn mine(refused: &Entry, all: &[Entry], task: &Snapshot) -> (u32, Option<String>) {
    let version = match &refused.intent.wish {
        Wish::Edit { base_version, .. } => *base_version,
        Wish::Accept { draft_version, .. } => *draft_version,
        _ => 0,
    };
    let written = all.iter().rev().filter(|e| !e.sending.is_waiting()).find_map(|e| match &e.intent.wish {
        Wish::Edit { text, .. } => Some(text.clone()),
        _ => None,
    });
    let in_task = || text_of(&task.drafts, version);
    (version, written.or_else(|| refused.shown.clone()).or_else(in_task))
}

/// The difference, and what follows from the choice.
#[component]
pub fn ClashView(here: Here, task: TaskId, clash: ClashMemo) -> impl IntoView {
    let choose = move |choice: Choice| {
        let (Some(clash), Some(now)) = (clash.get_untracked(), here.shown.task.get_untracked()) else { return };
        let wish = match choice {
            Choice::KeepMine => Some(Wish::Edit { base_version: clash.theirs, text: clash.my_text }),
            Choice::AcceptTheirs => now.newest_evidence().map(|seen| Wish::Accept {
                draft_version: clash.theirs,
                draft_hash: Hash::of(&clash.their_text),
                seen_source_version: seen.source_version.clone(),
            }),
        };
        let Some(wish) = wish else { return };
        here.handle.with(|keeper| keeper.decide(task, wish, Some(clash.their_text)).err());
    };
    move || clash.get().map(|clash| view! { <Difference clash choose=Callback::new(choose) /> }.into_any())
}
