//! The state diagram, in the README and on the page about Mooring, is drawn from the code: every
//! arrow, and no other.

use std::collections::BTreeSet;

use domain::explanation::{Command, State, StateName, Step, command::Withdrawal, decide};

use crate::world::*;

fn arrows() -> BTreeSet<String> {
    let mut arrows = BTreeSet::new();
    for state in STATES {
        let task = task_that_is(state);
        for word in COMMANDS {
            let command = command(word, &task);
            let Ok(decision) = decide(&task, &command, later()) else { continue };
            let ends = match decision.effect.filter(|e| e.step == Step::Withdraw && decision.events.is_empty()) {
                Some(withdrawal) => [Withdrawal::Done, Withdrawal::TooLate(saved_as(&task))]
                    .map(|outcome| Command::Withdrawn { reason: withdrawal.reason.clone().unwrap(), outcome })
                    .map(|ended| after(&task, &ended, later()))
                    .to_vec(),
                None => vec![after(&task, &command, later())],
            };
            for end in ends {
                let (from, to) = (task.state.name().as_str(), end.state.name().as_str());
                if from != to {
                    arrows.insert(format!("    {from} --> {to}"));
                }
            }
        }
        // A payload that cannot be read is put into a person's hands, whatever the state.
        if !task.state.name().phase().is_finished() && task.state.problem().is_none_or(|p| p.code != "uncertain") {
            let from = task.state.name().as_str();
            if from != "needs_checking" {
                arrows.insert(format!("    {from} --> needs_checking"));
            }
        }
        // A person may look again, which leads to wherever the task was.
        if let State::NeedsChecking { before, .. } = &task.state {
            arrows.insert(format!("    needs_checking --> {}", before.name().as_str()));
        }
    }
    arrows
}

#[test]
fn the_table_that_screens_draw_from_holds_the_same_arrows() {
    let mut drawn = BTreeSet::new();
    for from in StateName::ALL {
        for to in from.next() {
            assert!(drawn.insert(format!("    {} --> {}", from.as_str(), to.as_str())), "{from:?} {to:?} comes twice");
        }
    }
    assert_eq!(drawn, arrows());
}

#[test]
fn the_readme_draws_the_states_as_they_are() {
    let readme = include_str!("../../../README.md");
    let drawn = readme.split("```mermaid\nstateDiagram-v2\n").nth(1).and_then(|rest| rest.split("```").next());
    let drawn: BTreeSet<String> = drawn
        .unwrap_or_default()
        .lines()
        .filter(|l| l.contains("-->") && !l.contains("[*]"))
        .map(str::to_owned)
        .collect();
    let arrows = arrows();
    let wanted = arrows.iter().cloned().collect::<Vec<_>>().join("\n");
    assert_eq!(drawn, arrows, "the diagram should hold exactly these arrows:\n{wanted}");
}
