//! Every state against every command: what follows, or why not.

use domain::{
    explanation::{
        Command, Step, Task,
        command::{Reason, Withdrawal},
        decide,
        decide::{number, start},
        evolve,
        evolve::born,
    },
    fault::Problem,
    id::{RecordId, TaskId, UserId},
    intent::Verdict,
    retry::Terms,
    text::{Hash, Question},
};
use uuid::Uuid;

use crate::world::*;

/// What a command comes to: the state it leads to, or what must be asked first, or the refusal.
fn outcome(task: &Task, command: &Command) -> String {
    match decide(task, command, later()) {
        Err(fault) => match (fault.params.get("wanted"), fault.params.get("found")) {
            (Some(wanted), Some(found)) => format!("cannot {wanted} a task that is {found}"),
            _ => format!("{:?}", fault.code),
        },
        Ok(decision) if decision.events.is_empty() => match decision.effect {
            Some(effect) if effect.step == Step::Withdraw => "withdraw first".to_owned(),
            _ => "nothing to write".to_owned(),
        },
        Ok(decision) => {
            let after = number(task.seq, later(), &decision.events).iter().fold(task.clone(), evolve);
            after.state.name().as_str().to_owned()
        }
    }
}

#[track_caller]
fn check(given: &str, when: &str, then: &str) {
    let task = task_that_is(given);
    assert_eq!(outcome(&task, &command(when, &task)), then, "{when} on a task that is {given}");
}

#[test]
fn a_learner_may_do_this_in_each_state() {
    // edit, accept, redraft, reopen, retry, cancel
    let table: [(&str, [&str; 6]); STATES.len()] = [
        ("created", ["no", "no", "no", "no", "no", "cancelled"]),
        ("evidence_saved", ["no", "no", "no", "no", "no", "cancelled"]),
        ("awaiting_review", ["awaiting_review", "accepted", "evidence_saved", "rechecking", "no", "cancelled"]),
        (
            "awaiting_review without proposal",
            ["awaiting_review", "Expired", "evidence_saved", "rechecking", "no", "cancelled"],
        ),
        ("rechecking", ["no", "no", "no", "no", "no", "cancelled"]),
        ("accepted", ["no", "no", "no", "no", "no", "withdraw first"]),
        ("saved", ["no", "TooLate", "no", "no", "no", "TooLate"]),
        ("source_missing", ["no", "no", "no", "no", "created", "cancelled"]),
        ("source_unavailable", ["no", "no", "no", "no", "created", "cancelled"]),
        ("source_unavailable after accept", ["no", "no", "no", "no", "accepted", "withdraw first"]),
        ("draft_failed", ["no", "no", "no", "no", "evidence_saved", "cancelled"]),
        ("needs_checking", ["no", "no", "no", "no", "no", "withdraw first"]),
        ("needs_checking before a save", ["no", "no", "no", "no", "no", "cancelled"]),
        ("cancelled", ["no", "TooLate", "no", "no", "no", "TooLate"]),
    ];
    assert_eq!(table.map(|(state, _)| state), STATES, "every state is there");
    for (state, outcomes) in table {
        let found = task_that_is(state).state.name().as_str();
        for (verb, then) in ["edit", "accept", "redraft", "reopen", "retry", "cancel"].into_iter().zip(outcomes) {
            let then = if then == "no" { format!("cannot {verb} a task that is {found}") } else { then.to_owned() };
            // Too late says only what was found.
            check(state, verb, &then);
        }
    }
}

#[test]
fn a_worker_may_report_this_in_each_state() {
    // found, found moved, missing, unreachable for good, drafted, failed for good, saved
    let nothing = ["no"; 7];
    let table: [(&str, [&str; 7]); STATES.len()] = [
        (
            "created",
            [
                "evidence_saved",
                "evidence_saved",
                "source_missing",
                "source_unavailable",
                "no",
                "source_unavailable",
                "no",
            ],
        ),
        ("evidence_saved", ["no", "no", "no", "draft_failed", "awaiting_review", "draft_failed", "no"]),
        ("awaiting_review", nothing),
        ("awaiting_review without proposal", nothing),
        (
            "rechecking",
            ["awaiting_review", "awaiting_review", "awaiting_review", "awaiting_review", "no", "awaiting_review", "no"],
        ),
        (
            "accepted",
            ["accepted", "withdraw first", "withdraw first", "source_unavailable", "no", "needs_checking", "saved"],
        ),
        ("saved", nothing),
        ("source_missing", nothing),
        ("source_unavailable", nothing),
        // The save was sent before, and its confirmation comes late.
        ("source_unavailable after accept", ["no", "no", "no", "no", "no", "no", "saved"]),
        ("draft_failed", nothing),
        ("needs_checking", ["no", "no", "no", "no", "no", "no", "saved"]),
        ("needs_checking before a save", nothing),
        ("cancelled", nothing),
    ];
    assert_eq!(table.map(|(state, _)| state), STATES, "every state is there");
    let reports = ["found", "moved", "missing", "unreachable", "drafted", "failed", "saved"];
    for (state, outcomes) in table {
        let task = task_that_is(state);
        for (report, then) in reports.into_iter().zip(outcomes) {
            let outcome = outcome(&task, &command(report, &task));
            if then == "no" {
                assert!(outcome.starts_with("cannot "), "{report} on a task that is {state}: {outcome}");
            } else {
                assert_eq!(outcome, then, "{report} on a task that is {state}");
            }
        }
    }
}

