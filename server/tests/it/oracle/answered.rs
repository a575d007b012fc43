//! What follows from an answer of the outside: the second half of a worker's turn, and the withdrawals
//! that web and worker share.

use std::time::Duration;

use domain::{
    explanation::{
        Command, Effect, EvidenceRef, Looked, Step,
        command::{Reason, SavedAs, Withdrawal},
        decide, effect,
    },
    fault::{Code, Fault, Problem},
    id::{EntryId, OpId, TaskId},
    operation::{Answer, OpReceipt, OpState},
    snapshot::LibraryEntry,
    text::Hash,
    time::Timestamp,
};
use server::{
    library::{Found, Saved},
    sources::SourceError,
};
use uuid::Uuid;

use super::{
    script::{Answers, Script},
    turn::{Call, InHand, LibrarySays, Next, Turn, look_is_due},
    world::{World, Writing},
};

/// How long a worker lets a withdrawal rest when the library does not answer.
const PATIENCE: Duration = Duration::from_secs(5);

impl World {
    /// One more call, counted where it arrives.
    pub(super) fn count(&mut self, call: &Call) {
        match call {
            Call::Source(_) => self.calls.source += 1,
            Call::Model(..) => self.calls.model += 1,
            Call::Find(_) => self.calls.library[0] += 1,
            Call::Save(..) => self.calls.library[1] += 1,
            Call::Withdraw { .. } => self.calls.library[2] += 1,
        }
    }

    /// What the library does, and what of it is heard; none where it is not the library that is asked.
    pub(super) fn ask_library(&mut self, call: &Call, script: &Script) -> Option<LibrarySays> {
        let heard = script.library == Answers::Known;
        let reached = script.library != Answers::Away;
        let task = |world: &World, op: OpId| {
            world.ledger.keys().find(|(_, known)| *known == op).map(|(task, _)| *task).expect("an effect has a line")
        };
        Some(match call {
            Call::Source(_) | Call::Model(..) => return None,
            Call::Find(next) => LibrarySays::Found(heard.then(|| self.shelf.find(task(self, next.op), next.op))),
            Call::Save(_, wanted) => {
                let wanted = LibraryEntry { saved_at: self.now, ..wanted.clone() };
                let saved = reached.then(|| self.shelf.save(wanted));
                LibrarySays::Saved(saved.filter(|_| heard))
            }
            Call::Withdraw { op, .. } => {
                let task = task(self, *op);
                LibrarySays::Found(self.withdrawn(task, script))
            }
        })
    }

    /// The library is asked to withdraw the task's save.
    pub(super) fn withdrawn(&mut self, task: TaskId, script: &Script) -> Option<Found> {
        if script.library == Answers::Away {
            return None;
        }
        let save = self.row(task).task.state.pending_save().map(|save| save.save_op);
        let found = save.map(|op| self.shelf.withdraw(task, op));
        found.filter(|_| script.library == Answers::Known)
    }

    pub(super) fn answered(&mut self, turn: &mut Turn, call: Call, script: &Script) -> Option<Call> {
        let heard = turn.heard.take();
        match (call, heard) {
            (Call::Source(next), _) => self.looked(turn, &next, script),
            (Call::Model(next, prompt), _) => self.drafted(turn, &next, script.draft(&prompt)),
            (Call::Find(next), Some(LibrarySays::Found(found))) => self.found(turn, &next, found),
            (Call::Save(next, _), Some(LibrarySays::Saved(saved))) => match saved {
                Some(Saved::Entry(entry)) => self.confirm(turn, &next, &entry, false),
                Some(Saved::Withdrawn) => self.uncertain(turn, &next, "save_withdrawn"),
                Some(Saved::OtherEntry(_)) => self.uncertain(turn, &next, "other_entry"),
                None => self.library_failed(turn, &next),
            },
            (Call::Withdraw { op, seq, read_at }, Some(LibrarySays::Found(found))) => {
                let Some(found) = found else {
                    self.hand_back(turn.task, turn.fence, PATIENCE);
                    return None;
                };
                if !self.is_heard(turn) {
                    return None;
                }
                // A note of a late result has come in between: read again, and asked again.
                if self.row(turn.task).task.seq != seq {
                    return Some(self.before_withdrawal(turn, op));
                }
                self.conclude(turn.task, op, &found, read_at);
                None
            }
            (call, heard) => unreachable!("{heard:?} is no answer to {call:?}"),
        }
    }

    fn looked(&mut self, turn: &mut Turn, next: &Next, script: &Script) -> Option<Call> {
        let record = self.row(turn.task).task.record_id.clone();
        match script.look() {
            Ok(seen) => {
                let evidence = EvidenceRef::of("counting", "fixture", &seen, self.now);
                let command = Command::Looked(Looked::Found { evidence, title: seen.title });
                self.decided(turn, next, &command, Some(&seen.content), InHand::Result)
            }
            Err(error @ (SourceError::Missing | SourceError::Withdrawn)) => {
                let problem = error.problem().with("record", record);
                self.decided(turn, next, &Command::Looked(Looked::Missing(problem)), None, InHand::Result)
            }
            Err(error) => self.fail(turn, next, &error.problem(), error.worth_retrying(), error.asked_to_wait()),
        }
    }

