//! A network that comes back is found soon, and a server that comes back is not stormed.

use std::rc::Rc;

use app::ports::device::Trigger;
use domain::{intent::Wish, outbox::Sending};

use crate::{
    fake::{
        Script, Tab,
        server::Answer,
        things::{ada, done, task_at, the_task},
    },
    returned::{at_the_task, remembering},
};

/// How a network is gone.
#[derive(Clone, Copy, Debug)]
enum Gone {
    Refusing,
    Swallowing,
}

fn fail(server: &Script, gone: Gone) {
    fn answer<T>(gone: Gone) -> Answer<T> {
        match gone {
            Gone::Refusing => Answer::NotOurs,
            Gone::Swallowing => Answer::Silent,
        }
    }
    *server.who.borrow_mut() = answer(gone);
    *server.task.borrow_mut() = answer(gone);
    server.on_command(move |_| answer(gone));
}

fn work(server: &Script) {
    *server.who.borrow_mut() = Answer::Says(ada());
    *server.task.borrow_mut() = Answer::Says(task_at(6));
    server.on_command(|intent| Answer::Says(done(intent, task_at(7))));
}

/// A tab with something that waits, after a minute without a network.
fn cut_off(gone: Gone, seed: u64) -> (Tab, Rc<Script>) {
    let (mut tab, _, server) = at_the_task();
    tab.device.seed.set(Some(seed));
    fail(&server, gone);
    tab.keeper.wish(Some(the_task()), Wish::Cancel, None).unwrap();
    tab.pass(60_000 + seed * 137 % 15_000);
    (tab, server)
}

#[test]
fn what_is_typed_in_another_tab_makes_no_pause_shorter() {
    let asked = |noise: bool| {
        let (mut tab, server) = cut_off(Gone::Refusing, 7);
        let before = server.count("cancel");
        for _ in 0..60 {
            if noise {
                tab.trigger(Trigger::OtherText);
            }
            tab.pass(1_000);
        }
        server.count("cancel") - before
    };
    let calm = asked(false);
    assert!(0 < calm, "it goes on asking");
    assert_eq!(asked(true), calm);
}

/// Milliseconds until nothing waits any more.
fn until_empty(tab: &mut Tab) -> u64 {
    let start = tab.device.now();
    while !tab.keeper.shown.outbox.get_untracked().is_empty() && tab.device.now() - start < 120_000 {
        tab.pass(100);
    }
    tab.device.now() - start
}

#[test]
fn a_browser_that_says_that_the_network_is_gone_is_not_believed_but_asked_by() {
    let (mut tab, _, server) = at_the_task();
    let asked = server.count("task");
    tab.trigger(Trigger::Offline);
    tab.pass(100);
    assert_eq!((server.count("task"), tab.keeper.shown.freshness.get_untracked().is_confirmed()), (asked + 1, true));
    fail(&server, Gone::Refusing);
    tab.trigger(Trigger::Offline);
    tab.pass(100);
    assert!(!tab.keeper.shown.freshness.get_untracked().is_confirmed());
}

#[test]
fn c2_an_event_that_comes_two_seconds_before_the_network_empties_the_queue_within_ten() {
    for (seed, gone) in (0..40).flat_map(|seed| [(seed, Gone::Refusing), (seed, Gone::Swallowing)]) {
        let (mut tab, server) = cut_off(gone, seed);
        tab.trigger(Trigger::Online);
        tab.pass(2_000);
        work(&server);
        let took = until_empty(&mut tab) + 2_000;
        assert!(took <= 10_000, "{took} ms with seed {seed}, {gone:?}");
    }
}

#[test]
fn c3_a_network_that_comes_back_without_a_word_empties_the_queue_within_thirty_seconds() {
    for (seed, gone) in (0..40).flat_map(|seed| [(seed, Gone::Refusing), (seed, Gone::Swallowing)]) {
        let (mut tab, server) = cut_off(gone, seed);
        work(&server);
        let took = until_empty(&mut tab);
        assert!(took <= 30_000, "{took} ms with seed {seed}, {gone:?}");
    }
}

#[test]
fn a_network_that_is_away_for_some_seconds_and_comes_back_without_a_word_is_found_in_one() {
    let mut took: Vec<u64> = (0..101)
        .map(|seed| {
            let (mut tab, _, server) = at_the_task();
            tab.device.seed.set(Some(seed));
            fail(&server, Gone::Refusing);
            tab.device.say(app::ports::device::Heard::Broken);
            tab.pass(2_000 + 80 * seed);
            work(&server);
            let back = tab.device.now();
            while !tab.keeper.shown.freshness.get_untracked().is_confirmed() && tab.device.now() - back < 30_000 {
                tab.pass(20);
            }
            tab.device.now() - back
        })
        .collect();
    took.sort_unstable();
    assert!(took[50] <= 1_000 && took[95] <= 5_000, "{took:?}");
}

#[test]
fn c5_what_is_never_answered_is_not_confirmed_by_the_deadline_and_may_be_pressed_on() {
    let (mut tab, _, server) = at_the_task();
    fail(&server, Gone::Swallowing);
    tab.keeper.wish(Some(the_task()), Wish::Retry, None).unwrap();
    tab.pass(7_900);
    let sending = |tab: &Tab| tab.keeper.shown.outbox.get_untracked()[0].sending.clone();
    assert_eq!(sending(&tab), Sending::Sent);
    tab.keeper.wish(Some(the_task()), Wish::Cancel, None).unwrap();
    tab.pass(200);
    assert_eq!(sending(&tab), Sending::Unconfirmed);
    assert_eq!(tab.keeper.shown.outbox.get_untracked().len(), 2);
}

#[test]
fn c9_twenty_clients_that_lost_the_server_for_thirty_seconds_come_back_over_five_or_more() {
    let mut first: Vec<u64> = (1..=20)
        .map(|seed| {
            let server = Rc::new(Script::new(ada()));
            work(&server);
            let mut tab = Tab::open(remembering(5), server.clone());
            tab.device.seed.set(Some(seed * 7_919));
            tab.keeper.start();
            tab.keeper.watch(Some(the_task()));
            tab.settle();
            fail(&server, Gone::Refusing);
            tab.device.say(app::ports::device::Heard::Broken);
            tab.pass(30_000);
            work(&server);
            let (start, asked) = (tab.device.now(), server.asked.borrow().len());
            while server.asked.borrow().len() == asked {
                tab.pass(50);
            }
            tab.device.now() - start
        })
        .collect();
    first.sort_unstable();
    assert!(first[19] - first[0] >= 5_000, "{first:?}");
    assert!(first.windows(5).all(|five| 100 <= five[4] - five[0]), "no five at once: {first:?}");
    assert!(first[19] <= 16_000, "and nobody waits for ever: {first:?}");
}
