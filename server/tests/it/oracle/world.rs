//! The oracle: Mooring in memory. The rules are the real ones; ledger, leases, log and library are maps,
//! written down once more from the contract and not from the SQL.

use std::{collections::BTreeMap, time::Duration};

use domain::{
    explanation::{Event, Step, Task, command::Reason, decide::number, effect, event::Logged, evolve, evolve::born},
    id::{OpId, TaskId, UserId},
    operation::{Answer, OpState},
    retry::Terms,
    text::Hash,
    time::Timestamp,
};

use super::{script::LibraryCalls, shelf::Shelf};

/// Silence for this long loses a task. So long that no heart beats during a test.
pub const LEASE: Duration = Duration::from_mins(10);

/// Budgets small enough to be used up, waits long enough that only the given clock ends them.
pub const TERMS: Terms = Terms {
    tries: 2,
    within_s: 3 * 3600,
    model_calls: 5,
    model_tokens: 1_000_000,
    backoff_ms: 20_000,
    backoff_cap_s: 120,
    proposal_s: 30 * 24 * 3600,
    fresh_s: 24 * 3600,
};

/// Everything there is.
#[derive(Debug)]
pub struct World {
    pub now: Timestamp,
    /// What new tasks are started on.
    pub terms: Terms,
    pub rows: BTreeMap<TaskId, Row>,
    pub ledger: BTreeMap<(TaskId, OpId), Operation>,
    pub shelf: Shelf,
    pub calls: Calls,
}

/// Calls to the outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    pub source: u64,
    pub model: u64,
    pub library: LibraryCalls,
}

/// A task, its log and texts, and who holds it.
#[derive(Clone, Debug)]
pub struct Row {
    pub task: Task,
    pub log: Vec<(Logged, Option<OpId>)>,
    pub contents: Vec<String>,
    pub texts: Vec<String>,
    pub attempt: u32,
    pub lease_until: Option<Timestamp>,
    pub due_at: Option<Timestamp>,
    pub active: Option<Step>,
    /// A promised withdrawal, which goes before everything else.
    pub withdrawing: Option<OpId>,
    pub updated_at: Timestamp,
}

/// A line of the ledger.
#[derive(Clone, Debug)]
pub struct Operation {
    pub owner: UserId,
    pub kind: String,
    /// Only of a learner's.
    pub fingerprint: Option<Hash>,
    pub state: OpState,
    pub answer: Option<Answer>,
    /// Why a save is withdrawn, and on whose word.
    pub reason: Option<(Reason, Option<OpId>)>,
}

/// A transition of the oracle.
pub struct Writing<'a> {
    pub events: &'a [Event],
    pub at: Timestamp,
    pub op: OpId,
    pub text: Option<&'a str>,
    /// The holder goes on.
    pub keep: bool,
}

impl World {
    pub fn new(now: Timestamp, terms: Terms) -> Self {
        Self {
            now,
            terms,
            rows: BTreeMap::new(),
            ledger: BTreeMap::new(),
            shelf: Shelf::default(),
            calls: Calls::default(),
        }
    }

    pub fn row(&mut self, task: TaskId) -> &mut Row {
        self.rows.get_mut(&task).expect("the oracle only speaks of tasks that it has")
    }

    /// A task that begins.
    pub fn start(&mut self, id: TaskId, started: Event, op: OpId) {
        let logged = number(0, self.now, &[started]).remove(0);
        let task = born(id, &logged).expect("a task begins with `started`");
        let row = Row {
            task,
            log: vec![(logged, Some(op))],
            contents: Vec::new(),
            texts: Vec::new(),
            attempt: 0,
            lease_until: None,
            due_at: Some(self.now),
            active: None,
            withdrawing: None,
            updated_at: self.now,
        };
        self.rows.insert(id, row);
    }

