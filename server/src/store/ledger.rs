//! Operations: recorded answers to learners, and effects from intended to known.

use domain::{
    fault::Fault,
    id::{OpId, TaskId, UserId},
    operation::{Answer, OpState},
    text::Hash,
};
use serde::Serialize;
use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

use super::{Store, StoreError};

/// A row of the ledger, as found.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub owner: UserId,
    pub fingerprint: Hash,
    pub state: OpState,
    pub result: Option<Value>,
}

impl Recorded {
    pub(super) fn read(owner: Uuid, fingerprint: String, state: &str, result: Option<Value>) -> Self {
        let state = match state {
            "intended" => OpState::Intended,
            "sent" => OpState::Sent,
            "done" => OpState::Done,
            "failed" => OpState::Failed,
            _ => OpState::Unknown,
        };
        Self { owner: UserId(owner), fingerprint: Hash::claimed(fingerprint), state, result }
    }

    /// The answer that a command got; none while it is still being carried out.
    pub fn answer(&self) -> Option<Answer> {
        serde_json::from_value(self.result.clone()?).ok()
    }
}

/// A row to write with a transition.
#[derive(Clone, Debug, Serialize)]
pub struct Written {
    op_id: OpId,
    owner: UserId,
    kind: String,
    fingerprint: Hash,
    state: &'static str,
    result: Option<Value>,
    /// A learner's answer must be the first: a row that is there already is another answer.
    first: bool,
    /// A row that is there already stays.
    keep: bool,
}

/// How a row of the ledger is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// A row that is there already is another answer, and the change is not made.
    First,
    /// A row that is there already goes on, unless it has ended.
    Follows,
    /// A row that is there already stays.
    OnlyNew,
}

impl Written {
    /// A learner's command and its answer.
    pub fn answer(op_id: OpId, owner: UserId, verb: &str, fingerprint: Hash, answer: &Answer) -> Self {
        let state = match answer {
            Answer::Done(_) => OpState::Done,
            Answer::Refused(_) => OpState::Failed,
        };
        Self {
            op_id,
            owner,
            kind: verb.to_owned(),
            fingerprint,
            state: state.as_str(),
            result: serde_json::to_value(answer).ok(),
            first: true,
            keep: false,
        }
    }

    /// How it is written.
    pub(super) fn way(&self) -> Way {
        match (self.first, self.keep) {
            (true, _) => Way::First,
            (false, false) => Way::Follows,
            (false, true) => Way::OnlyNew,
        }
    }

    /// The answer to a command that was recorded as intended before.
    #[must_use]
    pub fn after_intended(mut self) -> Self {
        self.first = false;
        self
    }

    /// An effect of `task`, where it now stands.
    pub fn effect(task: TaskId, owner: UserId, op_id: OpId, step: &str, state: OpState) -> Self {
        Self {
            op_id,
            owner,
            kind: step.to_owned(),
            fingerprint: effect_fingerprint(task, step),
            state: state.as_str(),
            result: None,
            first: false,
            keep: false,
        }
    }

    /// Leaves a row that is there already as it is: an effect that goes on under the operation it
    /// has, such as a save that a retry takes up again.
    #[must_use]
    pub fn only_new(mut self) -> Self {
        self.keep = true;
        self
    }

    /// With what is known of it.
    #[must_use]
    pub fn with(mut self, result: Value) -> Self {
        self.result = Some(result);
        self
    }
}

/// An effect's request is its task and step: its inputs are stored with the task.
pub(super) fn effect_fingerprint(task: TaskId, step: &str) -> Hash {
    Hash::of(&format!("{task}/{step}"))
}

impl Store {
    /// Records a refusal. If the operation has an answer by now, that one stands.
    pub async fn record_refusal(
        &self,
        task: TaskId,
        op: OpId,
        owner: UserId,
        verb: &str,
        fingerprint: &Hash,
        refusal: &Fault,
    ) -> Result<(), StoreError> {
        let rows = sqlx::query(
            "insert into operation (task_id, op_id, owner, kind, fingerprint, state, result, intended_at, finished_at)
             values ($1, $2, $3, $4, $5, 'failed', $6, mooring_now(), mooring_now())
             on conflict (task_id, op_id) do update
                set state = 'failed', result = excluded.result, finished_at = excluded.finished_at
              where operation.state = 'intended' and operation.fingerprint = excluded.fingerprint",
        )
        .bind(task.0)
        .bind(op.0)
        .bind(owner.0)
        .bind(verb)
        .bind(fingerprint.as_str())
        .bind(Json(Answer::Refused(refusal.clone())))
        .execute(self.db())
        .await?
        .rows_affected();
        if rows == 1 { Ok(()) } else { Err(StoreError::Recorded) }
    }

    /// One effect's row.
    pub async fn operation(&self, task: TaskId, op: OpId) -> Result<Option<Recorded>, StoreError> {
        Ok(self.load_operation(task, op).await?)
    }

    async fn load_operation(&self, task: TaskId, op: OpId) -> Result<Option<Recorded>, sqlx::Error> {
        let row: Option<(Uuid, String, String, Option<Json<Value>>)> =
            sqlx::query_as("select owner, fingerprint, state, result from operation where task_id = $1 and op_id = $2")
                .bind(task.0)
                .bind(op.0)
                .fetch_optional(self.db())
                .await?;
        Ok(row.map(|(owner, print, state, result)| Recorded::read(owner, print, &state, result.map(|r| r.0))))
    }
}
