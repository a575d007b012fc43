//! Several tabs, one effect.

use std::rc::Rc;

use app::{outbox, ports::device::Trigger};
use domain::{
    explanation::StateName,
    fault::{Code, Fault},
    id::OpId,
    intent::Wish,
    outbox::{Entry, Sending},
};

use crate::{
    fake::{
        Script, Tab,
        device::Memory,
        server::{Answer, Gate},
        things::{accept, ada, done, in_state, ops, task_at, the_task},
    },
    returned::remembering,
};

/// Two tabs of one browser at the same task, before a server that does not answer commands.
pub fn two_tabs() -> (Tab, Tab, Rc<Memory>, Rc<Script>) {
    let (slots, server) = (remembering(5), Rc::new(Script::new(ada())));
    *server.task.borrow_mut() = Answer::Says(task_at(6));
    server.on_command(|_| Answer::NotOurs);
    let open = || {
        let mut tab = Tab::started(slots.clone(), server.clone());
        tab.keeper.watch(Some(the_task()));
        tab.settle();
        tab
    };
    let (a, b) = (open(), open());
    (a, b, slots, server)
}

fn waiting(tab: &Tab) -> Vec<Entry> {
    tab.keeper.shown.outbox.get_untracked()
}

fn stored(slots: &Memory) -> Vec<OpId> {
    ops(outbox::load(slots, ada().user_id).entries())
}

/// One accept, pressed in the first tab and known to both.
fn one_accept(a: &mut Tab, b: &mut Tab) -> OpId {
    let op = a.keeper.wish(Some(the_task()), accept(1, "Bring an apron."), None).unwrap();
    a.settle();
    b.trigger(Trigger::OtherTab);
    assert_eq!((ops(&waiting(a)), ops(&waiting(b))), (vec![op], vec![op]));
    op
}

/// The server saves, when the gate is opened.
fn save_behind(server: &Script, gate: &Rc<Gate>) {
    let gate = gate.clone();
    server.on_command(move |intent| {
        let saving = done(intent, in_state(task_at(8), StateName::Accepted));
        Answer::Behind(gate.clone(), Box::new(Answer::Says(saving)))
    });
    server.got.borrow_mut().clear();
}

#[test]
fn c16_an_accept_that_waits_in_two_tabs_is_sent_once() {
    let (mut a, mut b, slots, server) = two_tabs();
    one_accept(&mut a, &mut b);
    let gate = Rc::new(Gate::default());
    save_behind(&server, &gate);
    for tab in [&mut a, &mut b] {
        tab.trigger(Trigger::Online);
    }
    assert_eq!(server.got.borrow().len(), 1, "the other one waits for its turn");
    gate.open();
    Tab::settle_all(&mut [&mut a, &mut b]);
    assert_eq!((server.got.borrow().len(), stored(&slots)), (1, vec![]));
    assert_eq!((waiting(&a), waiting(&b)), (vec![], vec![]));
}

#[test]
fn where_tabs_cannot_take_turns_both_send_and_what_is_answered_does_not_come_back() {
    let (mut a, mut b, slots, server) = two_tabs();
    slots.without_turns.set(true);
    let op = one_accept(&mut a, &mut b);
    let gate = Rc::new(Gate::default());
    save_behind(&server, &gate);
    for tab in [&mut a, &mut b] {
        tab.trigger(Trigger::Online);
    }
    assert!(server.got.borrow().iter().all(|intent| intent.op_id == op), "the ledger knows the second one");
    assert_eq!(server.got.borrow().len(), 2);
    gate.open();
    a.settle();
    assert_eq!(stored(&slots), []);
    // The other one's answer was lost on the way: it must not write what is answered.
    b.pass(8_000);
    b.trigger(Trigger::OtherTab);
    assert_eq!((stored(&slots), waiting(&b)), (vec![], vec![]));
}

