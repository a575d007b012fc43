//! A learner's intent, from wish to answer.
//!
//! Invariants: the ledger is asked before the rules; an answer is recorded in the same commit as
//! what it answers; the same operation ID gets the same answer for ever.

use std::time::Duration;

use app::api::error::ApiError;
use domain::{
    explanation::{Command, Event, decide, decide::start, effect, effect::Step},
    fault::{Code, Fault},
    id::{RecordId, TaskId, UserId},
    intent::{Done, Intent, Wish},
    operation::{Answer, OpReceipt, OpState},
    text::{DraftText, Hash, Question},
};

use super::{StoreBackend, Trouble, not_found};
use crate::{
    faults::{Boundary, Pass},
    store::{Head, Hold, NewTask, Started, StoreError, Transition, Written},
    withdraw::saved_as,
};

/// How often a task may move under a command before it is put off.
const PATIENCE: u32 = 40;

/// Between two rounds at most this, times the rounds so far: who lost a race stands aside for a moment.
const ASIDE: Duration = Duration::from_millis(2);

/// What one round came to: an answer, or another round.
pub(super) type Round<T> = Result<Option<T>, ApiError>;

impl StoreBackend {
    pub(super) async fn carry_out(&self, owner: UserId, intent: &Intent) -> Result<Done, ApiError> {
        intent.wish.check()?;
        let fingerprint = intent.fingerprint();
        for round in 1..=PATIENCE {
            if let Some(done) = self.round(owner, intent, &fingerprint).await? {
                self.pass(Boundary::ReplyLost).await?;
                return Ok(done);
            }
            tokio::time::sleep((ASIDE * round).mul_f64(rand::random())).await;
        }
        Err(Trouble::Contended.into())
    }

    async fn round(&self, owner: UserId, intent: &Intent, fingerprint: &Hash) -> Round<Done> {
        let (task, op) = (intent.task_id, intent.op_id);
        let loaded = self.store.load(task, Some(op)).await.map_err(Trouble::from)?;
        if loaded.owner.is_some_and(|of| of != owner) || loaded.recorded.as_ref().is_some_and(|r| r.owner != owner) {
            return Err(not_found());
        }
        if let Some(recorded) = &loaded.recorded {
            if recorded.fingerprint != *fingerprint {
                return Err(self.refusal(owner, task, Fault::new(Code::KeyReused)).await);
            }
            match recorded.answer() {
                Some(Answer::Done(op)) => return Ok(Some(Done { op, task: self.snapshot(owner, task).await? })),
                Some(Answer::Refused(fault)) => return Err(self.refusal(owner, task, fault).await),
                // Intended and not yet answered: it is carried out now.
                None => {}
            }
        }
        match (&intent.wish, loaded.head.clone()) {
            (Wish::Start { record_id, question, even_if_similar }, None) => {
                self.start(owner, intent, fingerprint, record_id, question, *even_if_similar).await
            }
            (Wish::Start { .. }, Some(head)) => {
                let fault = Fault::not_in_this_state("start", head.task.state.name().as_str());
                self.refuse(owner, intent, fingerprint, fault).await
            }
            (_, None) => Err(not_found()),
            (_, Some(Head { withdrawing: Some(withdrawal), .. })) if loaded.recorded.is_none() => {
                let head = loaded.head.ok_or_else(not_found)?;
                self.finish_promised(&head, withdrawal).await
            }
            (wish, Some(head)) => {
                let was_intended = loaded.recorded.is_some_and(|r| r.state == OpState::Intended);
                self.apply(owner, intent, wish, fingerprint, &head, was_intended).await
            }
        }
    }

