//! Whoever leaves a page that holds something alone is asked first.

use app::cache::{Place, Unsent};
use domain::intent::{Verdict, Wish};

use crate::{
    fake::{
        Tab,
        server::Answer,
        things::{done, task_at, the_task},
    },
    returned::at_the_task,
};

fn asks(tab: &Tab) -> bool {
    let loses = tab.device.loses.borrow().clone().expect("the keeper says what would be lost");
    loses()
}

fn edit() -> Wish {
    Wish::Edit { base_version: 1, text: "Mine.".to_owned() }
}

#[test]
fn a_question_that_waits_to_be_asked_is_counted_once() {
    let (tab, _, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    tab.keeper.keep_unsent(Place::Start, Some(&Unsent::question("glazing", "Why?")));
    assert_eq!(tab.keeper.unsent_texts(), 1);
    let wish = Wish::Start { record_id: "glazing".to_owned(), question: "Why?".to_owned(), even_if_similar: false };
    tab.keeper.wish(None, wish, None).unwrap();
    assert_eq!(tab.keeper.unsent_texts(), 0, "it is among the changes");
    for (record, question) in [("glazing", "Why not?"), ("throwing", "Why?")] {
        tab.keeper.keep_unsent(Place::Start, Some(&Unsent::question(record, question)));
        assert_eq!(tab.keeper.unsent_texts(), 1, "another question, or to another record");
    }
}

#[test]
fn what_is_kept_on_the_device_keeps_nobody_from_leaving() {
    let (tab, _, server) = at_the_task();
    assert!(!asks(&tab));
    server.on_command(|_| Answer::NotOurs);
    tab.keeper.wish(Some(the_task()), edit(), None).unwrap();
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&Unsent::over(1, "More.")));
    assert!(!asks(&tab));
}

#[test]
fn a_change_that_there_was_no_room_for_is_asked_about_until_the_server_has_it() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    slots.full.set(true);
    tab.keeper.wish(Some(the_task()), edit(), None).unwrap();
    tab.settle();
    assert!(asks(&tab));
    server.on_command(|intent| Answer::Says(done(intent, task_at(7))));
    tab.pass(30_000);
    assert!(!asks(&tab));
}

#[test]
fn a_text_that_there_was_no_room_for_is_asked_about_until_it_is_let_go() {
    let (tab, slots, _) = at_the_task();
    slots.full.set(true);
    tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&Unsent::over(1, "Mine.")));
    assert!(asks(&tab));
    tab.keeper.keep_unsent(Place::Draft(the_task()), None);
    assert!(!asks(&tab));
}

#[test]
fn a_text_that_there_is_no_more_room_for_is_counted_once() {
    let (mut tab, slots, server) = at_the_task();
    let typed = |text: &str| tab.keeper.keep_unsent(Place::Draft(the_task()), Some(&Unsent::over(1, text)));
    typed("Mi");
    slots.full.set(true);
    typed("Mine.");
    assert_eq!(tab.keeper.unsent_texts(), 1, "the older state of it lies in its place");
    // Stored as a version, it is unsent no more, though there was no room to note that it was sent.
    server.on_command(|intent| Answer::Says(done(intent, task_at(7))));
    tab.keeper.wish(Some(the_task()), edit(), None).unwrap();
    tab.settle();
    assert_eq!(tab.keeper.unsent_texts(), 0);
}

#[test]
fn where_nothing_can_be_kept_whatever_was_written_is_asked_about() {
    let (tab, slots, server) = at_the_task();
    slots.blocked.set(true);
    tab.keeper.shown.keeping.set(app::ports::device::Keeping::WhileOpen);
    assert!(!asks(&tab));
    server.on_command(|_| Answer::NotOurs);
    tab.keeper.wish(Some(the_task()), edit(), None).unwrap();
    assert!(asks(&tab));
}

#[test]
fn a_note_on_an_uncertain_outcome_outlives_the_page_like_other_texts() {
    let (tab, slots, server) = at_the_task();
    tab.keeper.keep_unsent(Place::Note(the_task()), Some(&Unsent::over(0, "It is on the shelf.")));
    assert!(tab.keeper.shown.unsent.get_untracked(), "nothing is called saved beside it");
    drop(tab);
    let tab = Tab::started(slots, server);
    assert_eq!(tab.keeper.unsent(Place::Note(the_task())).unwrap().text, "It is on the shelf.");
    assert_eq!(tab.keeper.unsent_texts(), 1, "a sign-out asks about it");

    let said = Wish::Settle { verdict: Verdict::LookAgain, note: "It is on the shelf.".to_owned() };
    tab.keeper.wish(Some(the_task()), said, None).unwrap();
    tab.keeper.keep_unsent(Place::Note(the_task()), None);
    assert_eq!(tab.keeper.unsent_texts(), 0);
}
