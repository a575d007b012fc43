//! What a worker's turn comes to: claimed, carried from call to call, ended or left lying at a call.

use std::time::Duration;

use domain::{
    explanation::{
        Command, Effect, Event, Step, Task,
        command::HOLDER_LOST,
        decide, effect,
        event::{Logged, Recheck},
    },
    fault::Problem,
    id::{OpId, TaskId},
    operation::OpState,
    snapshot::LibraryEntry,
    text::DraftText,
    time::Timestamp,
};
use server::{
    library::{Found, Saved},
    model::{Drafted, ModelError, Prompt},
};

use super::{
    script::{Answers, Gate, Script},
    world::{World, Writing},
};

/// How far apart tries are: the middle of what they may be.
pub const JITTER: f64 = 0.5;

/// A claim under way. Its fence is raised by a withdrawal that it begins.
#[derive(Debug)]
pub struct Turn {
    pub task: TaskId,
    /// The attempt that the claim gave.
    pub claimed: u32,
    pub fence: u32,
    /// The call that comes next; none where the turn has ended.
    pub at: Option<Call>,
    /// It has come to that call and waits for an answer.
    pub waits: bool,
    /// What the library has done and not yet said.
    pub heard: Option<LibrarySays>,
}

/// A step, its operation, and what is known of earlier tries.
#[derive(Clone, Debug)]
pub struct Next {
    pub step: Step,
    pub op: OpId,
    pub may_have_happened: bool,
    pub taken_over: bool,
}

impl Next {
    pub fn fresh(effect: &Effect) -> Self {
        Self { step: effect.step, op: effect.op_id, may_have_happened: false, taken_over: false }
    }
}

/// A call to the outside that is about to be made or not yet answered.
#[derive(Clone, Debug)]
pub enum Call {
    Source(Next),
    Model(Next, Prompt),
    Find(Next),
    /// With what is to be saved, as it was read at the door.
    Save(Next, LibraryEntry),
    /// As the task was read before the library was asked.
    Withdraw {
        op: OpId,
        seq: u64,
        read_at: Timestamp,
    },
}

/// What the library said; none of it where it could not be heard.
#[derive(Clone, Debug)]
pub enum LibrarySays {
    Found(Option<Found>),
    Saved(Option<Saved>),
}

/// A look that comes back too late to be written is noted, a failure is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InHand {
    Result,
    Nothing,
}

impl World {
    /// Takes what has been due longest; none if nothing is.
    pub fn claim(&mut self, process: &str) -> Option<Turn> {
        let now = self.now;
        let due = self.rows.values().filter(|row| row.due_at.is_some_and(|due| due <= now));
        let id = due.min_by_key(|row| row.due_at)?.task.id;
        let row = self.row(id);
        let taken_over = row.lease_until.is_some();
        let task = row.task.clone();
        let (mut step, mut op) = match (row.withdrawing, effect::due(&task)) {
            (Some(withdrawal), _) => (Step::Withdraw, withdrawal),
            (None, Some(due)) => (due.step, due.op_id),
            (None, None) => unreachable!("only what waits for something outside is due"),
        };
        let known = self.ledger.get(&(id, op)).map(|line| line.state);
        // A save that has not been sent gives way to the look that is due before it.
        let mut may_have_happened = known.is_some_and(|state| state != OpState::Intended);
        if step == Step::Save && !may_have_happened && look_is_due(&task, now) {
            let look = effect::look_before_save(&task).expect("a save can be preceded by a look");
            (step, op, may_have_happened) = (look.step, look.op_id, false);
        }
        let claimed = self.hold(id);
        let row = self.row(id);
        row.active = Some(step);
        row.updated_at = now;
        row.task.seq += 1;
        let claimed_by =
            Event::Claimed { process: process.to_owned(), attempt: claimed, step: step.as_str().to_owned() };
        let logged = Logged { seq: row.task.seq, at: now, event: claimed_by };
        row.log.push((logged, Some(op)));
        let state = if step == Step::Save { OpState::Sent } else { OpState::Intended };
        let line = self.effect(id, task.owner, op, step, state);
        if line.state == OpState::Intended {
            line.state = state;
        }
        let next = Next { step, op, may_have_happened, taken_over };
        let mut turn = Turn { task: id, claimed, fence: claimed, at: None, waits: false, heard: None };
        turn.at = self.approach(&mut turn, next);
        Some(turn)
    }