    async fn start(
        &self,
        owner: UserId,
        intent: &Intent,
        fingerprint: &Hash,
        record: &str,
        question: &str,
        even_if_similar: bool,
    ) -> Round<Done> {
        let record = RecordId::parse(record)?;
        let question = Question::parse(question)?;
        let before = self.store.before_start(owner, &record, question.as_str()).await.map_err(Trouble::from)?;
        let listed = before.records.records.iter().find(|r| r.record_id == record);
        if before.records.complete && listed.is_none() {
            return Err(Fault::new(Code::UnknownRecord).with("record", &record).into());
        }
        if !even_if_similar
            && let Some(other) = before.similar
            && other != intent.task_id
        {
            let fault = Fault::new(Code::SimilarTask).with("task_id", other);
            return self.refuse(owner, intent, fingerprint, fault).await;
        }
        let title = listed.map_or_else(|| record.to_string(), |r| r.title.clone());
        let receipt = OpReceipt { op_id: intent.op_id, code: "started".to_owned(), draft_version: None, seq: 1 };
        let answer = Answer::Done(receipt.clone());
        let new = NewTask {
            id: intent.task_id,
            started: start(owner, record, title, &question, self.terms),
            at: before.now,
            op_id: intent.op_id,
            answer: Written::answer(intent.op_id, owner, "start", fingerprint.clone(), &answer),
        };
        self.pass(Boundary::StartBeforeCommit).await?;
        let newborn = match self.store.start(&new).await {
            Ok(Started::Born(newborn)) => *newborn,
            Ok(Started::AlreadyThere) | Err(StoreError::Recorded) => return Ok(None),
            Err(other) => return Err(Trouble::from(other).into()),
        };
        self.announcer.changed(intent.task_id, 1);
        self.announcer.due();
        self.pass(Boundary::StartAfterCommit).await?;
        Ok(Some(Done { op: receipt, task: newborn }))
    }

    async fn apply(
        &self,
        owner: UserId,
        intent: &Intent,
        wish: &Wish,
        fingerprint: &Hash,
        head: &Head,
        was_intended: bool,
    ) -> Round<Done> {
        let command = self.command_of(wish, head).await?;
        let decision = match decide(&head.task, &command, head.now) {
            Ok(decision) => decision,
            Err(fault) => return self.refuse(owner, intent, fingerprint, fault).await,
        };
        let (before, after) = boundaries(wish);
        self.pass_if(before).await?;
        if let Some(effect) = decision.effect.as_ref().filter(|e| e.step == Step::Withdraw) {
            let done = self.withdraw(intent, fingerprint, head, effect).await;
            self.pass_if(after).await?;
            return done;
        }
        let text = match wish {
            Wish::Edit { text, .. } => Some(text.as_str()),
            _ => None,
        };
        let seq = head.task.seq + decision.events.len() as u64;
        let made = text.map(|_| head.task.next_version());
        let receipt = OpReceipt {
            op_id: intent.op_id,
            code: code(wish).to_owned(),
            draft_version: made.or_else(|| head.task.current().map(|d| d.version)),
            seq,
        };
        let mut answer =
            Written::answer(intent.op_id, owner, wish.verb(), fingerprint.clone(), &Answer::Done(receipt.clone()));
        if was_intended {
            answer = answer.after_intended();
        }
        let mut ledger = vec![answer];
        if let Some(effect) = &decision.effect {
            let step = effect.step.as_str();
            ledger.push(Written::effect(head.task.id, owner, effect.op_id, step, OpState::Intended).only_new());
        }
        // What a person found saved is no longer unknown.
        if let (Some(Event::SaveConfirmed { .. }), Some(save)) =
            (decision.events.last(), head.task.state.pending_save())
        {
            ledger.push(Written::effect(head.task.id, owner, save.save_op, Step::Save.as_str(), OpState::Done));
        }
        let transition = Transition {
            before: head,
            events: decision.events,
            op_id: Some(intent.op_id),
            fence: None,
            ledger,
            text,
            hold: Hold::Release,
        };
        let task = match self.store.commit(transition).await {
            Ok(head) => head.task,
            Err(StoreError::Moved | StoreError::Recorded) => return Ok(None),
            Err(other) => return Err(Trouble::from(other).into()),
        };
        self.announcer.changed(task.id, task.seq);
        if effect::due(&task).is_some() {
            self.announcer.due();
        }
        self.pass_if(after).await?;
        Ok(Some(Done { op: receipt, task: self.snapshot(owner, task.id).await? }))
    }

