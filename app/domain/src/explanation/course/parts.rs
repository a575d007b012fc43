//! The account so far: which steps there are, and which one is meant.

use super::Line;
use crate::{
    course::{Outcome, StepAccount},
    explanation::{
        command::Reason,
        effect::{self, Effect, due, look_before_save},
        event::Event,
        state::Task,
    },
    fault::Problem,
    id::OpId,
    lease::Attempt,
};

/// The account so far.
#[derive(Default)]
pub(super) struct Parts {
    pub steps: Vec<Part>,
    /// The last event was a person's verdict: what is confirmed with it was found by looking.
    pub settled: bool,
}

pub(super) struct Part {
    pub account: StepAccount,
    /// The look that a save may need: no step until something is known of it.
    pub maybe: bool,
    /// It was put into a person's hands.
    pub unsure: bool,
}

impl Parts {
    /// What is due now has a place in the account; an attempt that goes on has it in hand.
    pub(super) fn open(&mut self, task: &Task, line: &Line) {
        let at = line.logged.at;
        if let Some(look) = look_before_save(task).filter(|look| self.of(look.op_id).is_none()) {
            let save = task.state.pending_save().map(|acceptance| acceptance.save_op);
            let place = self.steps.iter().position(|part| save.is_some() && part.account.op_id == save);
            let part = Part::new(look.step.as_str(), Some(look.op_id), line, true);
            self.steps.insert(place.unwrap_or(self.steps.len()), part);
        }
        let Some(due) = due(task) else { return };
        if self.of(due.op_id).is_none() {
            self.steps.push(Part::new(due.step.as_str(), Some(due.op_id), line, false));
        }
        let goes_on = matches!(line.logged.event, Event::SourceFound { .. } | Event::Rechecked { .. });
        if let Some(attempt) = line.attempt.filter(|_| goes_on) {
            let process = self.process(attempt);
            if let Some(account) = self.of(due.op_id) {
                account.is_held(attempt, process, at);
            }
        }
    }

    pub(super) fn withdrawal(&mut self, save: OpId, line: &Line) -> &mut StepAccount {
        let Effect { step, op_id, .. } = effect::withdrawal(save, Reason::Cancel);
        let known = self.steps.iter().position(|part| part.account.op_id == Some(op_id));
        let place = known.unwrap_or_else(|| {
            self.steps.push(Part::new(step.as_str(), Some(op_id), line, false));
            self.steps.len() - 1
        });
        let account = &mut self.steps[place].account;
        if let Some(attempt) = line.attempt {
            account.notes(attempt, None, line.logged.at);
        }
        account
    }

    pub(super) fn of(&mut self, op_id: OpId) -> Option<&mut StepAccount> {
        self.steps.iter_mut().find(|part| part.account.op_id == Some(op_id)).map(|part| &mut part.account)
    }

    /// By operation; by the last step of that name where a line does not name a known one.
    pub(super) fn part_of(&mut self, op_id: Option<OpId>, step: &str) -> Option<&mut Part> {
        let by_op = self.steps.iter().rposition(|part| op_id.is_some() && part.account.op_id == op_id);
        let place = by_op.or_else(|| self.steps.iter().rposition(|part| part.account.step == step))?;
        self.steps.get_mut(place)
    }

    pub(super) fn newest_evidence(&mut self) -> Option<&mut StepAccount> {
        let brought = |part: &Part| {
            part.account.result.as_ref().is_some_and(|r| r.code == "record_found" || r.code == "record_changed")
        };
        self.steps.iter_mut().rfind(|part| brought(part)).map(|part| &mut part.account)
    }

    fn process(&self, attempt: Attempt) -> Option<String> {
        let mut held = self.steps.iter().flat_map(|part| &part.account.attempts);
        held.find(|held| held.attempt == attempt).and_then(|held| held.process.clone())
    }

    pub(super) fn end(self, held: bool) -> Vec<StepAccount> {
        let known = self.steps.into_iter().filter(|part| !part.maybe);
        known
            .map(|Part { mut account, .. }| {
                if account.outcome == Outcome::Running && !held {
                    account.outcome = Outcome::Waiting;
                }
                account
            })
            .collect()
    }
}

impl Part {
    pub(super) fn new(step: &str, op_id: Option<OpId>, line: &Line, maybe: bool) -> Self {
        Self { account: StepAccount::opened(step, op_id, line.logged.at), maybe, unsure: false }
    }
}

impl StepAccount {
    /// The end of its tries, or a problem that no try would mend.
    pub(super) fn fails(&mut self, problem: &Problem, line: &Line) {
        self.tries += u32::from(problem.params.contains_key("tries"));
        self.came_to_by(Outcome::Failed, &problem.code, line.logged.at);
    }
}
