//! What a learner's command is answered, and what it changes.

use std::time::Duration;

use app::api::error::ApiError;
use domain::{
    explanation::{Command, Step, decide, decide::start},
    fault::{Code, Fault},
    id::{OpId, RecordId, TaskId, UserId},
    intent::{Done, Intent, Wish},
    operation::{Answer, OpReceipt, OpState},
    text::{DraftText, Question},
};
use server::library::Found;

use super::{
    answered::saved_as,
    script::{Answers, Gate, Script},
    world::{Operation, World, Writing},
};

/// How long a withdrawal rests after the library did not answer a learner.
const REST: Duration = Duration::from_secs(1);

/// An answer; none where the process died before it could give one.
pub type Reply = Option<Box<Result<Done, ApiError>>>;

/// Why a round brought no answer.
enum Round {
    Answer(Box<Result<Done, ApiError>>),
    Again,
    Died,
}

impl World {
    pub fn command(&mut self, owner: UserId, intent: &Intent, script: &Script, dies: Option<Gate>) -> Reply {
        if let Err(fault) = intent.wish.check() {
            return Some(Box::new(Err(fault.into())));
        }
        // More rounds than a promise to keep and a command to carry out cannot be needed.
        for _ in 0..4 {
            match self.round(owner, intent, script, dies) {
                Round::Answer(answer) => return Some(answer),
                Round::Died => return None,
                Round::Again => {}
            }
        }
        unreachable!("a command that is alone is answered");
    }

    fn round(&mut self, owner: UserId, intent: &Intent, script: &Script, dies: Option<Gate>) -> Round {
        let (id, op) = (intent.task_id, intent.op_id);
        let recorded = self.ledger.get(&(id, op)).cloned();
        let of_another = |of: UserId| of != owner;
        if self.rows.get(&id).is_some_and(|row| of_another(row.task.owner))
            || recorded.as_ref().is_some_and(|line| of_another(line.owner))
        {
            return Round::Answer(Box::new(Err(Code::NotFound.into())));
        }
        if let Some(line) = &recorded {
            if line.fingerprint.as_ref() != Some(&intent.fingerprint()) {
                return self.refused(owner, id, Fault::new(Code::KeyReused));
            }
            match &line.answer {
                Some(Answer::Done(op)) => return self.done(owner, id, op.clone()),
                Some(Answer::Refused(fault)) => return self.refused(owner, id, fault.clone()),
                None => {}
            }
        }
        match (&intent.wish, self.rows.get(&id)) {
            (Wish::Start { record_id, question, even_if_similar }, None) => {
                self.begin(owner, intent, record_id, question, *even_if_similar)
            }
            (Wish::Start { .. }, Some(row)) => {
                let fault = Fault::not_in_this_state("start", row.task.state.name().as_str());
                self.refuse(owner, intent, fault)
            }
            (_, None) => Round::Answer(Box::new(Err(Code::NotFound.into()))),
            (_, Some(row)) => match row.withdrawing.filter(|_| recorded.is_none()) {
                // What was promised goes first.
                Some(promised) => {
                    let fence = self.hold(id);
                    self.withdraw(id, fence, promised, script, dies)
                }
                None => self.apply(owner, intent, script, dies),
            },
        }
    }

    fn begin(&mut self, owner: UserId, intent: &Intent, record: &str, question: &str, even_if_similar: bool) -> Round {
        let similar = self.rows.values().filter(|row| {
            let task = &row.task;
            let the_same = task.owner == owner && task.record_id.as_str() == record && task.question == question;
            the_same && !task.state.name().phase().is_finished()
        });
        let newest = similar.max_by_key(|row| row.log[0].0.at).map(|row| row.task.id);
        if let Some(other) = newest.filter(|_| !even_if_similar) {
            return self.refuse(owner, intent, Fault::new(Code::SimilarTask).with("task_id", other));
        }
        let record = RecordId::parse(record).expect("checked");
        let question = Question::parse(question).expect("checked");
        let receipt = OpReceipt { op_id: intent.op_id, code: "started".to_owned(), draft_version: None, seq: 1 };
        let started = start(owner, record.clone(), record.to_string(), &question, self.terms);
        self.start(intent.task_id, started, intent.op_id);
        self.record(owner, intent, Answer::Done(receipt.clone()));
        self.done(owner, intent.task_id, receipt)
    }