    /// The command that a wish is. A settlement asks the library first.
    async fn command_of(&self, wish: &Wish, head: &Head) -> Result<Command, ApiError> {
        Ok(match wish {
            Wish::Edit { base_version, text } => {
                Command::Edit { base_version: *base_version, hash: DraftText::parse(text)?.hash() }
            }
            Wish::Accept { draft_version, draft_hash, seen_source_version } => Command::Accept {
                draft_version: *draft_version,
                draft_hash: draft_hash.clone(),
                seen_source_version: seen_source_version.clone(),
            },
            Wish::Redraft { base_version } => Command::Redraft { base_version: *base_version },
            Wish::Reopen => Command::Reopen,
            Wish::Retry => Command::Retry,
            Wish::Cancel => Command::Cancel { in_flight: head.is_held() },
            Wish::Settle { verdict, note } => {
                let found = match head.task.state.pending_save() {
                    Some(save) => match self.library.find(head.task.id, save.save_op).await.map_err(Trouble::from)? {
                        crate::library::Found::Entry(entry) => Some(saved_as(&entry)),
                        _ => None,
                    },
                    None => None,
                };
                Command::Settle { verdict: *verdict, note: note.clone(), found }
            }
            Wish::Start { .. } => return Err(Fault::new(Code::Malformed).into()),
        })
    }

    /// Records a refusal and gives it; another round if an answer was recorded meanwhile.
    pub(super) async fn refuse(&self, owner: UserId, intent: &Intent, fingerprint: &Hash, fault: Fault) -> Round<Done> {
        if fault.code.is_recorded() {
            let recorded = self
                .store
                .record_refusal(intent.task_id, intent.op_id, owner, intent.wish.verb(), fingerprint, &fault)
                .await;
            match recorded {
                Ok(()) => {}
                Err(StoreError::Recorded) => return Ok(None),
                Err(other) => return Err(Trouble::from(other).into()),
            }
        }
        Err(self.refusal(owner, intent.task_id, fault).await)
    }

    /// A refusal with the task as it is now, so that a screen can show both texts. A refused start
    /// shows the task that stood in its way.
    async fn refusal(&self, owner: UserId, task: TaskId, fault: Fault) -> ApiError {
        let shown = fault.params.get("task_id").and_then(|id| id.parse().ok()).unwrap_or(task);
        let error = ApiError::from(fault);
        match self.snapshot(owner, shown).await {
            Ok(current) => error.with_current(current),
            Err(_) => error,
        }
    }

    async fn pass(&self, boundary: Boundary) -> Result<(), ApiError> {
        match self.faults.at(boundary).await.map_err(Trouble::from)? {
            // A freeze has no meaning where nothing is held; repeating is what the ledger is for.
            Pass::On | Pass::Repeat | Pass::Freeze => Ok(()),
        }
    }

    async fn pass_if(&self, boundary: Option<Boundary>) -> Result<(), ApiError> {
        match boundary {
            Some(boundary) => self.pass(boundary).await,
            None => Ok(()),
        }
    }
}

/// The kind of the event that a wish becomes.
pub(super) fn code(wish: &Wish) -> &'static str {
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

fn boundaries(wish: &Wish) -> (Option<Boundary>, Option<Boundary>) {
    match wish {
        Wish::Edit { .. } => (Some(Boundary::EditBeforeCommit), Some(Boundary::EditAfterCommit)),
        Wish::Accept { .. } => (Some(Boundary::AcceptBeforeCommit), Some(Boundary::AcceptAfterCommit)),
        Wish::Cancel => (Some(Boundary::CancelBeforeCommit), Some(Boundary::CancelAfterCommit)),
        _ => (None, None),
    }
}
