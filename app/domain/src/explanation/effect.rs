//! What must be done outside: data, carried out by the worker through the ledger.

use serde::{Deserialize, Serialize};

use super::{
    command::Reason,
    state::{State, Task},
};
use crate::id::OpId;

/// The steps that touch the outside world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    LookUp,
    Draft,
    /// Looking at the source again: for a re-open, or before a save.
    Recheck,
    Save,
    Withdraw,
}

impl Step {
    pub const ALL: [Self; 5] = [Self::LookUp, Self::Draft, Self::Recheck, Self::Save, Self::Withdraw];

    /// The word that is stored and sent, and part of an effect's operation ID.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LookUp => "look_up",
            Self::Draft => "draft",
            Self::Recheck => "recheck",
            Self::Save => "save",
            Self::Withdraw => "withdraw",
        }
    }

    /// Reads the stored word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.as_str() == word)
    }

    /// Reads may be repeated when no outcome was stored; a write is looked up first.
    pub fn is_read(self) -> bool {
        matches!(self, Self::LookUp | Self::Draft | Self::Recheck)
    }
}

/// One thing to do outside, under one operation ID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    pub step: Step,
    pub op_id: OpId,
    /// Only for a withdrawal.
    pub reason: Option<Reason>,
}

/// What a state waits for from outside; none where it waits for a person, or for nothing.
pub fn due(task: &Task) -> Option<Effect> {
    let effect = |step: Step, opened_by| {
        Some(Effect { step, op_id: OpId::of_effect(task.id, step.as_str(), opened_by), reason: None })
    };
    match &task.state {
        State::Created { opened_by, .. } => effect(Step::LookUp, *opened_by),
        State::EvidenceSaved { opened_by, .. } => effect(Step::Draft, *opened_by),
        State::Rechecking { opened_by, .. } => effect(Step::Recheck, *opened_by),
        State::Accepted { acceptance, .. } => {
            Some(Effect { step: Step::Save, op_id: acceptance.save_op, reason: None })
        }
        _ => None,
    }
}

/// The look at the source that precedes a save once the evidence is too old.
pub fn look_before_save(task: &Task) -> Option<Effect> {
    match &task.state {
        State::Accepted { opened_by, .. } => Some(Effect {
            step: Step::Recheck,
            op_id: OpId::of_effect(task.id, Step::Recheck.as_str(), *opened_by),
            reason: None,
        }),
        _ => None,
    }
}

/// The withdrawal of a save. One per save, whoever asks: its operation follows from the save's.
pub fn withdrawal(save_op: OpId, reason: Reason) -> Effect {
    let op_id = OpId(uuid::Uuid::new_v5(&save_op.0, Step::Withdraw.as_str().as_bytes()));
    Effect { step: Step::Withdraw, op_id, reason: Some(reason) }
}
