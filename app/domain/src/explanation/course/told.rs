//! What each event says of the step that it is about.

use std::time::Duration;

use super::{
    Line,
    parts::{Part, Parts},
};
use crate::{
    course::{Finding, Occasion, Outcome, Reuse, Settlement, StepAccount},
    explanation::{
        effect::{Effect, Step, due, look_before_save},
        event::{Event, Recheck},
        state::{EvidenceRef, Task},
    },
    fault::Problem,
    id::OpId,
    intent::Verdict,
    lease::Attempt,
};

/// What was so before an event.
pub(super) struct Was {
    due: Option<Effect>,
    look: Option<Effect>,
    save: Option<OpId>,
}

impl Was {
    pub(super) fn of(task: &Task) -> Self {
        Self {
            due: due(task),
            look: look_before_save(task),
            save: task.state.pending_save().map(|acceptance| acceptance.save_op),
        }
    }
}

impl Parts {
    pub(super) fn hear(&mut self, was: &Was, task: &Task, line: &Line) {
        let at = line.logged.at;
        match &line.logged.event {
            Event::Claimed { process, attempt, step } => self.claimed(was, task, line, (process, *attempt, step)),
            Event::SourceFound { evidence, .. } => self.looked(was, evidence, "record_found", line),
            Event::SourceChanged { evidence, .. } => self.looked(was, evidence, "record_changed", line),
            Event::SourceMissing { problem } | Event::DraftFailed { problem, .. } => {
                self.gave_up(was.due.as_ref(), problem, line);
            }
            // Before a save it is the look that was given up, not the save.
            Event::SourceFailed { problem } => {
                self.gave_up(was.look.as_ref().or(was.due.as_ref()), problem, line);
            }
            Event::Rechecked { outcome, at: seen, problem } => {
                let Some(look) = self.look(was) else { return };
                match (outcome, problem) {
                    (Recheck::Unavailable, Some(problem)) => look.fails(problem, line),
                    (Recheck::Unavailable, None) => look.came_to(Outcome::Failed, at),
                    (Recheck::Gone, _) => look.brought(Finding::new("record_gone"), at),
                    (Recheck::Same, _) => {
                        look.brought(Finding::new("record_same"), at);
                        look.observed_at = Some(*seen);
                    }
                }
            }
            Event::TryFailed { step, code, next_try_at, .. } => {
                let of = if *step == Step::Recheck { was.look.as_ref().or(was.due.as_ref()) } else { was.due.as_ref() };
                let Some(account) = of.and_then(|effect| self.of(effect.op_id)) else { return };
                account.tries += 1;
                account.came_to_by(Outcome::Retrying, code, at);
                if at < *next_try_at {
                    account.next_try_at = Some(*next_try_at);
                } else if let Some(attempt) = line.attempt {
                    account.is_held(attempt, None, at);
                }
            }
            Event::DraftProduced { draft, .. } => {
                let result =
                    Finding::new("draft_written").with("version", draft.version).with("by", &draft.produced_by);
                if let Some(account) = was.due.as_ref().and_then(|effect| self.of(effect.op_id)) {
                    account.brought(result, at);
                }
            }
            Event::SaveConfirmed { draft_version, entry_id, found, .. } => {
                let result = Finding::new("saved").with("version", draft_version).with("entry", entry_id);
                self.saved(was, result, *found, line);
            }
            Event::SaveWithdrawn { save_op, reason, notice } => {
                let withdrawal = self.withdrawal(*save_op, line);
                withdrawal.brought(Finding::new("withdrawn").with("reason", reason), at);
                let why = notice.as_ref().map_or(reason, |notice| &notice.code);
                if let Some(save) = self.of(*save_op) {
                    save.came_to_by(Outcome::Skipped, why, at);
                }
            }
            Event::OutcomeUnknown { problem } => self.unknown(was, problem, line),
            Event::Settled { verdict, note } => self.settle(*verdict, note, line),
            Event::LateResultDiscarded { step, attempt } => {
                if let Some(part) = self.part_of(line.op_id, step)
                    && let Some(held) = part.account.notes(*attempt, None, at)
                {
                    held.too_late_at = Some(at);
                }
            }
            Event::Cancelled { unknown, .. } => {
                for part in self.steps.iter_mut().filter(|part| !part.maybe && !part.account.outcome.is_end()) {
                    let sent = unknown.contains(&part.account.step);
                    part.account.came_to_by(Outcome::Skipped, if sent { "sent_unknown" } else { "cancelled" }, at);
                }
            }
            // What a learner did opens steps, and that shows in what is due afterwards.
            Event::Started { .. }
            | Event::Edited { .. }
            | Event::RedraftAsked { .. }
            | Event::Reopened {}
            | Event::Proposed { .. }
            | Event::ProposalWithdrawn { .. }
            | Event::Accepted { .. }
            | Event::Retried {} => {}
        }
        self.settled = matches!(line.logged.event, Event::Settled { .. });
    }

