//! The account of the steps: a log goes in, one line a step comes out.

mod log; // a log that is being written

use domain::{
    course::{StepAccount, Timeline},
    explanation::{Event, Step, course, effect::withdrawal, event::Recheck},
    fault::Problem,
    intent::Verdict,
    snapshot::EventLine,
};

use self::log::*;
use crate::world::NOON;

#[track_caller]
fn check(log: &Log, account: &[&str]) {
    assert_eq!(log.account(true), account);
}

#[test]
fn a_calm_journey_is_done_and_needs_no_second_look() {
    let log = Log::accepted().claimed(10, 2, "b").worker(11, 2, saved(false));
    let account = [
        "look_up done, 1:a, seen 2, record_found",
        "draft done, 1:a, draft_written",
        "recheck skipped, fresh_enough, seen 2",
        "save done, 2:b, saved",
    ];
    check(&log, &account);
}

#[test]
fn who_died_is_followed_and_what_was_seen_is_used_again() {
    let log = Log::started()
        .claimed(1, 1, "a")
        .worker(2, 1, found(2, "7"))
        .claimed(12, 2, "b")
        .worker(12, 2, failed(Step::Draft, "process_lost", 1, 12))
        .worker(14, 2, drafted(1))
        .worker(14, 2, proposed(1));
    let account = [
        "look_up reused, 1:a, seen 2, again by 2 (interruption), record_found",
        "draft done, 1 failed, process_lost, 1:a, 2:b, draft_written",
    ];
    check(&log, &account);
}

#[test]
fn failed_tries_say_how_often_why_and_when_the_next_one_is() {
    let log = Log::started()
        .claimed(1, 1, "a")
        .worker(2, 1, failed(Step::LookUp, "source_timed_out", 1, 5))
        .claimed(5, 2, "b")
        .worker(6, 2, failed(Step::LookUp, "source_busy", 2, 9));
    check(&log, &["look_up retrying, 2 failed, source_timed_out+source_busy, next 9, 1:a, 2:b"]);

    let log = log.claimed(9, 3, "a").worker(10, 3, found(10, "7"));
    let given_up = Problem::new("model_refused").with("tries", 1);
    let log = log.worker(11, 3, Event::DraftFailed { problem: given_up, usage: None }).learner(20, Event::Retried {});
    let account = [
        "look_up done, 2 failed, source_timed_out+source_busy, 1:a, 2:b, 3:a, seen 10, record_found",
        "draft failed, 1 failed, model_refused, 3:a",
        "draft waiting",
    ];
    check(&log, &account);
    let used_again = "look_up reused, 2 failed, source_timed_out+source_busy, 1:a, 2:b, 3:a, seen 10, \
                      again by 4 (asked_anew), record_found";
    check(&log.claimed(21, 4, "b"), &[used_again, account[1], "draft running, 4:b"]);
}

#[test]
fn a_step_runs_only_while_its_lease_is_live() {
    let log = Log::started().claimed(1, 1, "a");
    assert_eq!(log.account(true), ["look_up running, 1:a"]);
    assert_eq!(log.account(false), ["look_up waiting, 1:a"]);
    let log = log.worker(2, 1, found(2, "7"));
    assert_eq!(log.account(true)[1], "draft running, 1:a", "it goes on under the same attempt");
}

#[test]
fn another_draft_is_asked_for_on_the_same_evidence() {
    let log = Log::reviewed()
        .learner(5, Event::RedraftAsked { base_version: 1 })
        .claimed(6, 2, "b")
        .worker(7, 2, failed(Step::Draft, "model_busy", 1, 9))
        .claimed(9, 3, "b")
        .worker(10, 3, drafted(2))
        .worker(10, 3, proposed(2));
    let account = [
        "look_up reused, 1:a, seen 2, again by 2 (asked_anew), again by 3 (another_try), record_found",
        "draft done, 1:a, draft_written",
        "draft done, 1 failed, model_busy, 2:b, 3:b, draft_written",
    ];
    check(&log, &account);
}

#[test]
fn a_cancel_drops_what_was_under_way_and_says_whether_it_was_sent() {
    let working = || Log::started().claimed(1, 1, "a").worker(2, 1, found(2, "7"));
    let look = "look_up done, 1:a, seen 2, record_found";
    check(&working().learner(3, cancelled(&["draft"])), &[look, "draft skipped, sent_unknown, 1:a"]);
    check(&working().learner(3, cancelled(&[])), &[look, "draft skipped, cancelled, 1:a"]);
}

