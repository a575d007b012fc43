//! Laws that hold for every history: a random stream of commands against the rules.

use std::{collections::BTreeSet, time::Duration};

use domain::{
    explanation::{
        Command, Event, State, Task, command::Withdrawal, course, course::Line, decide, decide::number, event::Logged,
        evolve, replay,
    },
    time::Timestamp,
};
use proptest::prelude::*;

use crate::world::*;

/// Carries a command out the way the engine does: a withdrawal is asked for first, and `raced`
/// says whether the save had come before it.
fn play(task: &Task, word: &str, raced: bool, now: Timestamp) -> Vec<Event> {
    let command = command(word, task);
    let Ok(decision) = decide(task, &command, now) else { return Vec::new() };
    match decision.effect.and_then(|effect| effect.reason) {
        Some(reason) if decision.events.is_empty() => {
            let outcome = if raced { Withdrawal::TooLate(saved_as(task)) } else { Withdrawal::Done };
            decide(task, &Command::Withdrawn { reason, outcome }, now).unwrap().events
        }
        _ => decision.events,
    }
}

fn history(words: &[(usize, bool)]) -> (Vec<Logged>, Vec<Task>) {
    let first = task_that_is("created");
    let started = Event::Started {
        owner: first.owner,
        record_id: first.record_id.clone(),
        title: first.title.clone(),
        question: first.question.clone(),
        terms: first.terms,
    };
    let (mut log, mut tasks) = (number(0, NOON, &[started]), vec![first]);
    for (step, (word, raced)) in words.iter().enumerate() {
        let task = tasks.last().unwrap().clone();
        let now = NOON.plus(Duration::from_secs(step as u64 + 1));
        let events = number(task.seq, now, &play(&task, COMMANDS[word % COMMANDS.len()], *raced, now));
        tasks.push(events.iter().fold(task, evolve));
        log.extend(events);
    }
    (log, tasks)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_history_keeps_the_laws(words in prop::collection::vec((0usize..COMMANDS.len(), any::<bool>()), 0..40)) {
        let (log, tasks) = history(&words);
        let last = tasks.last().unwrap();

        // The log alone gives the state, and the state survives being written down.
        let replayed = replay(last.id, &log);
        prop_assert_eq!(replayed.as_ref(), Some(last));
        let written = serde_json::to_value(last).unwrap();
        prop_assert_eq!(&serde_json::from_value::<Task>(written).unwrap(), last);
        let log_written = serde_json::to_value(&log).unwrap();
        prop_assert_eq!(&serde_json::from_value::<Vec<Logged>>(log_written).unwrap(), &log);

        // The account tells of each step once, and nothing goes on in a task that has ended.
        let lines: Vec<Line> = log.iter().map(|l| Line { logged: l.clone(), attempt: None, op_id: None }).collect();
        let steps = course(last.id, &lines, false);
        let ops: BTreeSet<_> = steps.iter().map(|step| step.op_id).collect();
        prop_assert_eq!(ops.len(), steps.len());
        let all_ended = steps.iter().all(|step| step.outcome.is_end());
        prop_assert!(all_ended || !last.state.name().phase().is_finished(), "{steps:?}");

        // Places in the log and versions count from 1 without a gap.
        prop_assert!(log.iter().enumerate().all(|(n, l)| l.seq == n as u64 + 1));
        prop_assert!(last.known.drafts.iter().enumerate().all(|(n, d)| d.version as usize == n + 1));

        for pair in tasks.windows(2) {
            let (before, now) = (&pair[0], &pair[1]);
            prop_assert!(before.seq <= now.seq);
            prop_assert!(now.known.drafts.starts_with(&before.known.drafts), "drafts are only added");
            prop_assert!(now.known.evidence.starts_with(&before.known.evidence), "evidence is only added");
            // What has finished never moves again.
            if before.state.name().phase().is_finished() {
                prop_assert_eq!(before, now);
            }
        }
        for task in &tasks {
            // What may be accepted is the newest version on the newest evidence.
            if let State::AwaitingReview { proposal: Some(p) } = &task.state {
                prop_assert_eq!(Some(p.draft_version), task.current().map(|d| d.version));
                prop_assert_eq!(Some(&p.draft_hash), task.current().map(|d| &d.hash));
                prop_assert_eq!(Some(&p.source_version), task.newest_evidence().map(|e| &e.source_version));
            }
            // What was saved is a version that was there.
            if let State::Saved { draft_version, hash, accepted_at, .. } = &task.state {
                prop_assert!(task.known.drafts.iter().any(|d| d.version == *draft_version && d.hash == *hash));
                let accepted = log.iter().rev().find(|l| l.event.kind() == "accepted");
                prop_assert_eq!(*accepted_at, accepted.map(|l| l.at), "when it was accepted is kept");
            }
            // A step under way was opened before it failed for the first time.
            if let Some(used) = task.state.used() {
                prop_assert!(used.opened_at.is_some_and(|opened| opened <= used.since));
            }
        }
        // At most one save is confirmed, and none before an acceptance.
        let saves = log.iter().filter(|l| l.event.kind() == "save_confirmed").count();
        let accepts = log.iter().filter(|l| l.event.kind() == "accepted").count();
        prop_assert!(saves <= 1 && saves <= accepts);
    }
}
