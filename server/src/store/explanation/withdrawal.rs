//! Withdrawing a save: intended before the library is asked, and taken up by whoever comes.

use std::time::Duration;

use domain::{explanation::Effect, id::OpId};
use serde_json::json;
use sqlx::types::Json;

use super::Head;
use crate::store::{
    Claim, ProcessId, Store, StoreError,
    ledger::effect_fingerprint,
    stored::{attempt, fence, signed},
};

impl Store {
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
}

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
