//! Tasks in every state, made the way they come about: by commands.

use std::time::Duration;

use domain::{
    explanation::{
        Command, Event, EvidenceRef, Looked, Step, Task,
        command::SavedAs,
        decide,
        decide::{number, start},
        evolve,
        evolve::born,
    },
    fault::Problem,
    id::{EntryId, RecordId, SourceVersion, TaskId, UserId},
    intent::Verdict,
    record::Observation,
    retry::Terms,
    text::{Hash, Question},
    time::Timestamp,
};
use uuid::Uuid;

pub const NOON: Timestamp = Timestamp::EPOCH;

/// An hour after everything that has happened: nothing is the same instant by accident.
pub fn later() -> Timestamp {
    NOON.plus(Duration::from_hours(1))
}

/// All states, some with their variants.
pub const STATES: [&str; 14] = [
    "created",
    "evidence_saved",
    "awaiting_review",
    "awaiting_review without proposal",
    "rechecking",
    "accepted",
    "saved",
    "source_missing",
    "source_unavailable",
    "source_unavailable after accept",
    "draft_failed",
    "needs_checking",
    "needs_checking before a save",
    "cancelled",
];

/// All commands that a table may name.
pub const COMMANDS: [&str; 15] = [
    "edit",
    "accept",
    "redraft",
    "reopen",
    "retry",
    "cancel",
    "found",
    "moved",
    "missing",
    "unreachable",
    "drafted",
    "failed",
    "saved",
    "look again",
    "stop",
];

/// What a source showed, at a version.
pub fn evidence(version: &str) -> EvidenceRef {
    let seen = Observation {
        title: "Wheel".to_owned(),
        content: format!("as version {version} says"),
        source_version: SourceVersion(version.to_owned()),
    };
    EvidenceRef::of("test", "fixture", &seen, NOON)
}

/// The entry that the library would have for the pending save.
pub fn saved_as(task: &Task) -> SavedAs {
    let draft = task.current().unwrap();
    SavedAs { entry_id: EntryId(Uuid::nil()), draft_version: draft.version, hash: draft.hash.clone(), saved_at: NOON }
}

/// The task after a command that is allowed.
pub fn after(task: &Task, command: &Command, now: Timestamp) -> Task {
    let decision = decide(task, command, now).unwrap();
    number(task.seq, now, &decision.events).iter().fold(task.clone(), evolve)
}

/// A command by the word that the tables use, fitting `task` where it can.
pub fn command(word: &str, task: &Task) -> Command {
    let current = task.current();
    let version = current.map_or(1, |d| d.version);
    let hash = current.map_or_else(|| Hash::of(""), |d| d.hash.clone());
    let source = task.newest_evidence().map_or_else(|| SourceVersion(String::new()), |e| e.source_version.clone());
    let found = |v: &str| Command::Looked(Looked::Found { evidence: evidence(v), title: "Wheel".to_owned() });
    let failed = |step, code| Command::StepFailed {
        step,
        problem: Problem::new(code),
        worth_retrying: false,
        asked: None,
        jitter: 0.0,
        usage: None,
    };
    match word {
        "edit" => Command::Edit { base_version: version, hash: Hash::of("mine") },
        "accept" => Command::Accept { draft_version: version, draft_hash: hash, seen_source_version: source },
        "redraft" => Command::Redraft { base_version: version },
        "reopen" => Command::Reopen,
        "retry" => Command::Retry,
        "cancel" => Command::Cancel { in_flight: false },
        "found" => found("1"),
        "moved" => found("2"),
        "missing" => Command::Looked(Looked::Missing(Problem::new("record_not_found"))),
        "unreachable" => failed(Step::Recheck, "source_refused"),
        "drafted" => Command::Drafted {
            hash: Hash::of("drafted"),
            produced_by: "test".to_owned(),
            simulated: true,
            incomplete: false,
            usage: None,
        },
        "failed" => failed(Step::Save, "refused"),
        "look again" | "stop" => Command::Settle {
            verdict: if word == "stop" { Verdict::NotSavedStop } else { Verdict::LookAgain },
            note: String::new(),
            found: None,
        },
        "saved" => Command::SaveConfirmed {
            saved: SavedAs { entry_id: EntryId(Uuid::nil()), draft_version: version, hash, saved_at: NOON },
            found: false,
        },
        other => panic!("no command is called {other}"),
    }
}

/// A task in a state, by its name.
pub fn task_that_is(state: &str) -> Task {
    let via = |from: &str, word: &str| {
        let task = task_that_is(from);
        after(&task, &command(word, &task), NOON)
    };
    let uncertain = |from: &str| {
        let task = task_that_is(from);
        let event = Event::OutcomeUnknown { problem: Problem::new("uncertain") };
        number(task.seq, NOON, &[event]).iter().fold(task, evolve)
    };
    match state {
        "created" => {
            let question = Question::parse("What should I bring?").unwrap();
            let record = RecordId::parse("wheel-throwing").unwrap();
            let started = start(UserId(Uuid::nil()), record, "Wheel".to_owned(), &question, Terms::default());
            born(TaskId(Uuid::nil()), &number(0, NOON, &[started])[0]).unwrap()
        }
        "evidence_saved" => via("created", "found"),
        "awaiting_review" => via("evidence_saved", "drafted"),
        "awaiting_review without proposal" => via("rechecking", "missing"),
        "rechecking" => via("awaiting_review", "reopen"),
        "accepted" => via("awaiting_review", "accept"),
        "saved" => via("accepted", "saved"),
        "source_missing" => via("created", "missing"),
        "source_unavailable" => via("created", "unreachable"),
        "source_unavailable after accept" => via("accepted", "unreachable"),
        "draft_failed" => via("evidence_saved", "failed"),
        "needs_checking" => via("accepted", "failed"),
        "needs_checking before a save" => uncertain("created"),
        "cancelled" => via("awaiting_review", "cancel"),
        other => panic!("no state is called {other}"),
    }
}
