//! What happened, in words that a learner understands, with the log below for whoever follows it.

use app::signal::Signal;
use app::{
    components::timeline::{TimelineLines, TimelineLinesProps},
    words::{
        timeline::{
            self,
            steps::{Clock, step},
        },
        times::Zone,
    },
};
use domain::{
    course::{Finding, Holding, Occasion, Outcome, Reuse, Settlement, StepAccount, Timeline},
    id::OpId,
    intent::Verdict,
    snapshot::EventLine,
};
use leptos::prelude::{Owner, RenderHtml};
use uuid::Uuid;

use crate::fake::things::noon;

const CLOCK: Clock = Clock { now: None, zone: Zone { offset_minutes: 0 } };

fn account(name: &str, outcome: Outcome) -> StepAccount {
    let mut account = StepAccount::opened(name, Some(OpId(Uuid::from_u128(5))), noon(0));
    account.outcome = outcome;
    account
}

fn look_up(again: &[Occasion]) -> StepAccount {
    let outcome = if again.is_empty() { Outcome::Done } else { Outcome::Reused };
    let mut account = account("look_up", outcome);
    account.observed_at = Some(noon(0));
    account.result = Some(Finding::new("record_found").with("version", 7));
    account.reused = again.iter().map(|&why| Reuse { attempt: 2, at: noon(9), why }).collect();
    account
}

fn because(name: &str, outcome: Outcome, tries: u32, why: &[&str]) -> StepAccount {
    let mut account = account(name, outcome);
    account.tries = tries;
    account.why = why.iter().map(|&code| code.to_owned()).collect();
    account
}

fn brought(name: &str, outcome: Outcome, code: &str) -> StepAccount {
    let mut account = account(name, outcome);
    account.result = Some(Finding::new(code).with("version", 2));
    account
}

fn seen(mut account: StepAccount) -> StepAccount {
    account.observed_at = Some(noon(0));
    account
}

