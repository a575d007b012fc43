//! A reopened tab knows what it does not know.

use std::rc::Rc;

use app::{api::error::ApiError, cache::Cache, ports::device::Trigger, sync::session::Session};
use domain::{explanation::StateName, fault::Code, freshness::Freshness, snapshot::Snapshot};

use crate::fake::{
    Script, Tab,
    device::Memory,
    server::Answer,
    things::{ada, in_state, noon, task_at, the_task},
};

/// A device on which Ada saw her task at `seq`.
pub fn remembering(seq: u64) -> Rc<Memory> {
    let slots = Rc::new(Memory::default());
    let (cache, user) = (Cache(&*slots), ada().user_id);
    cache.keep_last_user(&ada()).unwrap();
    cache.keep_current(user, the_task()).unwrap();
    cache.keep_snapshot(user, &task_at(seq)).unwrap();
    slots
}

/// A tab at a confirmed task, before a server that takes commands and stays silent.
pub fn at_the_task() -> (Tab, Rc<Memory>, Rc<Script>) {
    let (slots, server) = (remembering(5), Rc::new(Script::new(ada())));
    *server.task.borrow_mut() = Answer::Says(task_at(6));
    let mut tab = Tab::started(slots.clone(), server.clone());
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    (tab, slots, server)
}

fn seq(tab: &Tab) -> Option<u64> {
    tab.keeper.shown.task.get_untracked().map(|task: Snapshot| task.seq)
}

fn freshness(tab: &Tab) -> Freshness {
    tab.keeper.shown.freshness.get_untracked()
}

#[test]
fn c6_before_anything_is_asked_the_last_known_picture_is_there_and_marked_unknown() {
    let tab = Tab::open(remembering(5), Rc::new(Script::new(ada())));
    tab.keeper.watch(tab.keeper.shown.current.get_untracked());
    assert_eq!(seq(&tab), Some(5));
    assert_eq!(freshness(&tab).as_str(), "unknown");
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::Unknown(Some(ada())));
}

#[test]
fn the_servers_answer_confirms_it() {
    let server = Rc::new(Script::new(ada()));
    *server.task.borrow_mut() = Answer::Says(task_at(6));
    let mut tab = Tab::started(remembering(5), server);
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    assert_eq!((seq(&tab), freshness(&tab)), (Some(6), Freshness::Confirmed { at: noon(6) }));
}

#[test]
fn a_picture_with_a_lower_seq_is_ignored() {
    let server = Rc::new(Script::new(ada()));
    *server.task.borrow_mut() = Answer::Says(task_at(3));
    let mut tab = Tab::started(remembering(5), server);
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    assert_eq!(seq(&tab), Some(5));
    assert!(!freshness(&tab).is_confirmed(), "an old picture confirms nothing");
}

#[test]
fn without_an_answer_it_stays_unknown_and_is_asked_again_by_itself() {
    let server = Rc::new(Script::new(ada()));
    *server.who.borrow_mut() = Answer::NotOurs;
    let mut tab = Tab::started(remembering(5), server.clone());
    tab.keeper.watch(Some(the_task()));
    tab.pass(30_000);
    assert_eq!((seq(&tab), freshness(&tab).as_str()), (Some(5), "unknown"));
    let tries = server.count("who");
    assert!((3..=20).contains(&tries), "asked {tries} times in half a minute");

    *server.who.borrow_mut() = Answer::Says(ada());
    *server.task.borrow_mut() = Answer::Says(task_at(6));
    tab.pass(30_000);
    assert!(freshness(&tab).is_confirmed(), "no event is needed for that");
}

#[test]
fn an_answer_that_never_comes_is_given_up() {
    let server = Rc::new(Script::new(ada()));
    *server.who.borrow_mut() = Answer::Silent;
    let mut tab = Tab::started(remembering(5), server);
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    assert_eq!(freshness(&tab), Freshness::Unknown { asking: true });
    tab.pass(8_000);
    assert_eq!(freshness(&tab), Freshness::Unknown { asking: false });
}

#[test]
fn a_confirmed_picture_becomes_stale_when_contact_is_lost() {
    let server = Rc::new(Script::new(ada()));
    *server.task.borrow_mut() = Answer::Says(task_at(6));
    let mut tab = Tab::started(remembering(5), server.clone());
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    *server.task.borrow_mut() = Answer::NotOurs;
    tab.trigger(Trigger::Visible);
    assert_eq!(freshness(&tab), Freshness::Stale { last: noon(6) });
}