    fn claimed(&mut self, was: &Was, task: &Task, line: &Line, (process, attempt, step): (&str, Attempt, &str)) {
        let at = line.logged.at;
        if step == Step::Withdraw.as_str()
            && let Some(save) = was.save
        {
            self.withdrawal(save, line).is_held(attempt, Some(process.to_owned()), at);
            return;
        }
        if step == Step::Save.as_str() {
            self.look_is_not_needed(was, task, line);
        }
        // Under an operation that the log does not explain, nothing that has ended begins again.
        let is_meant = |part: &&mut Part| part.account.op_id == line.op_id || !part.account.outcome.is_end();
        let Some(part) = self.part_of(line.op_id, step).filter(is_meant) else { return };
        part.maybe = false;
        let again = match part.account.outcome {
            Outcome::Retrying => Occasion::AnotherTry,
            _ if part.account.attempts.is_empty() => Occasion::AskedAnew,
            _ => Occasion::Interruption,
        };
        part.account.is_held(attempt, Some(process.to_owned()), at);
        if step == Step::Draft.as_str()
            && let Some(look) = self.newest_evidence()
        {
            look.reused.push(Reuse { attempt, at, why: again });
            look.outcome = Outcome::Reused;
        }
    }

    /// The save is taken while the evidence is still fresh: there is no need to look again.
    fn look_is_not_needed(&mut self, was: &Was, task: &Task, line: &Line) {
        let at = line.logged.at;
        let fresh = Duration::from_secs(task.terms.fresh_s.into());
        let Some(seen) = task.known.looked_at.filter(|seen| at < seen.plus(fresh)) else { return };
        let look = was.look.as_ref().map(|look| look.op_id);
        if let Some(part) = self.steps.iter_mut().find(|part| part.maybe && part.account.op_id == look) {
            part.maybe = false;
            part.account.came_to_by(Outcome::Skipped, "fresh_enough", at);
            part.account.observed_at = Some(seen);
        }
    }

    fn looked(&mut self, was: &Was, evidence: &EvidenceRef, code: &str, line: &Line) {
        let Some(look) = self.look(was) else { return };
        let result = Finding::new(code)
            .with("version", &evidence.source_version)
            .with("source", &evidence.source)
            .with("adapter", &evidence.adapter);
        look.brought(result, line.logged.at);
        look.observed_at = Some(evidence.observed_at);
    }

    /// The look that an answer of the source is about: the one due, or the one before a save; after
    /// a withdrawal neither is due any more, and it is the last one.
    fn look(&mut self, was: &Was) -> Option<&mut StepAccount> {
        let due = was.look.as_ref().or(was.due.as_ref()).map(|effect| effect.op_id);
        let last = self.steps.iter().rfind(|part| part.account.step == Step::Recheck.as_str());
        let op_id = due.or(last.and_then(|part| part.account.op_id))?;
        let part = self.steps.iter_mut().find(|part| part.account.op_id == Some(op_id))?;
        if part.account.outcome == Outcome::Skipped {
            // It was thought not to be needed; the save took its time, and then it was.
            part.account.why.clear();
        }
        part.maybe = false;
        Some(&mut part.account)
    }

    fn gave_up(&mut self, step: Option<&Effect>, problem: &Problem, line: &Line) {
        let Some(op_id) = step.map(|effect| effect.op_id) else { return };
        if let Some(part) = self.steps.iter_mut().find(|part| part.account.op_id == Some(op_id)) {
            part.maybe = false;
            part.account.fails(problem, line);
        }
    }

    fn saved(&mut self, was: &Was, result: Finding, found: bool, line: &Line) {
        let Some(save) = was.save else { return };
        if let Some(account) = self.of(save) {
            account.brought(result, line.logged.at);
            account.outcome = if found { Outcome::Reused } else { Outcome::Done };
        }
        if !self.settled && line.op_id != Some(save) {
            // Somebody wanted it back, and the library said that it was saved before.
            self.withdrawal(save, line).brought(Finding::new("saved_first"), line.logged.at);
        }
    }

    fn unknown(&mut self, was: &Was, problem: &Problem, line: &Line) {
        let op_id = was.due.as_ref().map(|effect| effect.op_id).or(was.save);
        let place = self.steps.iter().position(|part| op_id.is_some() && part.account.op_id == op_id);
        let place = place.unwrap_or_else(|| {
            self.steps.push(Part::new("settle", None, line, false));
            self.steps.len() - 1
        });
        let part = &mut self.steps[place];
        part.unsure = true;
        part.account.fails(problem, line);
        part.account.outcome = Outcome::NeedsPerson;
    }

    fn settle(&mut self, verdict: Verdict, note: &str, line: &Line) {
        let at = line.logged.at;
        let Some(part) = self.steps.iter_mut().rfind(|part| part.unsure) else { return };
        part.account.verdicts.push(Settlement { verdict, note: note.to_owned(), at });
        if part.account.outcome == Outcome::NeedsPerson {
            let goes_on = part.account.op_id.is_some();
            part.account.came_to(if goes_on { Outcome::Waiting } else { Outcome::Done }, at);
        }
    }
}
