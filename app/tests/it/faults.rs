//! Storage that is blocked, full, cut, emptied, or written by another build.

use std::rc::Rc;

use app::{
    cache::{Cache, Place, Unsent},
    outbox,
    ports::device::{SlotError, Slots, Trigger},
    slots::Key,
    sync::{build::Written, session::Session},
    words::sending::{Lasts, sending},
};
use domain::{
    id::TaskId,
    intent::Wish,
    outbox::Sending,
    record::{RecordList, RecordSummary},
};
use uuid::Uuid;

use crate::{
    fake::{
        Script, Tab,
        device::Memory,
        server::Answer,
        things::{ada, done, ops, task_at, the_task},
    },
    returned::{at_the_task, remembering},
};

fn draft() -> Place {
    Place::Draft(the_task())
}

fn edit(text: &str) -> Wish {
    Wish::Edit { base_version: 1, text: text.to_owned() }
}

fn text(tab: &Tab) -> Option<String> {
    tab.keeper.unsent(draft()).map(|unsent| unsent.text)
}

fn opened(slots: &Rc<Memory>, server: &Rc<Script>) -> Tab {
    let mut tab = Tab::started(slots.clone(), server.clone());
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    tab
}

/// A device with one of each thing that can be stored, before a server that never answers.
fn one_of_each() -> (Rc<Memory>, Rc<Script>) {
    let (tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    tab.keeper.wish(Some(the_task()), edit("Waits."), None).unwrap();
    tab.keeper.keep_unsent(draft(), Some(&Unsent::over(1, "Typed.")));
    tab.keeper.keep_unsent(Place::Start, Some(&Unsent::question("glazing", "Why?")));
    let records = vec![RecordSummary {
        record_id: task_at(1).record_id,
        title: "Wheel throwing".to_owned(),
        version: task_at(1).evidence[0].source_version.clone(),
    }];
    tab.keeper.keep_records(&RecordList { records, complete: true });
    tab.keeper.make_current(the_task());
    Cache(&*slots).keep_leaving(ada().user_id).unwrap();
    drop(tab);
    *server.who.borrow_mut() = Answer::Silent;
    *server.out.borrow_mut() = Answer::Silent;
    (slots, server)
}

#[test]
fn c10_with_blocked_storage_the_whole_journey_works_and_nothing_is_said_to_be_kept() {
    let (slots, server) = (Rc::new(Memory::default()), Rc::new(Script::new(ada())));
    slots.blocked.set(true);
    *server.task.borrow_mut() = Answer::Says(task_at(6));
    let mut tab = opened(&slots, &server);
    assert!(tab.keeper.shown.freshness.get_untracked().is_confirmed());
    tab.keeper.keep_unsent(draft(), Some(&Unsent::over(1, "Mine.")));
    assert_eq!(text(&tab).as_deref(), Some("Mine."));
    assert_eq!(tab.keeper.shown.not_kept.get_untracked(), Some(SlotError::Blocked));

    server.on_command(|_| Answer::NotOurs);
    let op = tab.keeper.wish(Some(the_task()), edit("Mine."), None).unwrap();
    tab.settle();
    assert!(tab.keeper.shown.held.get_untracked().contains(&op));
    server.on_command(|intent| Answer::Says(done(intent, task_at(7))));
    tab.pass(30_000);
    assert_eq!(tab.keeper.shown.outbox.get_untracked(), []);
}

#[test]
fn c11_on_a_full_device_the_text_stays_in_the_box_and_the_warning_stays_until_it_is_kept() {
    let (mut tab, slots, _) = at_the_task();
    slots.full.set(true);
    tab.keeper.keep_unsent(draft(), Some(&Unsent::over(1, "Mine.")));
    assert_eq!(tab.keeper.shown.not_kept.get_untracked(), Some(SlotError::Full));
    assert_eq!(text(&tab).as_deref(), Some("Mine."));

    // There is room for something small, and none for the text.
    slots.full.set(false);
    tab.keeper.make_current(the_task());
    assert_eq!(tab.keeper.shown.not_kept.get_untracked(), Some(SlotError::Full), "the text is still not kept");
    tab.trigger(Trigger::Hidden);
    assert_eq!(tab.keeper.shown.not_kept.get_untracked(), None);
    assert_eq!(Cache(&*slots).texts(ada().user_id, draft()).len(), 1);
}

#[test]
fn c11_a_change_that_could_not_be_written_says_so_and_is_sent_all_the_same() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    slots.full.set(true);
    let op = tab.keeper.wish(Some(the_task()), edit("Mine."), None).unwrap();
    tab.settle();
    let entry = tab.keeper.shown.outbox.get_untracked()[0].clone();
    assert!(tab.keeper.shown.held.get_untracked().contains(&op));
    for state in [Sending::Queued, Sending::Sent, Sending::Unconfirmed, Sending::NeedsSignIn] {
        let words = sending(&domain::outbox::Entry { sending: state, ..entry.clone() }, Lasts::WithPage);
        assert!(!words.to_lowercase().contains("kept"), "{words}");
    }
    server.on_command(|intent| Answer::Says(done(intent, task_at(7))));
    tab.pass(30_000);
    assert_eq!(
        (tab.keeper.shown.outbox.get_untracked(), server.got.borrow().last().map(|i| i.op_id)),
        (vec![], Some(op))
    );
}

