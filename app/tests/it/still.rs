//! Who does not look costs nothing, and who slept knows nothing.

use std::{cell::RefCell, rc::Rc};

use app::ports::device::{Heard, Trigger};
use domain::{explanation::StateName, freshness::Link, intent::Wish, snapshot::Beat};

use crate::{
    fake::{
        Script, Tab,
        device::Memory,
        server::Answer,
        things::{ada, in_state, noon, task_at, the_task},
    },
    returned::{at_the_task, remembering},
};

fn freshness(tab: &Tab) -> &'static str {
    tab.keeper.shown.freshness.get_untracked().as_str()
}

fn asked(server: &Script) -> usize {
    server.asked.borrow().len()
}

/// Minute by minute, how often the storage was written.
fn writes(slots: &Memory, mut minute: impl FnMut(u64)) -> Vec<usize> {
    (0..10)
        .map(|n| {
            let before = slots.writes.get();
            minute(n);
            slots.writes.get() - before
        })
        .collect()
}

#[test]
fn a_minute_of_beats_writes_nothing() {
    let (mut tab, slots, server) = at_the_task();
    let written = writes(&slots, |minute| {
        for n in 1..=6 {
            tab.pass(10_000);
            let server_time = noon(i64::try_from(minute * 60 + n * 10).unwrap());
            tab.device.say(Heard::Beat(serde_json::to_string(&Beat { server_time, seq: 6, active: None }).unwrap()));
        }
    });
    assert_eq!(written, [0; 10]);
    assert_eq!(server.count("task"), 1);
}

#[test]
fn where_it_has_to_ask_instead_a_minute_has_at_most_three_writes() {
    let (mut tab, slots, server) = at_the_task();
    let written = writes(&slots, |_| {
        for _ in 0..60 {
            tab.pass(1_000);
            *server.task.borrow_mut() = Answer::Says({
                let mut task = task_at(6);
                task.server_time = noon(i64::try_from(tab.device.now() / 1_000).unwrap());
                task
            });
            if tab.device.open_streams() == 1 {
                tab.device.say(Heard::Broken);
            }
        }
    });
    assert!(written.iter().all(|n| *n <= 3), "{written:?}");
    assert!(freshness(&tab) == "confirmed" && 10 < server.count("task"), "it did ask");
}

#[test]
fn a_change_that_waits_without_a_network_does_not_write_at_every_try() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    *server.task.borrow_mut() = Answer::NotOurs;
    tab.keeper.wish(Some(the_task()), Wish::Cancel, None).unwrap();
    tab.pass(5_000);
    let written = writes(&slots, |_| tab.pass(60_000));
    assert_eq!(written, [0; 10]);
    assert!(20 < server.count("cancel"));
}

#[test]
fn a_page_that_has_nothing_to_ask_does_not_call_itself_up_to_date_for_ever() {
    for watched in [None, Some(StateName::Saved)] {
        let (mut tab, slots, server) = at_the_task();
        if let Some(state) = watched {
            *server.task.borrow_mut() = Answer::Says(in_state(task_at(9), state));
        }
        tab.keeper.watch(None);
        tab.keeper.watch(watched.map(|_| the_task()));
        tab.pass(60_000);
        assert_eq!(tab.keeper.shown.link.get_untracked(), Link::Up);
        let told: Rc<RefCell<Vec<&str>>> = Rc::default();
        let written = writes(&slots, |_| {
            tab.pass(60_000);
            told.borrow_mut().push(freshness(&tab));
        });
        assert_eq!(written, [0; 10]);
        assert!(watched.is_none() || told.borrow().iter().all(|told| *told == "confirmed"), "{told:?}");

        *server.who.borrow_mut() = Answer::NotOurs;
        *server.task.borrow_mut() = Answer::NotOurs;
        tab.pass(60_000);
        assert!(matches!(tab.keeper.shown.link.get_untracked(), Link::Lost { .. }), "{watched:?}");
    }
}

