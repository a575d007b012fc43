//! Wishes are written before they are sent, and done once.

use app::{
    api::error::ApiError,
    cache::{Place, Unsent},
    outbox,
    ports::device::Trigger,
};
use domain::{
    explanation::StateName,
    fault::{Code, Fault},
    id::OpId,
    intent::Wish,
    outbox::{Entry, Sending},
    snapshot::Author,
    text::Hash,
};
use uuid::Uuid;

use crate::{
    fake::{
        Tab,
        device::Memory,
        server::Answer,
        things::{accept, ada, add_version, done, in_state, ops, task_at, the_task},
    },
    returned::at_the_task,
};

fn edit(base_version: u32, text: &str) -> Wish {
    Wish::Edit { base_version, text: text.to_owned() }
}

fn start() -> Wish {
    Wish::Start {
        record_id: "wheel-throwing".to_owned(),
        question: "What should I bring?".to_owned(),
        even_if_similar: false,
    }
}

fn waiting(tab: &Tab) -> Vec<Entry> {
    tab.keeper.shown.outbox.get_untracked()
}

fn stored(slots: &Memory) -> Vec<Entry> {
    outbox::load(slots, ada().user_id).entries().to_vec()
}

#[test]
fn it_is_on_the_device_before_it_is_sent() {
    let (tab, slots, server) = at_the_task();
    let op = tab.keeper.wish(Some(the_task()), accept(1, "Bring an apron."), None).unwrap();
    assert_eq!(ops(&stored(&slots)), [op]);
    assert_eq!(server.got.borrow().len(), 0, "nothing has been sent when the tap returns");
}

#[test]
fn a_second_tap_finds_the_first_one() {
    let (mut tab, slots, server) = at_the_task();
    let ops: Vec<_> = (0..5)
        .map(|_| {
            let op = tab.keeper.wish(Some(the_task()), accept(1, "Bring an apron."), None).unwrap();
            tab.settle();
            op
        })
        .collect();
    assert!(ops.iter().all(|op| *op == ops[0]));
    assert_eq!((server.got.borrow().len(), stored(&slots).len()), (1, 1));
}

#[test]
fn taps_on_start_make_one_task() {
    let (mut tab, _, server) = at_the_task();
    for pause in [0, 150, 950, 1_000] {
        tab.pass(pause);
        tab.keeper.wish(None, start(), None).unwrap();
    }
    tab.settle();
    assert_eq!(server.got.borrow().len(), 1);
    assert_eq!(waiting(&tab).len(), 1);
}

#[test]
fn a_confirmed_start_becomes_the_current_task_and_leaves_the_list() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|intent| Answer::Says(done(intent, task_at(1))));
    tab.keeper.wish(None, start(), None).unwrap();
    tab.settle();
    let started = tab.keeper.shown.started.get_untracked();
    assert!(started.is_some() && started != Some(the_task()));
    assert_eq!(tab.keeper.shown.current.get_untracked(), started);
    assert_eq!((waiting(&tab), stored(&slots)), (vec![], vec![]));
}

#[test]
fn a_confirmed_start_takes_its_own_question_off_the_device_and_no_newer_one() {
    for (kept, left) in [("What should I bring?", ""), ("What does it cost?", "What does it cost?")] {
        let (mut tab, _, server) = at_the_task();
        server.on_command(|intent| Answer::Says(done(intent, task_at(1))));
        tab.keeper.wish(None, start(), None).unwrap();
        tab.keeper.keep_unsent(Place::Start, Some(&Unsent::question("wheel-throwing", kept)));
        tab.settle();
        assert_eq!(tab.keeper.unsent(Place::Start).unwrap_or_default().text, left);
    }
}

