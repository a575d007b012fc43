//! One learner's things are never another's.

use std::rc::Rc;

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
        Script, Tab,
        device::Memory,
        server::{Answer, Gate},
        things::{accept, ada, bea, task_at, the_task},
    },
    returned::{at_the_task, remembering},
};

fn keys_of_ada(slots: &Memory) -> Vec<String> {
    let prefix = Key::all_of(ada().user_id);
    slots.values.borrow().keys().filter(|key| key.starts_with(&prefix)).cloned().collect()
}

#[test]
fn another_user_does_not_see_what_the_first_one_left() {
    let server = Rc::new(Script::new(bea()));
    let mut tab = Tab::open(remembering(5), server);
    tab.keeper.watch(Some(the_task()));
    tab.keeper.start();
    tab.settle();
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::SignedIn(bea()));
    assert_eq!(tab.keeper.shown.task.get_untracked(), None);
    assert_eq!(tab.keeper.shown.current.get_untracked(), None);
}

#[test]
fn c22_what_waits_is_never_sent_under_another_session() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::Refuses(Code::OtherUser.into()));
    *server.who.borrow_mut() = Answer::Says(bea());
    tab.keeper.wish(Some(the_task()), accept(1, "Bring an apron."), None).unwrap();
    tab.settle();
    tab.pass(60_000);
    assert_eq!(server.count("accept"), 1);
    assert_eq!(tab.keeper.shown.outbox.get_untracked(), vec![], "it is not shown to Bea");
    let kept = outbox::load(&*slots, ada().user_id);
    assert_eq!(kept.entries()[0].sending, Sending::NeedsSignIn, "it waits for Ada");
}

#[test]
fn c21_when_the_session_ended_while_it_waited_it_is_sent_once_she_returns() {
    let (mut tab, _, server) = at_the_task();
    server.on_command(|_| Answer::Refuses(Code::SignedOut.into()));
    tab.keeper.wish(Some(the_task()), Wish::Cancel, None).unwrap();
    tab.settle();
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::SignedOut);
    server.on_command(|intent| Answer::Says(crate::fake::things::done(intent, task_at(9))));
    tab.keeper.sign_in("Ada".to_owned(), "a passphrase".to_owned(), |answer| assert_eq!(answer, Ok(())));
    tab.settle();
    assert_eq!(server.count("cancel"), 2);
    let got = server.got.borrow();
    assert_eq!(got[0], got[1], "the same wish under the same number");
    assert_eq!(tab.keeper.shown.outbox.get_untracked(), vec![]);
}

#[test]
fn after_the_session_has_ended_a_reload_shows_nothing_of_hers_until_she_is_back() {
    let (mut tab, slots, server) = at_the_task();
    let typed = Unsent::over(1, "Mine.");
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&typed));
    server.on_command(|_| Answer::Refuses(Code::SignedOut.into()));
    tab.keeper.wish(Some(the_task()), Wish::Cancel, None).unwrap();
    tab.settle();
    drop(tab);

    *server.who.borrow_mut() = Answer::NotOurs;
    let mut tab = Tab::started(slots, server.clone());
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::Unknown(None));
    assert_eq!(tab.keeper.shown.task.get_untracked(), None);
    assert_eq!(tab.keeper.shown.current.get_untracked(), None);
    assert_eq!(tab.keeper.shown.outbox.get_untracked(), vec![]);
    assert_eq!(tab.keeper.unsent(Place::Draft(the_task())), None);

    *server.who.borrow_mut() = Answer::Says(ada());
    server.on_command(|_| Answer::Silent);
    tab.keeper.sign_in("Ada".to_owned(), "a passphrase".to_owned(), |answer| assert_eq!(answer, Ok(())));
    tab.settle();
    assert_eq!(tab.keeper.shown.current.get_untracked(), Some(the_task()));
    assert!(tab.keeper.unsent(Place::Draft(the_task())).unwrap().says(&typed));
}

