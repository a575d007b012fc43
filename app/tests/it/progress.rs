//! The steps say how far they are and how long they took, and no figure is made up.

use std::time::Duration;

use app::{
    components::progress::{Step, figures, is_counted, steps},
    words::{
        progress::{lasted, note},
        sending::Lasts,
        status::Standing,
        times::Zone,
    },
};
use domain::{
    explanation::StateName,
    freshness::Freshness,
    id::EntryId,
    lease::Active,
    snapshot::{Author, Outcome, Snapshot, UnderWay},
    text::Hash,
};
use uuid::Uuid;

use crate::{
    fake::things::{add_version, in_state, noon, task_at, the_task},
    returned::at_the_task,
};

/// Confirmed a minute after noon.
fn confirmed(task: Snapshot) -> Standing {
    Standing {
        task: Some(task),
        freshness: Freshness::Confirmed { at: noon(60) },
        now: Some(noon(60)),
        zone: Zone::default(),
        waiting: vec![],
        unsent: false,
        lasts: Lasts::OnDevice,
        before: None,
        gone: false,
    }
}

/// Looked up after 2 s, drafted 5 s later.
fn in_review() -> Snapshot {
    let mut task = task_at(1);
    task.evidence[0].observed_at = noon(2);
    task.drafts[0].created_at = noon(7);
    task
}

fn saved() -> Snapshot {
    let mut task = in_state(in_review(), StateName::Saved);
    task.accepted_at = Some(noon(37));
    let (entry_id, hash) = (EntryId(Uuid::from_u128(3)), Hash::of("x"));
    task.outcome = Some(Outcome::Saved { entry_id, draft_version: 1, hash, saved_at: noon(38) });
    task
}

/// A draft is being written since ten seconds after noon.
fn drafting(tries: u32, held: bool) -> Snapshot {
    let mut task = in_state(in_review(), StateName::EvidenceSaved);
    (task.drafts, task.draft_version) = (vec![], None);
    task.under_way = Some(UnderWay { since: noon(10), tries });
    task.active = held.then(|| Active { step: "draft".to_owned(), tries, lease_until: noon(90) });
    task
}

fn seconds(standing: &Standing) -> [Option<u64>; 4] {
    figures(standing).map(|figure| figure.map(|time| time.as_secs()))
}

#[test]
fn the_steps_follow_the_state() {
    use Step::{Bad, Done, Now, Todo};
    assert_eq!(steps(&task_at(1)), [Done, Done, Now, Todo]);
    assert_eq!(steps(&saved()), [Done; 4]);
    assert_eq!(steps(&in_state(task_at(1), StateName::DraftFailed)), [Done, Bad, Todo, Todo]);
}

#[test]
fn what_is_done_says_how_long_it_took() {
    assert_eq!(seconds(&confirmed(in_review())), [Some(2), Some(5), None, None]);
    assert_eq!(seconds(&confirmed(saved())), [Some(2), Some(5), Some(30), Some(1)]);
    assert_eq!(note(&confirmed(saved())).unwrap(), "Started today at 12:00. It took 38 s in all.");
}

#[test]
fn seconds_are_counted_only_while_a_worker_holds_the_step_and_that_is_confirmed() {
    let counted = confirmed(drafting(0, true));
    assert!(is_counted(&counted));
    assert_eq!(seconds(&counted), [Some(2), Some(50), None, None]);

    let stale = Standing { freshness: Freshness::Stale { last: noon(60) }, ..counted.clone() };
    let lease_over = Standing { now: Some(noon(91)), ..counted };
    for standing in [confirmed(drafting(0, false)), stale, lease_over] {
        assert!(!is_counted(&standing));
        assert_eq!(seconds(&standing), [Some(2), None, None, None]);
    }
}

#[test]
fn what_nobody_can_know_has_no_figure() {
    // When the second draft was asked for is not in the picture.
    let mut twice = in_review();
    add_version(&mut twice, Author::Model, "Bring two aprons.");
    assert_eq!(seconds(&confirmed(twice)), [Some(2), None, None, None]);
    let mut before_this_was_kept = saved();
    before_this_was_kept.accepted_at = None;
    assert_eq!(seconds(&confirmed(before_this_was_kept)), [Some(2), Some(5), None, None]);
    assert_eq!(seconds(&confirmed(in_state(in_review(), StateName::SourceMissing))), [None, Some(5), None, None]);
}

#[test]
fn tries_are_told_and_which_one_it_is_now_only_while_it_is_known() {
    for (task, words) in [
        (drafting(0, true), "Started today at 12:00."),
        (drafting(1, true), "Started today at 12:00. This is try 2."),
        (drafting(1, false), "Started today at 12:00. One try failed so far."),
        (drafting(2, false), "Started today at 12:00. 2 tries failed so far."),
    ] {
        assert_eq!(note(&confirmed(task)).unwrap(), words);
    }
    let unknown = Standing { freshness: Freshness::OPENED, ..confirmed(drafting(1, true)) };
    assert_eq!(note(&unknown).unwrap(), "Started today at 12:00. One try failed so far.");
}

#[test]
fn a_length_of_time_is_said_in_the_largest_unit_that_fits() {
    for (seconds, words) in [(0, "under 1 s"), (59, "59 s"), (61, "1 min"), (3_700, "1 h"), (200_000, "2 days")] {
        assert_eq!(lasted(Duration::from_secs(seconds)), words);
    }
}

#[test]
fn the_seconds_pass_on_a_page_that_is_looked_at_and_on_no_other() {
    let (mut tab, _, _) = at_the_task();
    let now = |tab: &crate::fake::Tab| tab.keeper.shown.server_now.get_untracked().unwrap();
    let wanted = std::rc::Rc::new(std::cell::Cell::new(true));
    let asked = wanted.clone();
    let before = now(&tab);
    tab.keeper.count_seconds(std::rc::Rc::new(move || asked.get()));
    tab.pass(3_000);
    assert!(before.plus(Duration::from_secs(2)) <= now(&tab), "{before} and {}", now(&tab));

    wanted.set(false);
    tab.pass(1_000);
    let stopped = now(&tab);
    tab.pass(2_000);
    assert_eq!(now(&tab), stopped);
    assert_eq!(tab.keeper.shown.watched.get_untracked(), Some(the_task()));
}
