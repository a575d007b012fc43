//! What a holder of a claim may write besides a transition: intentions, and notes.

use std::time::Duration;

use domain::{
    explanation::{Effect, Step},
    id::{OpId, TaskId},
    lease::Attempt,
    operation::OpState,
};
use serde_json::json;
use sqlx::types::Json;

use super::{
    Claim, Head, ProcessId, Store, StoreError,
    ledger::effect_fingerprint,
    stored::{attempt, fence, schema, signed},
};

impl Store {
    /// Notes, once an attempt, that a result came after the lease was lost. Changes nothing else.
    pub async fn note_late_result(&self, claim: &Claim, step: Step, op: OpId) -> Result<(), StoreError> {
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
        .bind(Json(json!({ "step": step.as_str(), "attempt": claim.fence })))
        .execute(self.db())
        .await?;
        Ok(())
    }

    /// Puts an effect into the ledger before it is tried, with what is needed to finish it, and
    /// holds the task for it under a new attempt. The task must still be as it was read.
    pub async fn intend_withdrawal(
        &self,
        head: &Head,
        effect: &Effect,
        holder: &ProcessId,
        lease: Duration,
        command: Option<(OpId, &str, &domain::text::Hash)>,
    ) -> Result<Claim, StoreError> {
        let details = json!({ "reason": effect.reason, "command": command.map(|(op, ..)| op) });
        let (op, verb, print) =
            command.map_or((None, None, None), |(op, verb, print)| (Some(op.0), Some(verb), Some(print.as_str())));
        let taken: Option<i32> = sqlx::query_scalar(INTEND_WITHDRAWAL)
            .bind(head.task.id.0)
            .bind(signed(head.task.seq))
            .bind(fence(head.attempt))
            .bind(effect.op_id.0)
            .bind(effect.step.as_str())
            .bind(effect_fingerprint(head.task.id, effect.step.as_str()).as_str())
            .bind(Json(details))
            .bind(holder.id)
            .bind(lease)
            .bind(op)
            .bind(verb)
            .bind(print)
            .fetch_optional(self.db())
            .await?;
        let fence = attempt(taken.ok_or(StoreError::Moved)?);
        Ok(Claim { task_id: head.task.id, owner: head.task.owner, fence, _spent_once: () })
    }

    /// Takes a withdrawal that was intended before and is still to be finished, from whoever holds
    /// it: finishing it twice is harmless, leaving it is not.
    pub async fn take_withdrawal(&self, head: &Head, by: &ProcessId, lease: Duration) -> Result<Claim, StoreError> {
        let taken: Option<i32> = sqlx::query_scalar(
            "update task
                set attempt = attempt + 1, holder = $4, lease_until = mooring_now() + $5, due_at = mooring_now() + $5
              where task_id = $1 and seq = $2 and attempt = $3 and step = 'withdraw'
             returning attempt",
        )
        .bind(head.task.id.0)
        .bind(signed(head.task.seq))
        .bind(fence(head.attempt))
        .bind(by.id)
        .bind(lease)
        .fetch_optional(self.db())
        .await?;
        let fence = attempt(taken.ok_or(StoreError::Moved)?);
        Ok(Claim { task_id: head.task.id, owner: head.task.owner, fence, _spent_once: () })
    }

    /// Records that a read is about to be made, where the claim could not. A look that was made
    /// before, in the same step, is made anew under its operation.
    /// `LostLease`: another attempt speaks.
    pub async fn mark(&self, claim: &Claim, op: OpId, step: Step, state: OpState) -> Result<(), StoreError> {
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
        .bind(step.as_str())
        .bind(effect_fingerprint(claim.task_id, step.as_str()).as_str())
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

// A learner's cancel goes before any other reason: it is not replaced by one.
const INTEND_WITHDRAWAL: &str = "
with held as (
    update task
       set attempt = attempt + 1, holder = $8, lease_until = mooring_now() + $9, due_at = mooring_now() + $9,
           step = $5, active_step = $5, step_op = $4, step_mark = 'intended', precheck_op = null, precheck_at = null
     where task_id = $1 and seq = $2 and attempt = $3
    returning task_id, owner, attempt
), intended as (
    insert into operation (task_id, op_id, owner, kind, fingerprint, state, result, intended_at)
    select task_id, $4, owner, $5, $6, 'intended', $7, mooring_now() from held
    on conflict (task_id, op_id) do update
       set state = 'intended', result = excluded.result
     where operation.state <> 'done'
       and coalesce(operation.result -> 'reason' ->> 'reason', '') not in ('cancel', 'stop')
), command as (
    insert into operation (task_id, op_id, owner, kind, fingerprint, state, intended_at)
    select task_id, $10, owner, $11, $12, 'intended', mooring_now() from held where $10 is not null
    on conflict (task_id, op_id) do nothing
)
select attempt from held";