#[test]
fn a_late_result_is_told_with_the_attempt_that_brought_it() {
    let late = |step: &str| Event::LateResultDiscarded { step: step.to_owned(), attempt: 1 };
    let log = Log::started().claimed(1, 1, "a").worker(2, 1, found(2, "7")).claimed(12, 2, "b");
    let log = log.worker(14, 2, drafted(1)).worker(14, 2, proposed(1));
    let draft = log.lines[3].op_id;
    let account = [
        "look_up reused, 1:a, seen 2, again by 2 (interruption), record_found",
        "draft done, 1:a too late 20, 2:b, draft_written",
    ];
    check(&log.line(20, Some(1), draft, late("draft")), &account);

    let dropped = Log::started().claimed(1, 1, "a").learner(2, cancelled(&["look_up"]));
    let look = dropped.lines[1].op_id;
    check(&dropped.line(3, Some(1), look, late("look_up")), &["look_up skipped, sent_unknown, 1:a too late 3"]);
}

const SEEN: [&str; 2] = ["look_up done, 1:a, seen 2, record_found", "draft done, 1:a, draft_written"];
const FRESH: &str = "recheck skipped, fresh_enough, seen 2";

#[track_caller]
fn check_save(log: &Log, save: &[&str]) {
    assert_eq!(log.account(true), [&SEEN[..], save].concat());
}

#[test]
fn a_save_that_is_found_is_not_repeated() {
    let log = Log::accepted().claimed(10, 2, "b").claimed(30, 3, "c").worker(31, 3, saved(true));
    check_save(&log, &[FRESH, "save reused, 2:b, 3:c, saved"]);
}

#[test]
fn an_uncertain_save_needs_a_person_and_keeps_each_verdict() {
    let log = Log::accepted().claimed(10, 2, "b");
    let uncertain = Problem::new("save_uncertain").with("tries", 2).with("version", 1);
    let log = log.worker(11, 2, failed(Step::Save, "save_uncertain", 1, 12)).claimed(12, 3, "b").worker(
        13,
        3,
        Event::OutcomeUnknown { problem: uncertain },
    );
    let unsure = "save needs_person, 2 failed, save_uncertain+save_uncertain, 2:b, 3:b";
    check_save(&log, &[FRESH, unsure]);

    let log = log.learner(40, settled(Verdict::LookAgain, "was away"));
    check_save(
        &log,
        &[FRESH, "save waiting, 2 failed, save_uncertain+save_uncertain, 2:b, 3:b, look_again 'was away'"],
    );

    let log = log.claimed(41, 4, "b").worker(42, 4, unknown("save_uncertain"));
    let log = log.learner(50, settled(Verdict::WasSaved, "I see it")).learner(50, saved(true));
    let again = "recheck skipped, fresh_enough, seen 2";
    let end = "save reused, 2 failed, save_uncertain+save_uncertain+save_uncertain, 2:b, 3:b, 4:b, \
               look_again 'was away', was_saved 'I see it', saved";
    check_save(&log, &[FRESH, again, end]);
}

#[test]
fn a_verdict_to_stop_is_kept_with_the_withdrawal() {
    let log = Log::accepted().claimed(10, 2, "b").worker(11, 2, unknown("save_uncertain"));
    let log = log.withdrawn(20, "stop", None).learner(20, settled(Verdict::NotSavedStop, "not there"));
    let log = log.learner(20, cancelled(&[]));
    let save = "save skipped, save_uncertain+stop, 2:b, not_saved_stop 'not there'";
    check_save(&log, &[FRESH, save, "withdraw done, 9:-, withdrawn"]);
}

#[test]
fn a_task_that_cannot_be_read_needs_a_person_outside_of_any_step() {
    let log = Log::reviewed().line(5, Some(1), None, unknown("unreadable"));
    check_save(&log, &["settle needs_person, unreadable"]);
    let log = log.learner(6, settled(Verdict::LookAgain, ""));
    check_save(&log, &["settle done, unreadable, look_again ''"]);
}

#[test]
fn a_cancel_takes_the_save_back_or_comes_too_late() {
    let log = Log::accepted().withdrawn(10, "cancel", None).line(10, Some(9), Some(learners()), cancelled(&[]));
    check_save(&log, &["save skipped, cancel", "withdraw done, 9:-, withdrawn"]);

    let log = Log::accepted().claimed(10, 2, "b").line(11, Some(9), Some(learners()), saved(true));
    check_save(&log, &[FRESH, "save reused, 2:b, saved", "withdraw done, 9:-, saved_first"]);

    // A worker finishes what the learner's request could not.
    let log = Log::accepted();
    let withdraw = withdrawal(log.save_op(), domain::explanation::command::Reason::Cancel).op_id;
    let claimed = Event::Claimed { process: "b".to_owned(), attempt: 8, step: "withdraw".to_owned() };
    let log = log.line(10, Some(8), Some(withdraw), claimed);
    check_save(&log, &["save waiting", "withdraw running, 8:b"]);
}

