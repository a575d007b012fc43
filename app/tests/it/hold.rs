//! What the device has no room for stays with the tab; what is on it is counted before it goes.

use app::{
    cache::{Cache, Place, Unsent},
    outbox,
    ports::device::Trigger,
    slots::Key,
    sync::session::Session,
};
use domain::{fault::Code, intent::Wish, outbox::Sending};

use crate::{
    fake::{
        Tab,
        device::Memory,
        server::Answer,
        things::{ada, ops, the_task},
    },
    returned::at_the_task,
};

fn edit(text: &str) -> Wish {
    Wish::Edit { base_version: 1, text: text.to_owned() }
}

fn typed(text: &str) -> Unsent {
    Unsent::over(1, text)
}

/// A text without its place in the order of inputs.
fn plain(unsent: Unsent) -> Unsent {
    Unsent { count: 0, ..unsent }
}

fn waiting(tab: &Tab) -> Vec<domain::id::OpId> {
    ops(&tab.keeper.shown.outbox.get_untracked())
}

fn written(slots: &Memory) -> Option<Unsent> {
    Cache(slots).texts(ada().user_id, Place::Draft(the_task())).pop().map(|found| plain(found.unsent))
}

#[test]
fn a_wish_that_only_this_tab_has_outlives_a_change_in_another_tab() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    let kept = tab.keeper.wish(Some(the_task()), edit("A"), None).unwrap();
    slots.full.set(true);
    let held = tab.keeper.wish(Some(the_task()), edit("B"), None).unwrap();
    tab.settle();
    tab.trigger(Trigger::OtherTab);
    assert_eq!(waiting(&tab), [kept, held]);

    outbox::drop_entry(&*slots, ada().user_id, kept);
    tab.trigger(Trigger::OtherTab);
    assert_eq!(waiting(&tab), [held], "what was written once is the other tab's to take away");
    tab.trigger(Trigger::PageShown { restored: true });
    assert_eq!(waiting(&tab), [held]);
}

#[test]
fn it_waits_for_its_owner_also_when_her_session_ends() {
    let (mut tab, slots, server) = at_the_task();
    slots.full.set(true);
    server.on_command(|_| Answer::Refuses(Code::SignedOut.into()));
    let held = tab.keeper.wish(Some(the_task()), edit("A"), None).unwrap();
    tab.settle();
    assert_eq!((tab.keeper.shown.session.get_untracked(), waiting(&tab)), (Session::SignedOut, vec![]));
    server.on_command(|_| Answer::NotOurs);
    tab.keeper.sign_in("Ada".to_owned(), "a passphrase".to_owned(), |answer| assert_eq!(answer, Ok(())));
    tab.settle();
    assert_eq!(waiting(&tab), [held]);
}

#[test]
fn it_goes_with_everything_else_where_she_was_signed_out_in_another_tab() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    slots.full.set(true);
    tab.keeper.wish(Some(the_task()), edit("A"), None).unwrap();
    tab.settle();
    // This tab was frozen meanwhile: nobody told it.
    Cache(&*slots).forget(ada().user_id);
    *server.who.borrow_mut() = Answer::Refuses(Code::SignedOut.into());
    tab.trigger(Trigger::PageShown { restored: true });
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::SignedOut);
    *server.who.borrow_mut() = Answer::Says(ada());
    tab.keeper.sign_in("Ada".to_owned(), "a passphrase".to_owned(), |answer| assert_eq!(answer, Ok(())));
    tab.settle();
    assert_eq!(waiting(&tab), []);
}

#[test]
fn once_there_is_room_it_is_written_like_any_other() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    slots.full.set(true);
    let held = tab.keeper.wish(Some(the_task()), edit("A"), None).unwrap();
    tab.settle();
    slots.full.set(false);
    tab.pass(30_000);
    let stored = outbox::load(&*slots, ada().user_id);
    assert_eq!(ops(stored.entries()), [held]);
    assert_eq!(stored.entries()[0].sending, Sending::Unconfirmed);
    outbox::drop_entry(&*slots, ada().user_id, held);
    tab.trigger(Trigger::OtherTab);
    assert_eq!(waiting(&tab), []);
}

#[test]
fn a_text_is_on_the_device_at_once_and_a_very_long_one_a_moment_later() {
    let (mut tab, slots, _) = at_the_task();
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&typed("Mine.")));
    assert_eq!(written(&slots), Some(typed("Mine.")));

    let (long, longer) = (typed(&"x".repeat(20_001)), typed(&"x".repeat(20_002)));
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&long));
    tab.pass(200);
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&longer));
    assert_eq!(written(&slots), Some(typed("Mine.")), "not at every input");
    assert_eq!(
        tab.keeper.unsent(Place::Draft(the_task())).map(plain),
        Some(longer.clone()),
        "the tab knows it all along"
    );
    tab.pass(50);
    assert_eq!(written(&slots), Some(longer), "and a pause in the typing is not waited for");

    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&long));
    tab.trigger(Trigger::Hidden);
    assert_eq!(written(&slots), Some(long.clone()), "a hidden page may never run again");

    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&long));
    tab.keeper.keep_unsent(Place::Draft(the_task()), None);
    tab.pass(300);
    assert_eq!(written(&slots), None, "what was let go does not come back");
}

#[test]
fn texts_that_were_not_sent_are_counted_before_a_sign_out() {
    let (tab, slots, _) = at_the_task();
    assert_eq!(tab.keeper.unsent_texts(), 0);
    tab.keeper.keep_unsent(Place::Start, Some(&Unsent::question("glazing", "")));
    assert_eq!(tab.keeper.unsent_texts(), 0, "a choice is not a text");
    tab.keeper.keep_unsent(Place::Start, Some(&Unsent::question("glazing", "Why?")));
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&typed("Mine.")));
    assert_eq!(tab.keeper.unsent_texts(), 2);
    slots.values.borrow_mut().insert(format!("{}.aside", Key::of(ada().user_id, "text.x").as_str()), "{".to_owned());
    assert_eq!(tab.keeper.unsent_texts(), 3, "one that this build cannot read is lost with the others");
}

#[test]
fn a_text_that_there_is_no_room_for_is_counted_too() {
    let (tab, slots, _) = at_the_task();
    slots.full.set(true);
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&typed("Mine.")));
    assert!(tab.keeper.shown.not_kept.get_untracked().is_some());
    assert_eq!(tab.keeper.unsent_texts(), 1);
}