#[test]
fn an_answer_that_comes_late_does_not_bring_back_what_was_built_on_it_and_done() {
    let (mut a, mut b, slots, server) = two_tabs();
    slots.without_turns.set(true);
    let edit = Wish::Edit { base_version: 1, text: "Mine.".to_owned() };
    a.keeper.wish(Some(the_task()), edit, None).unwrap();
    a.keeper.wish(Some(the_task()), accept(2, "Mine."), None).unwrap();
    a.settle();
    b.trigger(Trigger::OtherTab);
    let (late, mut first) = (Rc::new(Gate::default()), true);
    let held = late.clone();
    server.on_command(move |intent| {
        let answer = Answer::Says(done(intent, task_at(8)));
        if std::mem::take(&mut first) { Answer::Behind(held.clone(), Box::new(answer)) } else { answer }
    });
    b.trigger(Trigger::Online);
    assert_eq!(waiting(&b)[0].sending, Sending::Sent);
    a.trigger(Trigger::Online);
    assert_eq!(stored(&slots), [], "the other tab has done all of it meanwhile");
    late.open();
    b.settle();
    assert_eq!((stored(&slots), waiting(&b)), (vec![], vec![]));
    assert_eq!(server.count("accept"), 1, "what is gone from the device is not written and sent once more");
}

#[test]
fn c39_a_tab_that_is_frozen_with_its_turn_is_passed_by_within_30_seconds() {
    let (mut frozen, mut b, slots, server) = two_tabs();
    let op = one_accept(&mut frozen, &mut b);
    let gate = Rc::new(Gate::default());
    save_behind(&server, &gate);
    frozen.trigger(Trigger::Online);
    assert_eq!(server.got.borrow().len(), 1);

    // From now on nothing runs in it: its own call has an answer that it cannot take.
    gate.open();
    b.pass(30_000);
    assert_eq!((server.got.borrow().len(), stored(&slots), waiting(&b)), (2, vec![], vec![]));
    assert!(server.got.borrow().iter().all(|intent| intent.op_id == op));

    let written = slots.writes.get();
    frozen.sleep_through(40_000);
    frozen.settle();
    assert_eq!((stored(&slots), waiting(&frozen)), (vec![], vec![]), "it reads what is stored, and writes nothing");
    assert_eq!((server.got.borrow().len(), slots.writes.get()), (2, written));
}

#[test]
fn a_tab_that_is_closed_in_the_middle_leaves_what_it_sent_as_not_confirmed() {
    let (mut a, mut b, _, server) = two_tabs();
    one_accept(&mut a, &mut b);
    save_behind(&server, &Rc::new(Gate::default()));
    a.trigger(Trigger::Online);
    drop(a);
    b.trigger(Trigger::OtherTab);
    assert_eq!(waiting(&b)[0].sending, Sending::Unconfirmed);
}

#[test]
fn a_refusal_that_another_tab_got_is_shown_and_kept_here_until_it_is_dealt_with() {
    let (mut a, mut b, slots, server) = two_tabs();
    let op = one_accept(&mut a, &mut b);
    server.on_command(|_| Answer::Refuses(Code::StaleVersion.into()));
    a.trigger(Trigger::Online);
    b.trigger(Trigger::OtherTab);
    let refused = Sending::Refused { fault: Fault::new(Code::StaleVersion) };
    assert_eq!(waiting(&b)[0].sending, refused);
    drop((a, b));

    let mut later = Tab::started(slots.clone(), server);
    assert_eq!(waiting(&later)[0].sending, refused, "also at a later visit");
    later.keeper.discard(op);
    later.settle();
    assert_eq!((stored(&slots), waiting(&later)), (vec![], vec![]));
}

#[test]
fn a_wish_that_another_tab_made_a_moment_ago_is_found_before_its_event_comes() {
    let (a, b, slots, _) = two_tabs();
    let first = a.keeper.wish(Some(the_task()), Wish::Cancel, None).unwrap();
    let second = b.keeper.wish(Some(the_task()), Wish::Cancel, None).unwrap();
    assert_eq!((first, stored(&slots)), (second, vec![first]));
}

#[test]
fn edits_made_in_two_tabs_build_on_each_other() {
    let (a, b, _, _) = two_tabs();
    let edit = |tab: &Tab, text: &str| {
        let wish = Wish::Edit { base_version: 1, text: text.to_owned() };
        tab.keeper.wish(Some(the_task()), wish, None).unwrap()
    };
    let first = edit(&a, "A");
    edit(&b, "B");
    assert_eq!(waiting(&b)[1].after, Some(first));
}