#[test]
fn c12_whichever_value_is_cut_in_half_the_page_boots_the_others_are_whole_and_the_raw_text_is_kept() {
    let (whole, _) = one_of_each();
    let keys: Vec<String> = whole.values.borrow().keys().cloned().collect();
    assert!(9 <= keys.len(), "{keys:?}");
    for cut in keys {
        let (slots, server) = one_of_each();
        let before = slots.values.borrow().clone();
        let half = before[&cut][..before[&cut].len() / 2].to_owned();
        slots.set(&cut, &half).unwrap();
        let mut tab = opened(&slots, &server);
        tab.keeper.unsent(draft());
        tab.keeper.unsent(Place::Start);
        tab.keeper.known_records();
        tab.pass(20_000);

        let after = slots.values.borrow();
        let kept = [cut.clone(), format!("{cut}.aside")].iter().any(|key| after.get(key) == Some(&half));
        assert!(kept, "{cut}: {:?}", after.keys());
        for (key, value) in before.iter().filter(|(key, _)| **key != cut) {
            assert_eq!(after.get(key), Some(value), "{key}, while {cut} was cut");
        }
    }
}

#[test]
fn c12_a_mark_of_leaving_that_was_cut_is_still_one() {
    let (slots, server) = one_of_each();
    slots.set("mooring.v1.leaving", "\"0000").unwrap();
    for _ in 0..2 {
        let tab = opened(&slots, &server);
        assert_eq!(tab.keeper.shown.session.get_untracked(), Session::Leaving(ada()), "also after a reload");
        assert_eq!(tab.keeper.shown.task.get_untracked(), None);
    }
}

#[test]
fn c13_storage_that_was_emptied_before_offers_the_server_s_task() {
    let (slots, server) = (Rc::new(Memory::default()), Rc::new(Script::new(ada())));
    *server.tasks.borrow_mut() = Answer::Says(vec![task_at(4)]);
    let mut tab = Tab::started(slots, server);
    tab.keeper.find_current();
    tab.settle();
    assert_eq!(tab.keeper.shown.current.get_untracked(), Some(the_task()));
}

#[test]
fn c13_storage_that_is_emptied_in_use_takes_nothing_from_the_screen_and_is_written_again() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    let op = tab.keeper.wish(Some(the_task()), edit("Waits."), None).unwrap();
    tab.keeper.keep_unsent(draft(), Some(&Unsent::over(1, "Typed.")));
    tab.settle();
    *server.who.borrow_mut() = Answer::Silent;
    slots.values.borrow_mut().clear();
    tab.trigger(Trigger::Cleared);
    assert_eq!((text(&tab).as_deref(), ops(&tab.keeper.shown.outbox.get_untracked())), (Some("Typed."), vec![op]));
    assert_eq!(slots.values.borrow().len(), 0, "who emptied it may have wanted that");
    assert_eq!(tab.keeper.shown.not_kept.get_untracked(), Some(SlotError::Emptied));
    tab.keeper.renew(Written::All);
    assert_eq!(tab.device.renewed.borrow().len(), 0, "it would be lost with the page");
    assert!(tab.keeper.shown.cannot_renew.get_untracked());

    *server.who.borrow_mut() = Answer::Says(ada());
    tab.pass(30_000);
    let (cache, user) = (Cache(&*slots), ada().user_id);
    assert_eq!((cache.last_user(), cache.current(user)), (Some(ada()), Some(the_task())));
    assert_eq!(ops(outbox::load(&*slots, user).entries()), [op]);
    assert_eq!(cache.texts(user, draft()).len(), 1);
    assert_eq!(tab.keeper.shown.not_kept.get_untracked(), None);
    assert!(!tab.keeper.shown.cannot_renew.get_untracked(), "all of it is kept again");
}

#[test]
fn c13_storage_that_is_emptied_without_a_word_is_missed_within_a_round() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    let op = tab.keeper.wish(Some(the_task()), edit("Waits."), None).unwrap();
    tab.settle();
    *server.who.borrow_mut() = Answer::Silent;
    slots.values.borrow_mut().clear();
    tab.pass(20_000);
    assert_eq!(tab.keeper.shown.not_kept.get_untracked(), Some(SlotError::Emptied));
    *server.who.borrow_mut() = Answer::Says(ada());
    tab.pass(30_000);
    assert_eq!(ops(outbox::load(&*slots, ada().user_id).entries()), [op]);
    assert_eq!(tab.keeper.shown.not_kept.get_untracked(), None);
}

