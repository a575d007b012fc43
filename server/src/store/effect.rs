//! What a holder of a claim may write besides a transition: intentions, and notes.

use domain::{
    id::{OpId, TaskId},
    lease::Attempt,
    operation::OpState,
};
use serde_json::json;
use sqlx::types::Json;

use super::{
    Claim, Store, StoreError,
    ledger::effect_fingerprint,
    stored::{fence, schema},
};

impl Store {
    /// Notes, once an attempt, that a result came after the lease was lost. Changes nothing else.
    pub async fn note_late_result(&self, claim: &Claim, step: &str, op: OpId) -> Result<(), StoreError> {
        sqlx::query(
            "with noted as (
                update task set seq = seq + 1
                 where task_id = $1 and attempt > $2
                   and not exists (select from task_event e
                                    where e.task_id = $1 and e.kind = 'late_result_discarded' and e.attempt = $2)
                returning task_id, seq
             )
             insert into task_event (task_id, seq, kind, schema, at, attempt, op_id, details)
             select task_id, seq, 'late_result_discarded', $3, mooring_now(), $2, $4, $5 from noted",
        )
        .bind(claim.task_id.0)
        .bind(fence(claim.fence))
        .bind(schema())
        .bind(op.0)
        .bind(Json(json!({ "step": step, "attempt": claim.fence })))
        .execute(self.db())
        .await?;
        Ok(())
    }

    /// Records that a read is about to be made, where the claim could not. A look that was made
    /// before, in the same step, is made anew under its operation.
    /// `LostLease`: another attempt speaks.
    pub async fn mark(&self, claim: &Claim, op: OpId, step: &str, state: OpState) -> Result<(), StoreError> {
        let rows = sqlx::query(
            "insert into operation (task_id, op_id, owner, kind, fingerprint, state, intended_at, sent_at)
             select t.task_id, $3, t.owner, $4, $5, $6, mooring_now(), case when $6 = 'sent' then mooring_now() end
               from task t where t.task_id = $1 and t.attempt = $2
             on conflict (task_id, op_id) do update
                set state = excluded.state, sent_at = coalesce(operation.sent_at, excluded.sent_at), finished_at = null",
        )
        .bind(claim.task_id.0)
        .bind(fence(claim.fence))
        .bind(op.0)
        .bind(step)
        .bind(effect_fingerprint(claim.task_id, step).as_str())
        .bind(state.as_str())
        .execute(self.db())
        .await?
        .rows_affected();
        if rows == 1 { Ok(()) } else { Err(StoreError::LostLease) }
    }

    /// Puts a task whose payload cannot be read into the hands of a person, without reading it;
    /// false if it is there already, has ended, or another attempt speaks for it.
    pub async fn set_unreadable(&self, task: TaskId, attempt: Attempt) -> Result<bool, StoreError> {
        let rows = sqlx::query(SET_UNREADABLE)
            .bind(task.0)
            .bind(fence(attempt))
            .bind(schema())
            .bind(Json(json!({ "problem": { "code": "unreadable", "params": {} } })))
            .execute(self.db())
            .await?
            .rows_affected();
        Ok(rows == 1)
    }
}

const SET_UNREADABLE: &str = "
with moved as (
    update task
       set seq = seq + 1, state = 'needs_checking', phase = 'awaiting_human', lease_until = null, holder = null,
           due_at = null, updated_at = mooring_now(),
           attempt = attempt + (lease_until is not null)::int
     where task_id = $1 and attempt = $2 and state <> 'needs_checking' and phase not in ('succeeded', 'cancelled')
    returning task_id, seq
)
insert into task_event (task_id, seq, kind, schema, at, attempt, details)
select task_id, seq, 'outcome_unknown', $3, mooring_now(), $2, $4 from moved";
