//! A log that is being written, and its account in words that a table can hold.

use std::time::Duration;

use domain::{
    approval::{Action, Proposal, Target},
    course::StepAccount,
    explanation::{
        Event, Step, Task, course,
        course::Line,
        effect::{due, look_before_save},
        event::Logged,
        evolve,
        evolve::born,
    },
    fault::Problem,
    id::{EntryId, OpId, SourceVersion, UserId},
    intent::Verdict,
    snapshot::Author,
    text::Hash,
    time::Timestamp,
};
use uuid::Uuid;

use crate::world::*;

/// A log that is being written, with the task as far as it has come.
pub struct Log {
    pub task: Task,
    pub lines: Vec<Line>,
}

pub fn at(second: u64) -> Timestamp {
    NOON.plus(Duration::from_secs(second))
}

impl Log {
    /// Started in second 0.
    pub fn started() -> Self {
        let task = task_that_is("created");
        let event = Event::Started {
            owner: task.owner,
            record_id: task.record_id.clone(),
            title: task.title.clone(),
            question: task.question.clone(),
            terms: task.terms,
        };
        let logged = Logged { seq: 1, at: NOON, event };
        let task = born(task.id, &logged).unwrap();
        Self { task, lines: vec![Line { logged, attempt: None, op_id: Some(learners()) }] }
    }

    pub fn line(mut self, second: u64, attempt: Option<u32>, op_id: Option<OpId>, event: Event) -> Self {
        let logged = Logged { seq: self.task.seq + 1, at: at(second), event };
        self.task = evolve(self.task, &logged);
        self.lines.push(Line { logged, attempt, op_id });
        self
    }

    pub fn learner(self, second: u64, event: Event) -> Self {
        self.line(second, None, Some(learners()), event)
    }

    /// What a worker wrote of the step that was due.
    pub fn worker(self, second: u64, attempt: u32, event: Event) -> Self {
        let op = due(&self.task).map(|effect| effect.op_id);
        self.line(second, Some(attempt), op, event)
    }

    pub fn claimed(self, second: u64, attempt: u32, process: &str) -> Self {
        let effect = due(&self.task).unwrap();
        let event = Event::Claimed { process: process.to_owned(), attempt, step: effect.step.as_str().to_owned() };
        self.line(second, Some(attempt), Some(effect.op_id), event)
    }

    pub fn claimed_to_look(self, second: u64, attempt: u32, process: &str) -> Self {
        let look = look_before_save(&self.task).unwrap();
        let event = Event::Claimed { process: process.to_owned(), attempt, step: look.step.as_str().to_owned() };
        self.line(second, Some(attempt), Some(look.op_id), event)
    }

    /// In review at second 3, by attempt 1 of `a`.
    pub fn reviewed() -> Self {
        Self::started().claimed(1, 1, "a").worker(2, 1, found(2, "7")).worker(3, 1, drafted(1)).worker(
            3,
            1,
            proposed(1),
        )
    }

    /// Accepted in second 9.
    pub fn accepted() -> Self {
        let source_version = SourceVersion("7".to_owned());
        Self::reviewed().learner(9, Event::Accepted { draft_version: 1, hash: Hash::of("1"), source_version })
    }

    pub fn save_op(&self) -> OpId {
        self.task.state.pending_save().unwrap().save_op
    }

    pub fn withdrawn(self, second: u64, reason: &str, notice: Option<Problem>) -> Self {
        let save_op = self.save_op();
        let reason = reason.to_owned();
        self.line(second, Some(9), Some(learners()), Event::SaveWithdrawn { save_op, reason, notice })
    }

    pub fn account(&self, held: bool) -> Vec<String> {
        course(self.task.id, &self.lines, held).iter().map(told).collect()
    }
}

pub fn learners() -> OpId {
    OpId(Uuid::from_u128(7))
}

pub fn found(second: u64, version: &str) -> Event {
    let mut seen = evidence(version);
    seen.observed_at = at(second);
    Event::SourceFound { evidence: seen, title: "Wheel".to_owned() }
}

pub fn moved(second: u64, version: &str) -> Event {
    let mut seen = evidence(version);
    seen.observed_at = at(second);
    Event::SourceChanged { evidence: seen, title: "Wheel".to_owned() }
}

pub fn drafted(version: u32) -> Event {
    let draft = domain::explanation::DraftRef {
        version,
        author: Author::Model,
        produced_by: "rules".to_owned(),
        simulated: true,
        usage: None,
        hash: Hash::of(&version.to_string()),
        on_source_version: SourceVersion("7".to_owned()),
        created_at: NOON,
    };
    Event::DraftProduced { draft, incomplete: false }
}

pub fn proposed(version: u32) -> Event {
    let proposal = Proposal {
        action: Action::SaveToLibrary,
        target: Target::Library,
        draft_version: version,
        draft_hash: Hash::of(&version.to_string()),
        source_version: SourceVersion("7".to_owned()),
        requester: UserId(Uuid::nil()),
        expires_at: at(1_000_000),
    };
    Event::Proposed { proposal }
}

pub fn failed(step: Step, code: &str, tries: u32, next: u64) -> Event {
    Event::TryFailed { step, code: code.to_owned(), tries, next_try_at: at(next), usage: None }
}

pub fn saved(found: bool) -> Event {
    let entry_id = EntryId(Uuid::nil());
    Event::SaveConfirmed { entry_id, draft_version: 1, hash: Hash::of("1"), saved_at: NOON, found }
}

pub fn unknown(code: &str) -> Event {
    Event::OutcomeUnknown { problem: Problem::new(code) }
}

pub fn settled(verdict: Verdict, note: &str) -> Event {
    Event::Settled { verdict, note: note.to_owned() }
}

pub fn cancelled(unknown: &[&str]) -> Event {
    Event::Cancelled { done: Vec::new(), unknown: unknown.iter().map(|&step| step.to_owned()).collect() }
}

/// A step in one line: what, how it ended, why, who, when it was seen, where it was used again,
/// what people said.
pub fn told(step: &StepAccount) -> String {
    let seconds = |t: Timestamp| t.since(NOON).as_secs();
    let word = |value: serde_json::Value| value.as_str().unwrap().to_owned();
    let mut parts = vec![format!("{} {}", step.step, word(serde_json::to_value(step.outcome).unwrap()))];
    if 0 < step.tries {
        parts.push(format!("{} failed", step.tries));
    }
    if !step.why.is_empty() {
        parts.push(step.why.join("+"));
    }
    if let Some(next) = step.next_try_at {
        parts.push(format!("next {}", seconds(next)));
    }
    for held in &step.attempts {
        let late = held.too_late_at.map(|t| format!(" too late {}", seconds(t))).unwrap_or_default();
        parts.push(format!("{}:{}{late}", held.attempt, held.process.as_deref().unwrap_or("-")));
    }
    if let Some(seen) = step.observed_at {
        parts.push(format!("seen {}", seconds(seen)));
    }
    for again in &step.reused {
        parts.push(format!("again by {} ({})", again.attempt, word(serde_json::to_value(again.why).unwrap())));
    }
    for said in &step.verdicts {
        parts.push(format!("{} '{}'", word(serde_json::to_value(said.verdict).unwrap()), said.note));
    }
    parts.extend(step.result.iter().map(|result| result.code.clone()));
    parts.join(", ")
}