#[test]
fn c1_without_an_answer_it_is_kept_and_sent_again_under_the_same_number() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    let op = tab.keeper.wish(Some(the_task()), edit(1, "Mine."), None).unwrap();
    tab.settle();
    assert_eq!(stored(&slots)[0].sending, Sending::Unconfirmed);
    assert_eq!(tab.keeper.shown.freshness.get_untracked().as_str(), "stale");

    let mut after = task_at(7);
    add_version(&mut after, Author::Learner, "Mine.");
    server.on_command(move |intent| Answer::Says(done(intent, after.clone())));
    tab.pass(30_000);
    assert_eq!(stored(&slots), vec![]);
    assert!(server.got.borrow().iter().all(|intent| intent.op_id == op));
}

#[test]
fn c19_a_lost_reply_is_sent_but_not_confirmed_by_the_deadline() {
    let (mut tab, _, _) = at_the_task();
    tab.keeper.wish(Some(the_task()), accept(1, "Bring an apron."), None).unwrap();
    tab.settle();
    assert_eq!(waiting(&tab)[0].sending, Sending::Sent);
    tab.pass(8_000);
    assert_eq!(waiting(&tab)[0].sending, Sending::Unconfirmed);
}

#[test]
fn c17_a_reopened_tab_sends_what_waits_once_and_under_the_same_number() {
    let (mut tab, slots, server) = at_the_task();
    let op = tab.keeper.wish(Some(the_task()), accept(1, "Bring an apron."), None).unwrap();
    tab.settle();
    drop(tab);

    let saving = in_state(task_at(8), StateName::Accepted);
    server.on_command(move |intent| Answer::Says(done(intent, saving.clone())));
    let tab = Tab::started(slots.clone(), server.clone());
    assert_eq!(waiting(&tab), vec![]);
    assert_eq!(stored(&slots), vec![]);
    assert!(server.got.borrow().iter().all(|intent| intent.op_id == op));
}

#[test]
fn a_typed_refusal_keeps_the_text_and_the_reason() {
    let (mut tab, slots, server) = at_the_task();
    let mut now = task_at(9);
    add_version(&mut now, Author::Learner, "Theirs.");
    server.on_command(move |_| Answer::Refuses(ApiError::from(Code::StaleVersion).with_current(now.clone())));
    tab.keeper.wish(Some(the_task()), edit(1, "Mine."), Some("Mine.".to_owned())).unwrap();
    tab.settle();
    let kept = stored(&slots);
    assert!(matches!(&kept[0].sending, Sending::Refused { fault } if fault.code == Code::StaleVersion));
    assert_eq!(kept[0].intent.wish, edit(1, "Mine."));
    let shown = tab.keeper.shown.task.get_untracked().unwrap();
    assert_eq!(shown.draft_version, Some(2), "the screen can show both");
    tab.pass(60_000);
    assert_eq!(server.count("edit"), 1, "a refused one is not sent again by itself");
}

