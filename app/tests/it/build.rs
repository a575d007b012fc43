//! A newer build takes over when nothing can be lost, and when it disturbs nobody.

use app::{
    cache::{Place, Unsent},
    ports::device::{Newer, Program, SlotError, Slots as _, Trigger},
    sync::build::Written,
};
use domain::intent::Wish;

use crate::{
    fake::{Tab, server::Answer, things::the_task},
    returned::at_the_task,
};

const MINUTE: u64 = 60_000;

fn tell(tab: &mut Tab, newer: Newer) {
    *tab.device.program.borrow_mut() = Program { build: "0a1b2c3d".to_owned(), kept: true, newer };
    tab.trigger(Trigger::Program);
}

fn renewals(tab: &Tab) -> usize {
    tab.device.renewed.borrow().len()
}

fn typed(text: String) -> Unsent {
    Unsent::over(1, text)
}

fn hide(tab: &mut Tab, hidden: bool) {
    tab.device.visible.set(!hidden);
    tab.trigger(if hidden { Trigger::Hidden } else { Trigger::Visible });
}

#[test]
fn nothing_is_said_of_the_program_before_the_device_has_told() {
    let (mut tab, _, _) = at_the_task();
    assert_eq!(tab.keeper.shown.program.get_untracked(), Program::default());
    tell(&mut tab, Newer::None);
    assert!(tab.keeper.shown.program.get_untracked().kept);
}

#[test]
fn what_is_held_is_written_before_a_newer_build_takes_over() {
    let (mut tab, slots, server) = at_the_task();
    tell(&mut tab, Newer::Waits);
    let long = typed("x".repeat(30_000));
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&long));
    tab.keeper.renew(Written::All);
    assert_eq!(renewals(&tab), 1);
    let reopened = Tab::open(slots, server);
    assert!(reopened.keeper.unsent(Place::Draft(the_task())).is_some_and(|kept| kept.says(&long)));
}

#[test]
fn a_text_that_only_this_tab_has_is_not_given_up_without_a_word() {
    let (mut tab, slots, _) = at_the_task();
    tell(&mut tab, Newer::Waits);
    slots.full.set(true);
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&typed("Mine.".to_owned())));
    tab.keeper.renew(Written::All);
    assert_eq!((renewals(&tab), tab.keeper.shown.cannot_renew.get_untracked()), (0, true));
    tab.keeper.renew(Written::OrLost);
    assert_eq!(renewals(&tab), 1);
}

#[test]
fn another_language_opens_the_tab_anew_once_all_is_written_and_is_remembered() {
    let (tab, slots, _) = at_the_task();
    let long = typed("x".repeat(30_000));
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&long));
    tab.keeper.speak("zh-Hans");
    assert_eq!(renewals(&tab), 1);
    // The boot script reads it before there is a program.
    assert_eq!(slots.get("mooring.v1.language"), Ok(Some("\"zh-Hans\"".to_owned())));
    slots.full.set(true);
    tab.keeper.speak("en");
    assert_eq!((renewals(&tab), tab.keeper.shown.not_kept.get_untracked()), (1, Some(SlotError::Full)));
}

#[test]
fn a_wish_that_only_this_tab_has_is_not_given_up_either() {
    let (tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    slots.full.set(true);
    tab.keeper.wish(Some(the_task()), Wish::Edit { base_version: 1, text: "Mine.".to_owned() }, None).unwrap();
    tab.keeper.renew(Written::All);
    assert_eq!(renewals(&tab), 0);
}

#[test]
fn a_build_that_waits_takes_over_nowhere_by_itself() {
    let (mut tab, _, _) = at_the_task();
    tab.pass(10 * MINUTE);
    tell(&mut tab, Newer::Waits);
    hide(&mut tab, true);
    tab.pass(10 * MINUTE);
    hide(&mut tab, false);
    assert_eq!(renewals(&tab), 0);
}

#[test]
fn a_tab_follows_another_one_only_while_nobody_looks_at_it() {
    let (mut tab, slots, server) = at_the_task();
    tab.pass(10 * MINUTE);
    let text = typed("Half a sente".to_owned());
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&text));
    tell(&mut tab, Newer::Taken);
    tab.pass(10 * MINUTE);
    assert_eq!(renewals(&tab), 0, "somebody may be typing");
    hide(&mut tab, true);
    assert_eq!(renewals(&tab), 1);
    let reopened = Tab::open(slots, server);
    assert!(reopened.keeper.unsent(Place::Draft(the_task())).is_some_and(|kept| kept.says(&text)));
}

#[test]
fn a_tab_that_holds_what_is_written_nowhere_stays_as_it_is() {
    let (mut tab, slots, _) = at_the_task();
    tab.pass(10 * MINUTE);
    slots.full.set(true);
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&typed("Mine.".to_owned())));
    hide(&mut tab, true);
    tell(&mut tab, Newer::Taken);
    assert_eq!(renewals(&tab), 0);
}

#[test]
fn between_servers_of_two_builds_a_tab_is_opened_anew_once_in_minutes() {
    let (mut tab, _, _) = at_the_task();
    hide(&mut tab, true);
    for _ in 0..12 {
        tell(&mut tab, Newer::Taken);
        tab.pass(5_000);
        tell(&mut tab, Newer::None);
    }
    assert_eq!(renewals(&tab), 0, "it was opened a minute ago");
}

#[test]
fn a_newer_build_is_looked_for_by_who_is_seen_and_every_few_minutes() {
    let (mut tab, _, _) = at_the_task();
    for _ in 0..5 {
        hide(&mut tab, true);
        hide(&mut tab, false);
    }
    assert_eq!(tab.device.looks.get(), 0, "the page itself has just come");
    tab.pass(6 * MINUTE);
    assert_eq!(tab.device.looks.get(), 1);
    hide(&mut tab, true);
    tab.pass(60 * MINUTE);
    assert_eq!(tab.device.looks.get(), 1, "a hidden tab asks for nothing");
    hide(&mut tab, false);
    hide(&mut tab, true);
    hide(&mut tab, false);
    assert_eq!(tab.device.looks.get(), 2);
}
