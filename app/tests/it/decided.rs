//! After a clash nothing of the learner's is let go before their new decision has been answered.

use app::{api::error::ApiError, words::status::is_clash};
use domain::{explanation::StateName, fault::Code, intent::Wish, outbox::Entry, snapshot::Author};

use crate::{
    fake::{
        Script, Tab,
        server::Answer,
        things::{accept, add_version, done, in_state, task_at, the_task},
    },
    returned::at_the_task,
};

fn edit(base_version: u32, text: &str) -> Wish {
    Wish::Edit { base_version, text: text.to_owned() }
}

fn waiting(tab: &Tab) -> Vec<Entry> {
    tab.keeper.shown.outbox.get_untracked()
}

/// Every command is refused: versions up to `version` were written elsewhere.
fn refuse(server: &Script, version: u32) {
    let mut now = task_at(u64::from(version) + 10);
    for n in 2..=version {
        add_version(&mut now, Author::Learner, &format!("Theirs {n}."));
    }
    server.on_command(move |_| Answer::Refuses(ApiError::from(Code::StaleVersion).with_current(now.clone())));
}

fn clashing(tab: &Tab) -> Vec<Wish> {
    let (all, task) = (waiting(tab), tab.keeper.shown.task.get_untracked().unwrap());
    all.iter().filter(|e| is_clash(e, &all, &task)).map(|e| e.intent.wish.clone()).collect()
}

#[test]
fn a_decision_that_is_refused_too_leaves_the_learners_text_and_shows_it_again() {
    let (mut tab, _, server) = at_the_task();
    refuse(&server, 2);
    tab.keeper.wish(Some(the_task()), edit(1, "Mine."), None).unwrap();
    tab.settle();
    assert_eq!(clashing(&tab), [edit(1, "Mine.")]);

    refuse(&server, 3);
    tab.keeper.decide(the_task(), accept(2, "Theirs 2."), Some("Theirs 2.".to_owned())).unwrap();
    assert_eq!(clashing(&tab), [], "it is decided, but not answered");
    assert_eq!(waiting(&tab)[0].intent.wish, edit(1, "Mine."));
    tab.settle();
    assert_eq!(clashing(&tab)[0], edit(1, "Mine."), "the next clash is about the same text");
}

#[test]
fn a_decision_that_is_not_answered_lets_nothing_go_even_over_a_closed_tab() {
    let (mut tab, slots, server) = at_the_task();
    refuse(&server, 2);
    tab.keeper.wish(Some(the_task()), edit(1, "Mine."), None).unwrap();
    tab.settle();
    server.on_command(|_| Answer::Silent);
    tab.keeper.decide(the_task(), accept(2, "Theirs 2."), None).unwrap();
    tab.pass(10_000);
    assert_eq!(waiting(&tab).len(), 2);
    drop(tab);

    let saving = in_state(task_at(20), StateName::Accepted);
    server.on_command(move |intent| Answer::Says(done(intent, saving.clone())));
    let tab = Tab::started(slots, server);
    assert_eq!(waiting(&tab), [], "answered yes: both are gone");
}

#[test]
fn a_confirmed_edit_takes_all_that_was_refused_before_it() {
    let (mut tab, slots, server) = at_the_task();
    for version in [2, 3] {
        refuse(&server, version);
        tab.keeper.decide(the_task(), edit(version - 1, "Mine."), None).unwrap();
        tab.settle();
    }
    assert_eq!(waiting(&tab).len(), 2);
    server.on_command(|intent| Answer::Says(done(intent, task_at(30))));
    tab.keeper.decide(the_task(), edit(3, "Mine."), None).unwrap();
    tab.settle();
    assert_eq!(waiting(&tab), []);
    assert!(slots.values.borrow().keys().all(|key| !key.contains(".outbox.")));
}