    /// Events follow. Unless its holder goes on, nobody holds the task afterwards and a holder till now is
    /// no longer heard.
    pub fn write(&mut self, id: TaskId, writing: &Writing<'_>) {
        let row = self.row(id);
        for logged in number(row.task.seq, writing.at, writing.events) {
            match &logged.event {
                Event::SourceFound { .. } | Event::SourceChanged { .. } => row.contents.extend(owned(writing.text)),
                Event::DraftProduced { .. } | Event::Edited { .. } => row.texts.extend(owned(writing.text)),
                _ => {}
            }
            row.task = evolve(row.task.clone(), &logged);
            row.log.push((logged, Some(writing.op)));
        }
        let due = effect::due(&row.task).map(|effect| effect.step);
        row.updated_at = writing.at;
        row.withdrawing = None;
        row.active = due;
        if !writing.keep {
            row.attempt += u32::from(row.lease_until.is_some());
            row.lease_until = None;
            row.due_at = due.map(|_| next_try(writing.events).unwrap_or(writing.at));
        }
    }

    /// Back unharmed, if this attempt still holds it.
    pub fn hand_back(&mut self, id: TaskId, fence: u32, wait: Duration) {
        let due = self.now.plus(wait);
        let row = self.row(id);
        if row.attempt == fence && row.lease_until.is_some() {
            row.lease_until = None;
            row.due_at = Some(due);
            row.attempt += 1;
        }
    }

    /// A result came too late: noted once an attempt, changing nothing.
    pub fn note_late(&mut self, id: TaskId, fence: u32, step: Step, op: OpId) {
        let at = self.now;
        let row = self.row(id);
        let late =
            |(l, _): &(Logged, _)| matches!(&l.event, Event::LateResultDiscarded { attempt, .. } if *attempt == fence);
        if row.attempt <= fence || row.log.iter().any(late) {
            return;
        }
        row.task.seq += 1;
        let event = Event::LateResultDiscarded { step: step.as_str().to_owned(), attempt: fence };
        row.log.push((Logged { seq: row.task.seq, at, event }, Some(op)));
    }

    /// Takes the task for a new attempt.
    pub fn hold(&mut self, id: TaskId) -> u32 {
        let until = self.now.plus(LEASE);
        let row = self.row(id);
        row.attempt += 1;
        row.lease_until = Some(until);
        row.due_at = Some(until);
        row.attempt
    }

    /// A save is to be withdrawn: promised with its reason before the library is asked. A learner's word is
    /// not replaced by another reason.
    pub fn promise(&mut self, id: TaskId, op: OpId, reason: Reason, command: Option<OpId>) -> u32 {
        let row = self.row(id);
        row.withdrawing = Some(op);
        row.active = Some(Step::Withdraw);
        let owner = row.task.owner;
        let promised = self.effect(id, owner, op, Step::Withdraw, OpState::Intended);
        let kept = matches!(promised.reason, Some((Reason::Cancel | Reason::Stop { .. }, _)));
        if promised.state != OpState::Done && !kept {
            promised.state = OpState::Intended;
            promised.reason = Some((reason, command));
        }
        self.hold(id)
    }

    /// The line of an effect, new in this state if it was not there.
    pub fn effect(&mut self, id: TaskId, owner: UserId, op: OpId, step: Step, state: OpState) -> &mut Operation {
        self.ledger.entry((id, op)).or_insert_with(|| Operation {
            owner,
            kind: step.as_str().to_owned(),
            fingerprint: None,
            state,
            answer: None,
            reason: None,
        })
    }

    /// How an effect stands now. What has ended stays as it ended.
    pub fn effect_is(&mut self, id: TaskId, op: OpId, step: Step, state: OpState) {
        let owner = self.row(id).task.owner;
        let line = self.effect(id, owner, op, step, state);
        if !matches!(line.state, OpState::Done | OpState::Failed) {
            line.state = state;
        }
    }

    /// The answer to a learner's operation.
    pub fn answer(&mut self, id: TaskId, op: OpId, owner: UserId, verb: &str, print: &Hash, answer: Answer) {
        let state = if matches!(answer, Answer::Done(_)) { OpState::Done } else { OpState::Failed };
        let line = Operation {
            owner,
            kind: verb.to_owned(),
            fingerprint: Some(print.clone()),
            state,
            answer: Some(answer),
            reason: None,
        };
        self.ledger.insert((id, op), line);
    }
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

fn next_try(events: &[Event]) -> Option<Timestamp> {
    events.iter().find_map(|event| match event {
        Event::TryFailed { next_try_at, .. } => Some(*next_try_at),
        _ => None,
    })
}