#[test]
fn an_expired_save_says_so() {
    let log = Log::accepted().claimed(10, 2, "b").withdrawn(11, "not_valid", Some(Problem::new("expired")));
    check_save(&log, &[FRESH, "save skipped, expired, 2:b", "withdraw done, 9:-, withdrawn"]);
}

#[test]
fn the_look_before_a_save_stands_before_it() {
    let day = 25 * 3600;
    let looking = || Log::accepted().claimed_to_look(day, 2, "b");
    check_save(&looking(), &["recheck running, 2:b", "save waiting"]);

    let look = looking().lines.last().unwrap().op_id;
    let unchanged = Event::Rechecked { outcome: Recheck::Same, at: at(day + 1), problem: None };
    let log = looking().line(day + 1, Some(2), look, unchanged);
    check_save(&log, &["recheck done, 2:b, seen 90001, record_same", "save running, 2:b"]);

    let tried = failed(Step::Recheck, "source_busy", 1, day + 9);
    let log = looking().line(day + 1, Some(2), look, tried);
    check_save(&log, &["recheck retrying, 1 failed, source_busy, next 90009, 2:b", "save waiting"]);

    let given_up = Problem::new("source_busy").with("tries", 2);
    let log = log.line(day + 10, Some(2), look, Event::SourceFailed { problem: given_up });
    let gave_up = "recheck failed, 2 failed, source_busy+source_busy, 2:b";
    check_save(&log, &[gave_up, "save waiting"]);
    let log = log.learner(day + 20, Event::Retried {}).claimed_to_look(day + 21, 3, "c");
    check_save(&log, &[gave_up, "recheck running, 3:c", "save waiting"]);

    let log = looking().withdrawn(day + 1, "source_moved", None).line(day + 1, Some(9), look, moved(day + 1, "8"));
    let save = "save skipped, source_moved";
    check_save(&log, &["recheck done, 2:b, seen 90001, record_changed", save, "withdraw done, 9:-, withdrawn"]);
}

#[test]
fn a_look_asked_for_by_the_learner_says_what_it_saw() {
    let looking = || Log::reviewed().learner(5, Event::Reopened {}).claimed(6, 2, "b");
    let end = |outcome, code: Option<&str>| {
        let problem = code.map(|code| Problem::new(code).with("tries", 1));
        looking().worker(7, 2, Event::Rechecked { outcome, at: at(7), problem })
    };
    check_save(&end(Recheck::Same, None), &["recheck done, 2:b, seen 7, record_same"]);
    check_save(&end(Recheck::Gone, Some("record_withdrawn")), &["recheck done, 2:b, record_gone"]);
    check_save(&end(Recheck::Unavailable, Some("source_busy")), &["recheck failed, 1 failed, source_busy, 2:b"]);
}

#[test]
fn a_claim_that_the_log_does_not_explain_reopens_nothing() {
    let claimed = Event::Claimed { process: "b".to_owned(), attempt: 2, step: "draft".to_owned() };
    check_save(&Log::reviewed().line(5, Some(2), Some(learners()), claimed), &[]);
}

#[test]
fn nothing_is_told_of_a_log_without_a_beginning() {
    assert!(course(Log::started().task.id, &Log::reviewed().lines[1..], false).is_empty());
    assert!(course(Log::started().task.id, &[], false).is_empty());
}

#[test]
fn answers_that_overtake_each_other_add_no_line_twice() {
    let line = |seq: u64| EventLine {
        seq,
        kind: "claimed".to_owned(),
        at: NOON,
        attempt: None,
        op_id: None,
        summary: String::new(),
        details: serde_json::Value::Null,
    };
    // The number of steps says which answer they are of.
    let answer = |seqs: std::ops::RangeInclusive<u64>| Timeline {
        steps: seqs.clone().map(|_| StepAccount::opened("draft", None, NOON)).collect(),
        events: seqs.map(line).collect(),
    };
    let shown = |known: &Timeline| (known.events.iter().map(|e| e.seq).collect::<Vec<_>>(), known.steps.len());
    let mut known = Timeline::default();
    known.add(answer(1..=4), 0);
    known.add(answer(1..=2), 0);
    assert_eq!(shown(&known), (vec![1, 2, 3, 4], 4));
    known.add(answer(3..=5), 2);
    assert_eq!(shown(&known), (vec![1, 2, 3, 4, 5], 3));
    known.add(Timeline::default(), 5);
    assert_eq!(shown(&known), (vec![1, 2, 3, 4, 5], 0), "nothing new, and told anew");
}
