//! How the steps of a task went, one by one: what a learner reads as "what happened", and what a
//! script asks for. Told from the log; the words are the screen's.

use serde::{Deserialize, Serialize};

use crate::{
    fault::Params,
    id::{OpId, Seq},
    intent::Verdict,
    lease::Attempt,
    snapshot::EventLine,
    time::Timestamp,
};

/// A task's log, and what it adds up to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// Oldest first; perhaps only the newest ones.
    pub events: Vec<EventLine>,
    /// In the order of the journey, always over the whole log.
    #[serde(default)]
    pub steps: Vec<StepAccount>,
}

impl Timeline {
    /// The place of the newest line.
    pub fn last_seq(&self) -> Seq {
        self.events.last().map_or(0, |event| event.seq)
    }

    /// Adds the answer to a question for what came after `after`. Answers may overtake each other:
    /// an older one adds no line twice, and its steps do not replace newer ones.
    pub fn add(&mut self, more: Self, after: Seq) {
        let known = self.last_seq();
        if known <= more.last_seq().max(after) {
            self.steps = more.steps;
        }
        self.events.extend(more.events.into_iter().filter(|event| known < event.seq));
    }
}

/// One step under one operation, from its opening to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepAccount {
    pub step: String,
    /// None where a task came into a person's hands outside of any step.
    pub op_id: Option<OpId>,
    pub outcome: Outcome,
    /// Tries that failed, whatever came of the step in the end.
    #[serde(default)]
    pub tries: u32,
    /// Codes: of the failed tries, oldest first, and of what ended the step unless it was done.
    #[serde(default)]
    pub why: Vec<String>,
    /// Who held the task for this step, oldest first: the winners of its claims.
    #[serde(default)]
    pub attempts: Vec<Holding>,
    pub opened_at: Timestamp,
    /// When it came to be as it is.
    pub at: Timestamp,
    /// When its result was seen at the source.
    pub observed_at: Option<Timestamp>,
    pub next_try_at: Option<Timestamp>,
    /// Where its stored result was used again instead of asking again.
    #[serde(default)]
    pub reused: Vec<Reuse>,
    /// What people said about an outcome that was not known.
    #[serde(default)]
    pub verdicts: Vec<Settlement>,
    pub result: Option<Finding>,
}

/// Where a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Opened, and nobody works on it.
    Waiting,
    /// Somebody works on it by a live lease.
    Running,
    /// A try failed, and there will be another.
    Retrying,
    Done,
    /// Done, and its stored result was used again; a save: found done, and not repeated.
    Reused,
    /// Not needed, or dropped.
    Skipped,
    /// Its tries are used up, or trying again is of no use.
    Failed,
    /// It is not known what came of it.
    NeedsPerson,
}

impl Outcome {
    /// Nothing more is to be expected of the step itself.
    pub fn is_end(self) -> bool {
        matches!(self, Self::Done | Self::Reused | Self::Skipped | Self::Failed)
    }
}

/// One attempt's part in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    pub attempt: Attempt,
    /// The process that won the claim; none where a learner's own request held the task.
    pub process: Option<String>,
    pub at: Timestamp,
    /// It had lost the task by then: its result came and was not used.
    pub too_late_at: Option<Timestamp>,
}

/// A stored result, used instead of asking again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reuse {
    pub attempt: Attempt,
    pub at: Timestamp,
    pub why: Occasion,
}

/// What a stored result was used again for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Occasion {
    /// Whoever worked on it stopped or died.
    Interruption,
    /// The step that needs it failed and was tried again.
    AnotherTry,
    /// The learner asked for a new result on the same ground.
    AskedAnew,
}

/// A person's word, as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settlement {
    pub verdict: Verdict,
    pub note: String,
    pub at: Timestamp,
}

/// What a step brought: a code of the kind of task, and facts. Never a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub code: String,
    #[serde(default)]
    pub params: Params,
}

impl Finding {
    pub fn new(code: &str) -> Self {
        Self { code: code.to_owned(), params: Params::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl std::fmt::Display) -> Self {
        self.params.insert(name.to_owned(), value.to_string());
        self
    }
}

impl StepAccount {
    /// A step that was opened and waits.
    pub fn opened(step: &str, op_id: Option<OpId>, at: Timestamp) -> Self {
        Self {
            step: step.to_owned(),
            op_id,
            outcome: Outcome::Waiting,
            tries: 0,
            why: Vec::new(),
            attempts: Vec::new(),
            opened_at: at,
            at,
            observed_at: None,
            next_try_at: None,
            reused: Vec::new(),
            verdicts: Vec::new(),
            result: None,
        }
    }

    /// It came to this.
    pub fn came_to(&mut self, outcome: Outcome, at: Timestamp) {
        self.outcome = outcome;
        self.at = at;
        self.next_try_at = None;
    }

    /// It came to this because of that.
    pub fn came_to_by(&mut self, outcome: Outcome, why: &str, at: Timestamp) {
        self.came_to(outcome, at);
        self.why.push(why.to_owned());
    }

    /// It brought this.
    pub fn brought(&mut self, result: Finding, at: Timestamp) {
        self.came_to(Outcome::Done, at);
        self.result = Some(result);
    }

    /// An attempt has it in hand.
    pub fn is_held(&mut self, attempt: Attempt, process: Option<String>, at: Timestamp) {
        self.came_to(Outcome::Running, at);
        self.notes(attempt, process, at);
    }

    /// An attempt had a part in it.
    pub fn notes(&mut self, attempt: Attempt, process: Option<String>, at: Timestamp) -> Option<&mut Holding> {
        if !self.attempts.iter().any(|held| held.attempt == attempt) {
            self.attempts.push(Holding { attempt, process: None, at, too_late_at: None });
        }
        let held = self.attempts.iter_mut().find(|held| held.attempt == attempt)?;
        held.process = held.process.take().or(process);
        Some(held)
    }
}