#[test]
fn an_end_of_her_session_does_not_forget_who_came_meanwhile() {
    let (mut tab, slots, server) = at_the_task();
    Cache(&*slots).keep_last_user(&bea()).unwrap();
    server.on_command(|_| Answer::Refuses(Code::SignedOut.into()));
    tab.keeper.wish(Some(the_task()), Wish::Cancel, None).unwrap();
    tab.settle();
    assert_eq!(Cache(&*slots).last_user(), Some(bea()));
}

#[test]
fn c23_signing_out_takes_every_trace_with_it() {
    let (mut tab, slots, server) = at_the_task();
    tab.keeper.sign_out();
    tab.settle();
    assert_eq!(server.count("sign-out"), 1);
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::SignedOut);
    assert_eq!(slots.values.borrow().len(), 0, "{:?}", slots.values.borrow().keys());
}

#[test]
fn c23_a_sign_out_without_an_answer_shows_nothing_and_is_repeated_also_by_the_next_tab() {
    let (mut tab, slots, server) = at_the_task();
    *server.out.borrow_mut() = Answer::NotOurs;
    tab.keeper.sign_out();
    tab.settle();
    assert_eq!(tab.keeper.shown.task.get_untracked(), None);
    assert!(!keys_of_ada(&slots).is_empty(), "nothing goes before the server has answered");
    drop(tab);

    let mut tab = Tab::started(slots.clone(), server.clone());
    tab.keeper.watch(Some(the_task()));
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::Leaving(ada()));
    assert_eq!(tab.keeper.shown.task.get_untracked(), None);

    *server.out.borrow_mut() = Answer::Refuses(Code::SignedOut.into());
    tab.pass(30_000);
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::SignedOut);
    assert_eq!(keys_of_ada(&slots), Vec::<String>::new());
}

#[test]
fn c23_staying_lifts_the_mark_and_keeps_everything() {
    let (mut tab, slots, server) = at_the_task();
    *server.out.borrow_mut() = Answer::NotOurs;
    tab.keeper.sign_out();
    tab.settle();
    tab.keeper.stay();
    tab.settle();
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::SignedIn(ada()));
    assert_eq!(Cache(&*slots).leaving(), None);
    assert!(tab.keeper.shown.task.get_untracked().is_some());
}

#[test]
fn a_sign_out_that_was_taken_back_in_another_tab_is_not_carried_out_here() {
    let (mut tab, slots, server) = at_the_task();
    let gate = Rc::new(Gate::default());
    *server.out.borrow_mut() = Answer::NotOurs;
    tab.keeper.sign_out();
    tab.settle();
    let asked = server.count("sign-out");
    // The word of it is still on its way to this tab.
    Cache(&*slots).drop_leaving();
    tab.pass(30_000);
    assert_eq!(server.count("sign-out"), asked);
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::SignedIn(ada()));

    *server.out.borrow_mut() = Answer::Behind(gate.clone(), Box::new(Answer::Says(ada())));
    tab.keeper.sign_out();
    tab.settle();
    Cache(&*slots).drop_leaving();
    gate.open();
    tab.settle();
    assert!(!keys_of_ada(&slots).is_empty(), "what they chose to keep is kept");
}

#[test]
fn another_tabs_sign_out_empties_this_one() {
    let (mut tab, slots, server) = at_the_task();
    Cache(&*slots).forget(ada().user_id);
    *server.who.borrow_mut() = Answer::Refuses(Code::SignedOut.into());
    tab.trigger(Trigger::OtherTab);
    assert_eq!(tab.keeper.shown.session.get_untracked(), Session::SignedOut);
    assert_eq!(tab.keeper.shown.task.get_untracked(), None);
}

#[test]
fn what_was_said_aloud_goes_with_the_learner() {
    let (mut tab, _, server) = at_the_task();
    tab.keeper.device().announce("Awaiting review (version 1).");
    *server.out.borrow_mut() = Answer::Silent;
    tab.keeper.sign_out();
    assert_eq!(*tab.device.said.borrow(), "", "at once, not when the server has answered");
    tab.settle();
    assert_eq!(*tab.device.said.borrow(), "");
}