#[test]
fn a_page_from_the_browsers_memory_starts_at_unknown_again() {
    let server = Rc::new(Script::new(ada()));
    *server.task.borrow_mut() = Answer::Says(task_at(6));
    let mut tab = Tab::started(remembering(5), server.clone());
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    *server.who.borrow_mut() = Answer::Silent;
    tab.trigger(Trigger::PageShown { restored: true });
    assert_eq!(freshness(&tab).as_str(), "unknown");
}

#[test]
fn c15_a_task_that_is_not_there_is_let_go_within_three_requests() {
    let server = Rc::new(Script::new(ada()));
    let slots = remembering(5);
    let mut tab = Tab::started(slots.clone(), server.clone());
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    assert!(tab.keeper.shown.gone.get_untracked());
    assert_eq!(tab.keeper.shown.current.get_untracked(), None);
    assert_eq!(Cache(&*slots).snapshot(ada().user_id, the_task()), None);
    assert!(server.asked.borrow().len() <= 3, "{:?}", server.asked.borrow());
}

#[test]
fn with_empty_storage_the_servers_open_task_is_offered() {
    let server = Rc::new(Script::new(ada()));
    *server.tasks.borrow_mut() = Answer::Says(vec![task_at(4)]);
    let mut tab = Tab::started(Rc::new(Memory::default()), server);
    tab.keeper.find_current();
    tab.settle();
    assert_eq!(tab.keeper.shown.current.get_untracked(), Some(the_task()));
}

#[test]
fn that_there_is_no_task_is_known_only_from_the_server_s_list() {
    let server = Rc::new(Script::new(ada()));
    *server.tasks.borrow_mut() = Answer::NotOurs;
    let mut tab = Tab::started(Rc::new(Memory::default()), server.clone());
    tab.keeper.find_current();
    tab.pass(20_000);
    assert!(!tab.keeper.shown.none_open.get_untracked(), "nobody said so");
    assert!(server.count("tasks") >= 2, "it is asked again by itself");

    *server.tasks.borrow_mut() = Answer::Refuses(Code::NotFound.into());
    tab.pass(20_000);
    assert!(!tab.keeper.shown.none_open.get_untracked(), "a refusal is not a list");

    *server.tasks.borrow_mut() = Answer::Says(vec![in_state(task_at(4), StateName::Saved)]);
    tab.pass(30_000);
    assert!(tab.keeper.shown.none_open.get_untracked());
    let asked = server.count("tasks");
    tab.pass(60_000);
    let more = server.count("tasks") - asked;
    assert!((1..=2).contains(&more), "asked {more} times: another device may have started one, but that is no hurry");
}

#[test]
fn what_was_asked_for_before_somebody_came_is_asked_again_for_them() {
    let server = Rc::new(Script::new(ada()));
    *server.who.borrow_mut() = Answer::Silent;
    *server.task.borrow_mut() = Answer::Says(task_at(6));
    let mut tab = Tab::started(Rc::new(Memory::default()), server.clone());
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    *server.who.borrow_mut() = Answer::Says(ada());
    tab.keeper.sign_in("Ada".to_owned(), "a passphrase".to_owned(), |answer| assert_eq!(answer, Ok(())));
    tab.settle();
    assert_eq!(server.count("task"), 0, "an asking is still under way");
    tab.pass(8_000);
    assert_eq!((seq(&tab), freshness(&tab).is_confirmed()), (Some(6), true));
}

#[test]
fn a_server_that_is_newer_is_no_answer() {
    let server = Rc::new(Script::new(ada()));
    *server.task.borrow_mut() = Answer::Refuses(ApiError::newer_server());
    let mut tab = Tab::started(remembering(5), server);
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    assert_eq!((seq(&tab), freshness(&tab).as_str()), (Some(5), "unknown"));
}

#[test]
fn when_the_session_has_ended_nothing_private_is_shown_and_nothing_is_thrown_away() {
    let server = Rc::new(Script::new(ada()));
    *server.who.borrow_mut() = Answer::Refuses(Code::SignedOut.into());
    let slots = remembering(5);
    let mut tab = Tab::started(slots.clone(), server);
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::SignedOut);
    assert_eq!(seq(&tab), None);
    assert!(Cache(&*slots).snapshot(ada().user_id, the_task()).is_some(), "it waits for her return");
}