#[test]
fn edits_and_an_accept_made_without_a_network_go_out_in_order_and_name_what_they_became() {
    let (mut tab, _, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    for text in ["A", "B", "C"] {
        tab.keeper.wish(Some(the_task()), edit(1, text), None).unwrap();
    }
    tab.keeper.wish(Some(the_task()), accept(4, "C"), None).unwrap();
    tab.settle();
    server.got.borrow_mut().clear();

    // Meanwhile the numbers have moved on by ten: versions are what the server says they became.
    let mut version = 10;
    server.on_command(move |intent| {
        let mut task = task_at(20 + u64::from(version));
        if let Wish::Edit { .. } = intent.wish {
            version += 1;
        }
        task.draft_version = Some(version);
        Answer::Says(done(intent, task))
    });
    tab.pass(20_000);
    let sent: Vec<Wish> = server.got.borrow().iter().map(|intent| intent.wish.clone()).collect();
    assert_eq!(sent, [edit(1, "A"), edit(11, "B"), edit(12, "C"), accept(13, "C")]);
}

#[test]
fn what_builds_on_a_refused_edit_is_not_sent() {
    let (mut tab, _, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    tab.keeper.wish(Some(the_task()), edit(1, "A"), None).unwrap();
    tab.keeper.wish(Some(the_task()), accept(2, "A"), None).unwrap();
    tab.settle();
    server.on_command(|_| Answer::Refuses(Code::StaleVersion.into()));
    tab.pass(20_000);
    assert_eq!(server.count("accept"), 0);
    assert_eq!(waiting(&tab)[1].sending, Sending::EarlierRefused);
    for entry in waiting(&tab) {
        tab.keeper.discard(entry.intent.op_id);
    }
    assert_eq!(waiting(&tab), vec![]);
}

#[test]
fn discarding_one_edit_keeps_the_texts_of_those_that_build_on_it() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    for text in ["A", "B", "C"] {
        tab.keeper.wish(Some(the_task()), edit(1, text), None).unwrap();
    }
    tab.keeper.wish(Some(the_task()), accept(4, "C"), None).unwrap();
    tab.settle();
    let first = waiting(&tab)[0].intent.op_id;
    tab.keeper.discard(first);
    assert_eq!(waiting(&tab), stored(&slots), "what is shown is what is kept");
    let left: Vec<_> = waiting(&tab).into_iter().map(|entry| (entry.intent.wish, entry.sending)).collect();
    let refused = [edit(1, "B"), edit(1, "C"), accept(4, "C")].map(|wish| (wish, Sending::EarlierRefused));
    assert_eq!(left, refused);
    server.got.borrow_mut().clear();
    tab.pass(60_000);
    assert_eq!(server.got.borrow().len(), 0, "none of them is sent by itself");
}

#[test]
fn what_can_never_be_right_is_refused_before_it_waits() {
    let (tab, slots, server) = at_the_task();
    let answer = tab.keeper.wish(Some(the_task()), edit(1, "  \n"), None);
    assert_eq!(answer, Err(Fault::empty("text")));
    assert_eq!((stored(&slots), server.got.borrow().len()), (vec![], 0));
}

#[test]
fn with_a_full_device_it_still_works_and_says_what_is_not_kept() {
    let (mut tab, slots, server) = at_the_task();
    slots.full.set(true);
    let saving = in_state(task_at(8), StateName::Accepted);
    server.on_command(move |intent| Answer::Says(done(intent, saving.clone())));
    tab.keeper.wish(Some(the_task()), accept(1, "Bring an apron."), None).unwrap();
    assert!(tab.keeper.shown.not_kept.get_untracked().is_some());
    tab.settle();
    assert_eq!(tab.keeper.shown.task.get_untracked().unwrap().state, StateName::Accepted);
}

#[test]
fn another_tabs_answer_takes_it_off_this_list_too() {
    let (mut tab, slots, server) = at_the_task();
    server.on_command(|_| Answer::NotOurs);
    let op = tab.keeper.wish(Some(the_task()), edit(1, "Mine."), None).unwrap();
    tab.settle();
    outbox::drop_entry(&*slots, ada().user_id, op);
    tab.trigger(Trigger::OtherTab);
    assert_eq!(waiting(&tab), vec![]);
}

#[test]
fn hashes_are_of_the_text_as_it_stands() {
    assert_ne!(Hash::of("a\r\n"), Hash::of("a\n"));
}

#[test]
fn the_answer_to_another_question_takes_nothing_away() {
    let (mut tab, _, server) = at_the_task();
    server.on_command(|intent| {
        let mut other = done(intent, task_at(7));
        other.op.op_id = OpId(Uuid::from_u128(99));
        Answer::Says(other)
    });
    let op = tab.keeper.wish(Some(the_task()), Wish::Cancel, None).unwrap();
    tab.settle();
    let waits = tab.keeper.shown.outbox.get_untracked();
    assert_eq!((waits.len(), waits[0].intent.op_id, &waits[0].sending), (1, op, &Sending::Unconfirmed));
    server.on_command(|intent| Answer::Says(done(intent, task_at(7))));
    tab.pass(30_000);
    assert!(tab.keeper.shown.outbox.get_untracked().is_empty());
}