#[test]
fn a_start_page_without_a_task_finds_the_one_that_another_device_started() {
    let server = Rc::new(Script::new(ada()));
    *server.tasks.borrow_mut() = Answer::Says(vec![]);
    let mut tab = Tab::started(Rc::default(), server.clone());
    tab.keeper.find_current();
    tab.settle();
    assert!(tab.keeper.shown.none_open.get_untracked());
    *server.tasks.borrow_mut() = Answer::Says(vec![task_at(4)]);
    tab.pass(60_000);
    assert_eq!(tab.keeper.shown.current.get_untracked(), Some(the_task()));
}

#[test]
fn a_tab_that_is_opened_in_the_background_asks_nothing_until_it_is_looked_at() {
    let server = Rc::new(Script::new(ada()));
    *server.task.borrow_mut() = Answer::Says(task_at(6));
    let mut tab = Tab::open(remembering(5), server.clone());
    tab.device.visible.set(false);
    tab.keeper.start();
    tab.keeper.watch(Some(the_task()));
    tab.pass(600_000);
    assert_eq!((asked(&server), freshness(&tab)), (0, "unknown"));
    tab.device.visible.set(true);
    tab.trigger(Trigger::Visible);
    assert_eq!(freshness(&tab), "confirmed");
}

#[test]
fn a_hidden_tab_asks_nothing_whatever_happens_around_it() {
    let (mut tab, _, server) = at_the_task();
    tab.device.visible.set(false);
    tab.trigger(Trigger::Hidden);
    let before = asked(&server);
    for trigger in [Trigger::Online, Trigger::Thawed, Trigger::OtherText, Trigger::Online] {
        tab.trigger(trigger);
        tab.pass(120_000);
    }
    assert_eq!((asked(&server), tab.device.open_streams()), (before, 0));
    tab.device.visible.set(true);
    tab.trigger(Trigger::Visible);
    assert_eq!((freshness(&tab), tab.device.open_streams()), ("confirmed", 1));
}

#[test]
fn a_hidden_tab_sends_what_waits_and_asks_nothing_besides() {
    let (mut tab, _, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    tab.keeper.wish(Some(the_task()), Wish::Cancel, None).unwrap();
    tab.settle();
    tab.device.visible.set(false);
    tab.trigger(Trigger::Hidden);
    server.asked.borrow_mut().clear();
    tab.pass(120_000);
    assert!(server.count("cancel") > 2);
    assert_eq!(server.count("cancel"), asked(&server), "{:?}", server.asked.borrow());
}

#[test]
fn what_was_confirmed_before_a_thaw_is_unknown_until_the_server_answers() {
    let (mut tab, _, server) = at_the_task();
    *server.who.borrow_mut() = Answer::Silent;
    tab.trigger(Trigger::Thawed);
    assert_eq!((freshness(&tab), tab.device.open_streams()), ("unknown", 0));
    *server.who.borrow_mut() = Answer::Says(ada());
    tab.pass(10_000);
    assert_eq!(freshness(&tab), "confirmed");
}

#[test]
fn a_device_that_slept_without_a_word_is_checking_at_once_and_never_confirmed_from_before() {
    // A task that has ended has no stream whose silence would tell.
    for state in [StateName::AwaitingReview, StateName::Saved] {
        let (mut tab, _, server) = at_the_task();
        tab.device.say(Heard::Task(serde_json::to_string(&in_state(task_at(7), state)).unwrap()));
        *server.task.borrow_mut() = Answer::Silent;
        tab.sleep_through(8 * 3_600_000);
        tab.settle();
        assert_eq!(freshness(&tab), "checking", "{state:?}");
        tab.pass(8_000);
        assert_eq!(freshness(&tab), "stale");
    }
}

#[test]
fn c32_changed_elsewhere_and_come_back_to_it_is_unknown_first_and_then_the_new_version() {
    let (mut tab, _, server) = at_the_task();
    *server.task.borrow_mut() = Answer::Says(task_at(9));
    tab.device.trigger(Trigger::PageShown { restored: true });
    assert_eq!((freshness(&tab), tab.keeper.shown.task.get_untracked().unwrap().seq), ("unknown", 6));
    tab.settle();
    assert_eq!((freshness(&tab), tab.keeper.shown.task.get_untracked().unwrap().seq), ("confirmed", 9));
}