/// Title, tag and sentences on one line, at noon of the day.
fn told(account: &StepAccount, working: bool) -> String {
    let clock = Clock { now: Some(noon(60)), ..CLOCK };
    let words = step(account, working, clock);
    std::iter::once(format!("{} [{}]", words.title, words.tag)).chain(words.details).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(account: &StepAccount, words: &str) {
    assert_eq!(told(account, true), words);
}

#[test]
fn what_was_seen_says_when_and_where_it_was_used_again() {
    check(&look_up(&[]), "Looked the record up [Done] Seen today at 12:00.");
    check(
        &look_up(&[Occasion::Interruption, Occasion::Interruption]),
        "Looked the record up [Done, and used again] Seen today at 12:00; used again after an interruption, not asked twice.",
    );
    check(
        &look_up(&[Occasion::AskedAnew, Occasion::AnotherTry]),
        "Looked the record up [Done, and used again] \
         Seen today at 12:00; used again for a new draft and for another try, not asked twice.",
    );
    let yesterday = step(&look_up(&[]), true, Clock { now: Some(noon(86_400)), ..CLOCK });
    assert_eq!(yesterday.details, ["Seen yesterday at 12:00."]);
    check(
        &seen(brought("recheck", Outcome::Done, "record_same")),
        "Looked at the record again [Done] Seen today at 12:00 and unchanged.",
    );
    check(
        &seen(brought("recheck", Outcome::Done, "record_changed")),
        "Looked at the record again [Done] Seen today at 12:00, and it had changed.",
    );
    check(
        &seen(because("recheck", Outcome::Skipped, 0, &["fresh_enough"])),
        "Did not look at the record again [Not needed] The record had been seen recently enough.",
    );
}

#[test]
fn failed_tries_are_counted_with_their_reasons() {
    let mut account = brought("draft", Outcome::Done, "draft_written");
    (account.tries, account.why) = (1, vec!["process_lost".to_owned()]);
    check(&account, "Wrote a draft (version 2) [Done after another try] One try failed: the work was interrupted.");

    let mut account = because("draft", Outcome::Retrying, 3, &["model_busy", "model_timed_out", "model_busy"]);
    account.next_try_at = Some(noon(120));
    check(
        &account,
        "Write a draft [To be tried again] 3 tries failed: the model is overloaded (2 times); \
         the model took too long to answer. The next try is today at 12:02.",
    );
    check(
        &because("look_up", Outcome::Failed, 2, &["source_unreachable", "source_unreachable"]),
        "The record was not looked up [Given up] 2 tries failed: the source could not be reached.",
    );
    check(
        &because("look_up", Outcome::Failed, 0, &["record_not_found"]),
        "Looked the record up [It was not there] There is no record at the source.",
    );
}

#[test]
fn work_is_under_way_only_while_somebody_is_known_to_work() {
    let account = account("draft", Outcome::Running);
    assert_eq!(told(&account, true), "Writing a draft [Under way]");
    assert_eq!(told(&account, false), "Write a draft [Waiting]");
}

#[test]
fn a_save_says_whether_it_was_done_found_left_out_or_not_known() {
    check(&brought("save", Outcome::Done, "saved"), "Saved to your library (version 2) [Done]");
    check(
        &brought("save", Outcome::Reused, "saved"),
        "Found in your library (version 2) [Found, not repeated] It was there already, so it was not saved again.",
    );
    check(&because("save", Outcome::Skipped, 0, &["cancel"]), "Not saved [Left out] You cancelled the task.");
    check(&brought("withdraw", Outcome::Done, "withdrawn"), "Took the save back (version 2) [Done]");
    check(
        &account_of_a_late_withdrawal(),
        "Too late to take the save back [Done] It had been saved before. There is one entry in your library.",
    );

    let mut account = because("save", Outcome::NeedsPerson, 1, &["save_uncertain"]);
    let said = |verdict, note: &str| Settlement { verdict, note: note.to_owned(), at: noon(30) };
    account.verdicts = vec![said(Verdict::LookAgain, ""), said(Verdict::WasSaved, "I see it")];
    let words = told(&account, true);
    assert!(words.starts_with("It is not known whether this was saved [Needs a person] One try failed: "), "{words}");
    assert!(words.ends_with(
        "You said today at 12:00: look again. You said today at 12:00: it was saved. \u{201c}I see it\u{201d}"
    ));
}

fn account_of_a_late_withdrawal() -> StepAccount {
    brought("withdraw", Outcome::Done, "saved_first")
}

#[test]
fn what_was_dropped_says_whether_it_had_been_sent_and_what_came_too_late() {
    let mut account = because("draft", Outcome::Skipped, 0, &["sent_unknown"]);
    account.attempts = vec![Holding { attempt: 1, process: None, at: noon(0), too_late_at: Some(noon(9)) }];
    check(
        &account,
        "No draft was written [Left out] You cancelled the task while this was under way. The request may have been \
         sent; an answer is not used. A result came after somebody else had taken over. It was not used.",
    );
}

#[test]
fn no_step_is_told_in_words_of_the_machine() {
    let names = ["look_up", "draft", "recheck", "save", "withdraw", "settle"];
    let outcomes = [
        Outcome::Waiting,
        Outcome::Running,
        Outcome::Retrying,
        Outcome::Done,
        Outcome::Reused,
        Outcome::Skipped,
        Outcome::Failed,
        Outcome::NeedsPerson,
    ];
    for name in names {
        for outcome in outcomes {
            let skipped = ["cancelled", "sent_unknown", "cancel", "stop", "fresh_enough", "expired", "source_gone"];
            let failed = ["process_lost", "save_uncertain", "unreadable", "budget_used_up"];
            for why in if outcome == Outcome::Skipped { &skipped[..] } else { &failed[..] } {
                let words = told(&because(name, outcome, 1, &["model_busy", why]), true).to_lowercase();
                for jargon in ["lease", "adapter", "process", "fence", "attempt", "operation", "_"] {
                    assert!(!words.contains(jargon), "{jargon} in {words}");
                }
            }
        }
    }
}

#[test]
fn the_card_shows_the_steps_first_and_keeps_the_log_with_its_ids_below() {
    let event = EventLine {
        seq: 2,
        kind: "claimed".to_owned(),
        at: noon(1),
        attempt: Some(3),
        op_id: Some(OpId(Uuid::from_u128(5))),
        summary: String::new(),
        details: serde_json::json!({ "process": "host-7", "attempt": 3, "step": "look_up" }),
    };
    let timeline = Timeline { events: vec![event], steps: vec![look_up(&[Occasion::Interruption])] };
    let card = |timeline: Timeline| {
        Owner::new().with(|| {
            let props = TimelineLinesProps::builder()
                .timeline(Signal::stored(timeline))
                .working(Signal::stored(false))
                .now(Signal::stored(Some(noon(60))))
                .zone(CLOCK.zone)
                .build();
            TimelineLines(props).to_html()
        })
    };
    let html = card(timeline);
    let (steps, log) = html.split_once("The full log").unwrap();
    assert!(steps.contains("used again after an interruption, not asked twice"), "{html}");
    assert!(!steps.contains("attempt 3"), "{html}");
    for mark in ["#2", "attempt 3", "process host-7", "operation 00000000-0000-0000-0000-000000000005"] {
        assert!(log.contains(mark), "{mark} in {log}");
    }
    assert!(card(Timeline::default()).contains("The timeline has not arrived."));
}

#[test]
fn what_the_learner_did_stands_between_the_steps_that_it_opened() {
    let deed = |seq, kind: &str, at| EventLine {
        seq,
        kind: kind.to_owned(),
        at: noon(at),
        attempt: None,
        op_id: None,
        summary: String::new(),
        details: serde_json::json!({ "draft": { "version": 2 } }),
    };
    let at = |mut step: StepAccount, minute| {
        step.opened_at = noon(minute);
        step
    };
    let timeline = Timeline {
        events: vec![deed(1, "started", 0), deed(2, "claimed", 0), deed(5, "edited", 5), deed(6, "accepted", 6)],
        steps: vec![
            at(account("look_up", Outcome::Done), 0),
            at(account("draft", Outcome::Done), 1),
            at(account("save", Outcome::Done), 6),
        ],
    };
    let lines: Vec<String> = timeline::told(&timeline)
        .into_iter()
        .map(|line| match line {
            timeline::Told::Deed(event) => timeline::what(&event),
            timeline::Told::Step(step) => step.step,
        })
        .collect();
    let expected = [
        "You started the task",
        "look_up",
        "draft",
        "You edited the draft (version 2)",
        "You accepted (version 2)",
        "save",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_record_that_is_not_there_was_looked_up_all_the_same() {
    let gone = because("look_up", Outcome::Failed, 0, &["record_withdrawn"]);
    assert!(told(&gone, false).starts_with("Looked the record up [It was not there]"), "{}", told(&gone, false));
    let failed = because("look_up", Outcome::Failed, 3, &["source_unreachable"]);
    assert!(told(&failed, false).starts_with("The record was not looked up [Given up]"), "{}", told(&failed, false));
}