    fn apply(&mut self, owner: UserId, intent: &Intent, script: &Script, dies: Option<Gate>) -> Round {
        let id = intent.task_id;
        let task = self.row(id).task.clone();
        let command = match self.command_of(intent, script, dies) {
            Ok(command) => command,
            Err(round) => return round,
        };
        let decision = match decide(&task, &command, self.now) {
            Ok(decision) => decision,
            Err(fault) => return self.refuse(owner, intent, fault),
        };
        if let Some(effect) = decision.effect.as_ref().filter(|effect| effect.step == Step::Withdraw) {
            let line = Operation {
                owner,
                kind: intent.wish.verb().to_owned(),
                fingerprint: Some(intent.fingerprint()),
                state: OpState::Intended,
                answer: None,
                reason: None,
            };
            self.ledger.entry((id, intent.op_id)).or_insert(line);
            let reason = effect.reason.clone().expect("a withdrawal has a reason");
            let fence = self.promise(id, effect.op_id, reason, Some(intent.op_id));
            return self.withdraw(id, fence, effect.op_id, script, dies);
        }
        let text = match &intent.wish {
            Wish::Edit { text, .. } => Some(text.as_str()),
            _ => None,
        };
        let receipt = OpReceipt {
            op_id: intent.op_id,
            code: code(&intent.wish).to_owned(),
            draft_version: text.map(|_| task.next_version()).or_else(|| task.current().map(|draft| draft.version)),
            seq: task.seq + decision.events.len() as u64,
        };
        self.record(owner, intent, Answer::Done(receipt.clone()));
        if let Some(effect) = &decision.effect {
            // An effect that goes on keeps the line it has.
            self.effect(id, owner, effect.op_id, effect.step, OpState::Intended);
        }
        let saved = decision.events.iter().any(|event| event.kind() == "save_confirmed");
        if let Some(save) = task.state.pending_save().filter(|_| saved) {
            self.effect_is(id, save.save_op, Step::Save, OpState::Done);
        }
        let writing = Writing { events: &decision.events, at: self.now, op: intent.op_id, text, keep: false };
        self.write(id, &writing);
        self.done(owner, id, receipt)
    }

    /// The library withdraws, and what it says is written.
    fn withdraw(&mut self, id: TaskId, fence: u32, op: OpId, script: &Script, dies: Option<Gate>) -> Round {
        self.calls.library[2] += 1;
        if dies == Some(Gate::LibraryBefore) {
            return Round::Died;
        }
        let found = self.withdrawn(id, script);
        if dies == Some(Gate::LibraryAfter) && script.library != Answers::Away {
            return Round::Died;
        }
        let Some(found) = found else {
            self.hand_back(id, fence, REST);
            return unavailable();
        };
        let at = self.now;
        self.conclude(id, op, &found, at);
        Round::Again
    }

    fn command_of(&mut self, intent: &Intent, script: &Script, dies: Option<Gate>) -> Result<Command, Round> {
        let row = &self.rows[&intent.task_id];
        Ok(match intent.wish.clone() {
            Wish::Edit { base_version, text } => {
                Command::Edit { base_version, hash: DraftText::parse(&text).expect("checked").hash() }
            }
            Wish::Accept { draft_version, draft_hash, seen_source_version } => {
                Command::Accept { draft_version, draft_hash, seen_source_version }
            }
            Wish::Redraft { base_version } => Command::Redraft { base_version },
            Wish::Reopen => Command::Reopen,
            Wish::Retry => Command::Retry,
            Wish::Cancel => Command::Cancel { in_flight: row.lease_until.is_some_and(|until| self.now < until) },
            Wish::Settle { verdict, note } => {
                let Some(save) = row.task.state.pending_save().map(|save| save.save_op) else {
                    return Ok(Command::Settle { verdict, note, found: None });
                };
                self.calls.library[0] += 1;
                match (dies, script.library) {
                    (Some(Gate::LibraryBefore), _) | (Some(_), Answers::Known | Answers::Lost) => {
                        return Err(Round::Died);
                    }
                    (_, Answers::Away | Answers::Lost) => return Err(unavailable()),
                    (None, Answers::Known) => {}
                }
                let found = match self.shelf.find(intent.task_id, save) {
                    Found::Entry(entry) => Some(saved_as(&entry)),
                    Found::Withdrawn | Found::Nothing => None,
                };
                Command::Settle { verdict, note, found }
            }
            Wish::Start { .. } => unreachable!("a start is not a command to a task"),
        })
    }

    fn record(&mut self, owner: UserId, intent: &Intent, answer: Answer) {
        self.answer(intent.task_id, intent.op_id, owner, intent.wish.verb(), &intent.fingerprint(), answer);
    }

    fn refuse(&mut self, owner: UserId, intent: &Intent, fault: Fault) -> Round {
        if fault.code.is_recorded() {
            self.record(owner, intent, Answer::Refused(fault.clone()));
        }
        self.refused(owner, intent.task_id, fault)
    }

    /// A refusal, with the task that it is about as it is now.
    fn refused(&self, owner: UserId, task: TaskId, fault: Fault) -> Round {
        let about = fault.params.get("task_id").and_then(|id| id.parse().ok()).unwrap_or(task);
        let error = ApiError::from(fault);
        Round::Answer(Box::new(Err(match self.snapshot(owner, about) {
            Some(current) => error.with_current(current),
            None => error,
        })))
    }

    fn done(&self, owner: UserId, task: TaskId, op: OpReceipt) -> Round {
        let task = self.snapshot(owner, task).expect("what was commanded is there");
        Round::Answer(Box::new(Ok(Done { op, task })))
    }
}

/// Not known, not recorded, to be asked again.
fn unavailable() -> Round {
    Round::Answer(Box::new(Err(ApiError::from(Code::Unavailable).retry_after(1000))))
}

fn code(wish: &Wish) -> &'static str {
    match wish {
        Wish::Start { .. } => "started",
        Wish::Edit { .. } => "edited",
        Wish::Accept { .. } => "accepted",
        Wish::Redraft { .. } => "redraft_asked",
        Wish::Reopen => "reopened",
        Wish::Retry => "retried",
        Wish::Cancel => "cancelled",
        Wish::Settle { .. } => "settled",
    }
}