    /// Carries a turn on; gives it back if it stays at the gate.
    pub fn carry(&mut self, mut turn: Turn, script: &Script, gate: Option<Gate>) -> Option<Turn> {
        while let Some(call) = turn.at.clone() {
            // One that waits has been counted when it came.
            if !std::mem::take(&mut turn.waits) {
                self.count(&call);
                if gate == Some(call.gate_before()) {
                    return Some(Turn { waits: true, ..turn });
                }
            }
            if turn.heard.is_none() {
                turn.heard = self.ask_library(&call, script);
                if gate == Some(Gate::LibraryAfter) && turn.heard.is_some() && script.library != Answers::Away {
                    return Some(Turn { waits: true, ..turn });
                }
            }
            turn.at = self.answered(&mut turn, call, script);
        }
        None
    }

    /// What is done before the call of a step; none if the turn ends there.
    fn approach(&mut self, turn: &mut Turn, next: Next) -> Option<Call> {
        match next.step {
            Step::LookUp | Step::Recheck => {
                self.lost_try(turn, &next)?;
                Some(Call::Source(next))
            }
            Step::Draft => {
                self.lost_try(turn, &next)?;
                let task = self.row(turn.task).task.clone();
                if task.terms.model_calls <= task.known.model_calls {
                    let problem = Problem::new("budget_used_up").with("calls", task.terms.model_calls);
                    return self.fail(turn, &next, &problem, false, None);
                }
                let prompt = self.prompt(turn.task);
                Some(Call::Model(next, prompt))
            }
            Step::Save if next.may_have_happened => Some(Call::Find(next)),
            Step::Save => self.at_the_door(turn, &next),
            Step::Withdraw => Some(self.before_withdrawal(turn, next.op)),
        }
    }

    fn prompt(&mut self, id: TaskId) -> Prompt {
        let row = self.row(id);
        Prompt {
            title: row.task.title.clone(),
            question: row.task.question.clone(),
            content: row.contents.last().cloned().unwrap_or_default(),
            source_version: row.task.newest_evidence().map_or_else(String::new, |e| e.source_version.0.clone()),
        }
    }

    /// The last holder died in this step, which was a try. None: the budget ended with it.
    pub(super) fn lost_try(&mut self, turn: &mut Turn, next: &Next) -> Option<()> {
        if !next.taken_over {
            return Some(());
        }
        if !self.is_heard(turn) {
            return None;
        }
        let task = self.row(turn.task).task.clone();
        let decision = decide(&task, &Command::HolderLost { step: next.step }, self.now).ok()?;
        let goes_on = decision.events.iter().any(|e| matches!(e, Event::TryFailed { code, .. } if code == HOLDER_LOST));
        self.note_events(turn, next.step, next.op, &decision.events, None, goes_on);
        // The same step goes on, whatever the state waits for after it.
        if goes_on {
            self.row(turn.task).active = Some(next.step);
        }
        goes_on.then_some(())
    }

    /// A draft, checked as the worker checks it.
    pub(super) fn drafted(&mut self, turn: &mut Turn, next: &Next, said: Result<Drafted, ModelError>) -> Option<Call> {
        let text = said.and_then(|drafted| match DraftText::from_machine(&drafted.text) {
            Ok(text) => Ok((text, drafted.incomplete, drafted.usage)),
            Err(_) => Err(ModelError::Empty),
        });
        match text {
            Ok((text, incomplete, usage)) => {
                let command = Command::Drafted {
                    hash: text.hash(),
                    produced_by: "counting".to_owned(),
                    simulated: true,
                    incomplete,
                    usage,
                };
                self.decided(turn, next, &command, Some(text.as_str()), InHand::Result)
            }
            Err(error) => self.fail(turn, next, &error.problem(), error.worth_retrying(), error.asked_to_wait()),
        }
    }