#[test]
fn a_person_settles_what_is_uncertain() {
    for (given, verdict, then) in [
        ("needs_checking", Verdict::LookAgain, "accepted"),
        ("needs_checking", Verdict::WasSaved, "EntryNotFound"),
        ("needs_checking", Verdict::NotSavedSaveNow, "accepted"),
        ("needs_checking", Verdict::NotSavedStop, "withdraw first"),
        ("needs_checking before a save", Verdict::LookAgain, "created"),
        ("needs_checking before a save", Verdict::WasSaved, "cannot settle a save of a task that is needs_checking"),
        ("saved", Verdict::LookAgain, "cannot settle a task that is saved"),
    ] {
        let settle = Command::Settle { verdict, note: String::new(), found: None };
        assert_eq!(outcome(&task_that_is(given), &settle), then, "{verdict:?} on {given}");
    }
    for verdict in [Verdict::LookAgain, Verdict::WasSaved, Verdict::NotSavedSaveNow] {
        let task = task_that_is("needs_checking");
        let found = Some(saved_as(&task));
        assert_eq!(outcome(&task, &Command::Settle { verdict, note: String::new(), found }), "saved", "{verdict:?}");
    }
}

#[test]
fn a_withdrawal_ends_as_its_reason_says_unless_the_save_came_first() {
    let moved = Reason::Moved { evidence: evidence("2"), title: "Wheel".to_owned(), content: "new".to_owned() };
    for (given, reason, then) in [
        ("accepted", Reason::Cancel, "cancelled"),
        ("needs_checking", Reason::Stop { note: "enough".to_owned() }, "cancelled"),
        ("accepted", Reason::NotValid { notice: Problem::new("expired") }, "awaiting_review"),
        ("accepted", moved, "awaiting_review"),
        ("accepted", Reason::Gone { problem: Problem::new("record_withdrawn") }, "awaiting_review"),
        ("source_unavailable after accept", Reason::Cancel, "cancelled"),
    ] {
        let task = task_that_is(given);
        let done = Command::Withdrawn { reason: reason.clone(), outcome: Withdrawal::Done };
        assert_eq!(outcome(&task, &done), then, "{reason:?}");
        let late = Command::Withdrawn { reason, outcome: Withdrawal::TooLate(saved_as(&task)) };
        assert_eq!(outcome(&task, &late), "saved");
    }
}

#[test]
fn the_last_check_before_a_save_looks_at_requester_expiry_and_hash() {
    let task = task_that_is("accepted");
    let right = task.current().map(|d| d.hash.clone());
    let check = |requester_valid, stored_hash, now| {
        let decision = decide(&task, &Command::BeforeSave { requester_valid, stored_hash }, now).unwrap();
        match (decision.events.is_empty(), decision.effect.and_then(|e| e.reason)) {
            (true, None) => "save".to_owned(),
            (true, Some(reason)) => reason.as_str().to_owned(),
            (false, _) => decision.events[0].kind().to_owned(),
        }
    };
    let expired = later().plus(std::time::Duration::from_hours(60 * 24));
    assert_eq!(check(true, right.clone(), later()), "save");
    assert_eq!(check(false, right.clone(), later()), "not_valid");
    assert_eq!(check(true, right, expired), "not_valid");
    assert_eq!(check(true, Some(Hash::of("another text")), later()), "outcome_unknown");
    assert_eq!(check(true, None, later()), "outcome_unknown");
}

#[test]
fn an_effects_operation_survives_a_crash_and_a_retry_of_a_read_opens_a_new_one() {
    use domain::explanation::effect::due;
    let task = task_that_is("created");
    let failed = Command::StepFailed {
        step: Step::LookUp,
        problem: Problem::new("source_timed_out"),
        worth_retrying: true,
        asked: None,
        jitter: 0.5,
        usage: None,
    };
    let again = after(&task, &failed, later());
    assert_eq!(due(&task), due(&again), "another try is the same operation");
    let unavailable = task_that_is("source_unavailable");
    assert_ne!(due(&task), due(&after(&unavailable, &Command::Retry, later())), "a learner's retry is a new one");
    let accepted = task_that_is("source_unavailable after accept");
    let save = accepted.state.pending_save().unwrap().save_op;
    assert_eq!(due(&after(&accepted, &Command::Retry, later())).unwrap().op_id, save, "only accept makes a save");
}

#[test]
fn a_start_is_born_waiting_for_its_look_up() {
    let question = Question::parse("What should I bring?").unwrap();
    let record = RecordId::parse("wheel-throwing").unwrap();
    let started = start(UserId(Uuid::nil()), record, "Wheel".to_owned(), &question, Terms::default());
    let task = born(TaskId(Uuid::nil()), &number(0, NOON, &[started])[0]).unwrap();
    assert_eq!((task.seq, task.state.name().as_str()), (1, "created"));
}