#[test]
fn c13_a_session_that_ended_with_it_leaves_nothing_behind() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    tab.keeper.wish(Some(the_task()), edit("Waits."), None).unwrap();
    tab.keeper.keep_unsent(draft(), Some(&Unsent::over(1, "Typed.")));
    tab.settle();
    *server.who.borrow_mut() = Answer::Refuses(domain::fault::Code::SignedOut.into());
    slots.values.borrow_mut().clear();
    tab.trigger(Trigger::Cleared);
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::SignedOut);
    assert_eq!(slots.values.borrow().len(), 0, "{:?}", slots.values.borrow());
}

#[test]
fn c14_what_a_newer_build_wrote_is_put_aside_and_an_older_one_boots_and_goes_on() {
    let (slots, server) = (remembering(5), Rc::new(Script::new(ada())));
    let (user, newer) = (ada().user_id, Uuid::from_u128(7));
    let put = |thing: String, raw: &str| {
        let key = Key::of(user, thing).as_str().to_owned();
        slots.set(&key, raw).unwrap();
        key
    };
    let wish = put(
        format!("outbox.{newer}"),
        r#"{"schema":1,"place":1,"intent":{"op_id":"00000000-0000-0000-0000-000000000007","task_id":"00000000-0000-0000-0000-0000000007a5","as_user":"00000000-0000-0000-0000-000000000ada","wish":{"command":"translate"}},"sending":{"is":"queued"}}"#,
    );
    let typed =
        put(format!("text.{}.newer", the_task()), r#"{"schema":2,"text":"half of it","rest":"the other half"}"#);
    let picture = put(format!("snapshot.{}", the_task()), r#"{"schema":2}"#);
    let mut tab = opened(&slots, &server);
    assert_eq!((text(&tab), tab.keeper.shown.outbox.get_untracked()), (None, vec![]));
    tab.keeper.keep_unsent(draft(), Some(&Unsent::over(1, "Typed in the older one.")));
    tab.pass(30_000);
    for key in [wish, typed, picture] {
        assert!(slots.get(&format!("{key}.aside")).unwrap().is_some(), "{key}");
    }
    assert_eq!(tab.keeper.unsent_texts(), 2, "it is counted before a sign-out");
}

#[test]
fn c14_when_the_newer_build_returns_it_finds_its_wishes_and_its_texts_again() {
    // This build is the newer one, and an older one could read none of its values.
    let (slots, server) = one_of_each();
    Cache(&*slots).drop_leaving();
    let older: Vec<(String, String)> = slots.values.borrow().clone().into_iter().collect();
    for (key, raw) in older.iter().filter(|(key, _)| key.contains(".text.") || key.contains(".outbox.")) {
        slots.remove(key).unwrap();
        slots.set(&format!("{key}.aside"), raw).unwrap();
    }
    let older = opened(&slots, &server);
    drop(older);
    let tab = opened(&slots, &server);
    assert_eq!(text(&tab).as_deref(), Some("Typed."));
    assert_eq!(tab.keeper.unsent(Place::Start), Some(Unsent { count: 2, ..Unsent::question("glazing", "Why?") }));
    assert_eq!(tab.keeper.shown.outbox.get_untracked()[0].intent.wish, edit("Waits."));
    assert!(slots.values.borrow().keys().all(|key| !key.contains(".aside")));
}

#[test]
fn c14_a_text_that_finds_its_place_taken_is_offered_beside_the_other() {
    let (slots, server) = (remembering(5), Rc::new(Script::new(ada())));
    let (cache, user) = (Cache(&*slots), ada().user_id);
    cache.keep_text(user, draft(), "a-tab", &Unsent::over(1, "Of the newer build.")).unwrap();
    let key = Key::of(user, format_args!("text.{}.a-tab", the_task())).as_str().to_owned();
    let raw = slots.get(&key).unwrap().unwrap();
    slots.set(&format!("{key}.aside"), &raw).unwrap();
    cache.keep_text(user, draft(), "a-tab", &Unsent { count: 5, ..Unsent::over(1, "Of the older.") }).unwrap();

    let tab = opened(&slots, &server);
    assert_eq!(text(&tab).as_deref(), Some("Of the older."));
    let others: Vec<_> = tab.keeper.other_texts(draft(), &[]).into_iter().map(|found| found.unsent.text).collect();
    assert_eq!(others, ["Of the newer build."]);
}

#[test]
fn a_picture_that_was_put_aside_is_let_go_where_there_is_a_newer_one() {
    let slots = remembering(5);
    let (user, task) = (ada().user_id, TaskId(Uuid::from_u128(0x7a5)));
    let key = Key::of(user, format_args!("snapshot.{task}")).as_str().to_owned();
    let raw = slots.get(&key).unwrap().unwrap();
    slots.set(&format!("{key}.aside"), &raw).unwrap();
    Cache(&*slots).restore(user);
    assert_eq!(slots.get(&format!("{key}.aside")), Ok(None));
    assert_eq!(slots.get(&key), Ok(Some(raw)));
}