    pub(super) fn fail(
        &mut self,
        turn: &mut Turn,
        next: &Next,
        problem: &Problem,
        worth_retrying: bool,
        asked: Option<Duration>,
    ) -> Option<Call> {
        let problem = problem.clone();
        let command =
            Command::StepFailed { step: next.step, problem, worth_retrying, asked, jitter: JITTER, usage: None };
        self.decided(turn, next, &command, None, InHand::Nothing)
    }

    /// Decides and writes under the fence, and goes on with what is due after it.
    pub(super) fn decided(
        &mut self,
        turn: &mut Turn,
        next: &Next,
        command: &Command,
        text: Option<&str>,
        in_hand: InHand,
    ) -> Option<Call> {
        if !self.is_heard(turn) {
            if in_hand == InHand::Result {
                self.note_late(turn.task, turn.fence, next.step, next.op);
            }
            return None;
        }
        let task = self.row(turn.task).task.clone();
        let decision = decide(&task, command, self.now).expect("a turn that is heard is where its step began");
        let effect = decision.effect;
        if let Some(withdrawal) = effect.as_ref().filter(|e| decision.events.is_empty() && e.step == Step::Withdraw) {
            return self.begin_withdrawal(turn, withdrawal, text);
        }
        if decision.events.is_empty() {
            // Nothing stands against the save.
            let wanted = self.wanted(turn.task);
            return Some(Call::Save(next.clone(), wanted));
        }
        let now = self.now;
        let put_off = |e: &Event| matches!(e, Event::TryFailed { next_try_at, .. } if now < *next_try_at);
        let goes_on = effect.filter(|_| !decision.events.iter().any(put_off));
        self.note_events(turn, next.step, next.op, &decision.events, text, goes_on.is_some());
        let goes_on = goes_on?;
        let state = if goes_on.step == Step::Save { OpState::Sent } else { OpState::Intended };
        self.effect_is(turn.task, goes_on.op_id, goes_on.step, state);
        self.approach(turn, Next::fresh(&goes_on))
    }

    fn note_events(&mut self, turn: &Turn, step: Step, op: OpId, events: &[Event], text: Option<&str>, keep: bool) {
        if let Some(state) = events.iter().find_map(ended) {
            self.effect_is(turn.task, op, step, state);
        }
        let at = self.now;
        self.write(turn.task, &Writing { events, at, op, text, keep });
    }

    /// Only the newest attempt is.
    pub(super) fn is_heard(&mut self, turn: &Turn) -> bool {
        self.row(turn.task).attempt == turn.fence
    }
}

impl Call {
    fn gate_before(&self) -> Gate {
        match self {
            Self::Source(_) => Gate::Source,
            Self::Model(..) => Gate::Model,
            Self::Find(_) | Self::Save(..) | Self::Withdraw { .. } => Gate::LibraryBefore,
        }
    }
}

/// Evidence older than it may be is looked at again before a save.
pub fn look_is_due(task: &Task, now: Timestamp) -> bool {
    let fresh = Duration::from_secs(task.terms.fresh_s.into());
    task.known.looked_at.is_some_and(|at| at.plus(fresh) <= now)
}

/// How the operation of a step has ended, if it has.
fn ended(event: &Event) -> Option<OpState> {
    match event {
        Event::Rechecked { outcome: Recheck::Unavailable, .. }
        | Event::SourceFailed { .. }
        | Event::DraftFailed { .. } => Some(OpState::Failed),
        Event::OutcomeUnknown { .. } => Some(OpState::Unknown),
        Event::SourceFound { .. }
        | Event::SourceMissing { .. }
        | Event::SourceChanged { .. }
        | Event::Rechecked { .. }
        | Event::DraftProduced { .. }
        | Event::SaveConfirmed { .. } => Some(OpState::Done),
        _ => None,
    }
}