    fn found(&mut self, turn: &mut Turn, next: &Next, found: Option<Found>) -> Option<Call> {
        match found {
            Some(Found::Entry(entry)) => return self.confirm(turn, next, &entry, true),
            Some(Found::Withdrawn) => return self.uncertain(turn, next, "save_withdrawn"),
            Some(Found::Nothing) => {}
            None => return self.library_failed(turn, next),
        }
        self.lost_try(turn, next)?;
        if !self.is_heard(turn) {
            return None;
        }
        let task = self.row(turn.task).task.clone();
        if look_is_due(&task, self.now) {
            let look = effect::look_before_save(&task)?;
            // A look that was made before, in the same step, is made anew under its operation.
            let line = self.effect(turn.task, task.owner, look.op_id, look.step, OpState::Intended);
            line.state = OpState::Intended;
            return Some(Call::Source(Next::fresh(&look)));
        }
        self.at_the_door(turn, next)
    }

    /// Requester, expiry and hash once more, just before the save.
    pub(super) fn at_the_door(&mut self, turn: &mut Turn, next: &Next) -> Option<Call> {
        let stored_hash = Some(Hash::of(&self.wanted(turn.task).text));
        self.decided(turn, next, &Command::BeforeSave { requester_valid: true, stored_hash }, None, InHand::Nothing)
    }

    /// What the pending save is to save.
    pub(super) fn wanted(&mut self, id: TaskId) -> LibraryEntry {
        let row = self.row(id);
        let save = row.task.state.pending_save().expect("only what was accepted comes to the door");
        let version = save.proposal.draft_version;
        LibraryEntry {
            entry_id: EntryId(Uuid::nil()),
            task_id: id,
            op_id: save.save_op,
            draft_version: version,
            hash: save.proposal.draft_hash.clone(),
            title: row.task.title.clone(),
            question: None,
            text: row.texts[version as usize - 1].clone(),
            saved_at: Timestamp::EPOCH,
        }
    }

    fn confirm(&mut self, turn: &mut Turn, next: &Next, entry: &LibraryEntry, found: bool) -> Option<Call> {
        let command = Command::SaveConfirmed { saved: saved_as(entry), found };
        self.decided(turn, next, &command, None, InHand::Result)
    }

    fn uncertain(&mut self, turn: &mut Turn, next: &Next, code: &str) -> Option<Call> {
        let command = Command::SaveUncertain { problem: Problem::new(code) };
        self.decided(turn, next, &command, None, InHand::Result)
    }

    /// Whether it was saved is not known: the next try looks first.
    fn library_failed(&mut self, turn: &mut Turn, next: &Next) -> Option<Call> {
        self.fail(turn, next, &Problem::new("save_uncertain"), true, None)
    }

    pub(super) fn begin_withdrawal(&mut self, turn: &mut Turn, effect: &Effect, text: Option<&str>) -> Option<Call> {
        let mut reason = effect.reason.clone()?;
        if let (Reason::Moved { content, .. }, Some(text)) = (&mut reason, text) {
            text.clone_into(content);
        }
        turn.fence = self.promise(turn.task, effect.op_id, reason, None);
        Some(self.before_withdrawal(turn, effect.op_id))
    }

    pub(super) fn before_withdrawal(&mut self, turn: &Turn, op: OpId) -> Call {
        let read_at = self.now;
        let seq = self.row(turn.task).task.seq;
        Call::Withdraw { op, seq, read_at }
    }

    /// The library has answered a withdrawal: the promise is kept, or the save came first.
    pub(super) fn conclude(&mut self, id: TaskId, op: OpId, found: &Found, at: Timestamp) {
        let task = self.row(id).task.clone();
        let (reason, command) = self.ledger[&(id, op)].reason.clone().expect("a withdrawal has a reason");
        let outcome = match found {
            Found::Entry(entry) => Withdrawal::TooLate(saved_as(entry)),
            Found::Withdrawn | Found::Nothing => Withdrawal::Done,
        };
        let decided = Command::Withdrawn { reason: reason.clone(), outcome: outcome.clone() };
        let events = decide(&task, &decided, at).expect("a promised withdrawal has a save to withdraw").events;
        let saved = outcome != Withdrawal::Done;
        let save = task.state.pending_save().map(|save| save.save_op).expect("a save is withdrawn");
        self.effect_is(id, op, Step::Withdraw, OpState::Done);
        // The look that gave the reason has answered.
        if let (Reason::Moved { .. } | Reason::Gone { .. }, Some(look)) = (&reason, effect::look_before_save(&task)) {
            self.effect_is(id, look.op_id, Step::Recheck, OpState::Done);
        }
        self.effect_is(id, save, Step::Save, if saved { OpState::Done } else { OpState::Failed });
        if let Some(command) = command {
            let stop = matches!(reason, Reason::Stop { .. });
            let answer = if saved {
                Answer::Refused(Fault::new(Code::TooLate).with("found", "saved"))
            } else {
                Answer::Done(OpReceipt {
                    op_id: command,
                    code: if stop { "settled" } else { "cancelled" }.to_owned(),
                    draft_version: task.current().map(|draft| draft.version),
                    seq: task.seq + events.len() as u64,
                })
            };
            let line = &self.ledger[&(id, command)];
            let (owner, verb, print) = (line.owner, line.kind.clone(), line.fingerprint.clone());
            self.answer(id, command, owner, &verb, &print.expect("a learner's"), answer);
        }
        let text = match &reason {
            Reason::Moved { content, .. } => Some(content.as_str()),
            _ => None,
        };
        self.write(id, &Writing { events: &events, at, op: command.unwrap_or(op), text, keep: false });
    }
}

/// Names an entry for the rules.
pub fn saved_as(entry: &LibraryEntry) -> SavedAs {
    SavedAs {
        entry_id: entry.entry_id,
        draft_version: entry.draft_version,
        hash: entry.hash.clone(),
        saved_at: entry.saved_at,
    }
}
