//! The stream is believed while it speaks.

use std::rc::Rc;

use app::ports::device::{Heard, Trigger};
use domain::{explanation::StateName, lease::Active, snapshot::Beat};

use crate::{
    fake::{
        Script, Tab,
        server::Answer,
        things::{ada, in_state, noon, task_at, the_task},
    },
    returned::remembering,
};

fn following() -> (Tab, Rc<Script>) {
    let server = Rc::new(Script::new(ada()));
    *server.task.borrow_mut() = Answer::Says(task_at(6));
    let mut tab = Tab::started(remembering(5), server.clone());
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    (tab, server)
}

fn beat(seq: u64, seconds: i64) -> Heard {
    let beat = Beat { server_time: noon(seconds), seq, active: None };
    Heard::Beat(serde_json::to_string(&beat).unwrap())
}

fn picture(task: &domain::snapshot::Snapshot) -> Heard {
    Heard::Task(serde_json::to_string(task).unwrap())
}

#[test]
fn it_goes_on_after_what_is_known() {
    let (tab, _) = following();
    let streams = tab.device.streams.borrow();
    assert_eq!(streams[0].url, format!("/api/v1/tasks/{}/stream?after_seq=6", the_task()));
}

#[test]
fn a_pushed_picture_is_shown_and_confirmed() {
    let (tab, _) = following();
    tab.device.say(picture(&task_at(9)));
    assert_eq!(tab.keeper.shown.task.get_untracked().unwrap().seq, 9);
    assert_eq!(tab.keeper.shown.freshness.get_untracked().last(), Some(noon(9)));
}

#[test]
fn a_beat_confirms_what_is_known() {
    let (tab, _) = following();
    tab.device.say(beat(6, 30));
    assert_eq!(tab.keeper.shown.freshness.get_untracked().last(), Some(noon(30)));
}

#[test]
fn a_beat_that_is_ahead_makes_it_ask() {
    let (mut tab, server) = following();
    *server.task.borrow_mut() = Answer::Says(task_at(8));
    tab.device.say(beat(8, 30));
    tab.settle();
    assert_eq!(tab.keeper.shown.task.get_untracked().unwrap().seq, 8);
}

#[test]
fn c7_a_stream_that_falls_silent_is_not_believed() {
    let (mut tab, server) = following();
    tab.pass(20_000);
    tab.device.say(beat(6, 20));
    *server.task.borrow_mut() = Answer::Silent;
    tab.pass(24_000);
    assert!(tab.keeper.shown.freshness.get_untracked().is_confirmed());
    tab.pass(1_500);
    assert_eq!(tab.keeper.shown.freshness.get_untracked().as_str(), "checking");
    assert_eq!(tab.device.open_streams(), 0);
}

#[test]
fn a_broken_stream_is_opened_again_after_an_answer() {
    let (mut tab, _) = following();
    tab.device.say(beat(6, 10));
    tab.device.say(Heard::Broken);
    assert_eq!(tab.keeper.shown.freshness.get_untracked().as_str(), "stale");
    tab.pass(2_000);
    assert!(tab.keeper.shown.freshness.get_untracked().is_confirmed());
    assert_eq!((tab.device.streams.borrow().len(), tab.device.open_streams()), (2, 1));
}

#[test]
fn where_streams_do_not_get_through_asking_takes_their_place_at_a_slower_and_slower_pace() {
    let (mut tab, server) = following();
    let mut asked = Vec::new();
    for _ in 0..12 {
        if tab.device.open_streams() == 1 {
            tab.device.say(Heard::Broken);
        }
        assert!(tab.keeper.shown.freshness.get_untracked().is_confirmed(), "the server answers");
        tab.pass(10_000);
        asked.push(server.count("task"));
    }
    let total = asked.last().copied().unwrap_or_default();
    assert!((4..=14).contains(&total), "asked {total} times in two minutes: {asked:?}");
}

#[test]
fn hidden_tabs_hold_no_stream() {
    let (mut tab, _) = following();
    tab.device.visible.set(false);
    tab.trigger(Trigger::Hidden);
    assert_eq!(tab.device.open_streams(), 0);
    tab.pass(60_000);
    assert_eq!(tab.device.open_streams(), 0);
    tab.device.visible.set(true);
    tab.trigger(Trigger::Visible);
    assert_eq!(tab.device.open_streams(), 1);
}

#[test]
fn a_finished_task_needs_no_stream() {
    let (tab, _) = following();
    tab.device.say(picture(&in_state(task_at(9), StateName::Saved)));
    assert_eq!(tab.device.open_streams(), 0);
}

#[test]
fn a_stream_that_is_closed_is_not_heard() {
    let (mut tab, _) = following();
    let old = tab.device.streams.borrow()[0].hear.clone();
    tab.keeper.watch(None);
    tab.settle();
    old(picture(&task_at(9)));
    assert_eq!(tab.keeper.shown.task.get_untracked(), None);
}

#[test]
fn c42_a_lease_that_runs_out_without_an_event_ends_the_generating_by_the_server_s_time() {
    let (mut tab, _) = following();
    let mut working = in_state(task_at(7), StateName::EvidenceSaved);
    working.active = Some(Active { step: "draft".to_owned(), tries: 0, lease_until: noon(17) });
    tab.device.say(picture(&working));
    let active = |tab: &Tab| {
        let now = tab.keeper.shown.server_now.get_untracked();
        app::words::status::is_active(&tab.keeper.shown.task.get_untracked().unwrap(), now)
    };
    assert!(active(&tab));
    tab.pass(9_000);
    assert!(active(&tab));
    tab.pass(2_000);
    assert!(!active(&tab), "no event came, and it is not generating any more");
}
