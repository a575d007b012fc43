//! The steps of an explanation: asking the source, the model and the library, and writing what came
//! of it under the fence.

mod draft; // the step that asks the model
mod last_try; // a call that kills its process takes no other along
mod look; // the steps that ask the source
mod save; // the steps that ask the library
mod write; // deciding and writing, under the fence

use std::sync::Arc;

use async_trait::async_trait;
use domain::{
    explanation::{Effect, StateName, Step},
    id::OpId,
    task::Kind,
};
use tracing::Instrument as _;

use super::{Attempt, Interrupted, Steps, Worker};
use crate::{
    library::Library,
    model::Model,
    sources::Source,
    store::{Claim, Head, StoreError, Taken},
};

/// What explanations ask. Each is behind a port.
pub struct Explaining {
    pub source: Arc<dyn Source>,
    pub model: Arc<dyn Model>,
    pub library: Arc<dyn Library>,
}

#[async_trait]
impl Steps for Explaining {
    fn kind(&self) -> Kind {
        Kind::Explanation
    }

    fn steps(&self) -> Vec<&'static str> {
        Step::ALL.map(Step::as_str).to_vec()
    }

    fn states(&self) -> Vec<&'static str> {
        StateName::ALL.map(StateName::as_str).to_vec()
    }

    async fn carry(&self, attempt: &Attempt<'_>, taken: Taken) -> Result<(), Interrupted> {
        let run = Run { attempt, worker: attempt.worker, claim: attempt.claim, asks: self };
        let step =
            Step::parse(&taken.step).ok_or_else(|| StoreError::Unreadable(format!("a step named {}", taken.step)))?;
        let Taken { op_id, may_have_happened, taken_over, .. } = taken;
        let mut next = Some(Next { step, op_id, may_have_happened, taken_over, content: None });
        let mut head = Head::of_claim(attempt.claim, taken)?;
        while let Some(step) = next {
            let span = tracing::info_span!("step", operation.id = %step.op_id, step = step.step.as_str());
            let carried = async {
                match step.step {
                    Step::LookUp | Step::Recheck => run.look(head, step).await,
                    Step::Draft => run.draft(head, step).await,
                    Step::Save => run.save(head, step).await,
                    Step::Withdraw => run.withdraw(step).await,
                }
            };
            (head, next) = carried.instrument(span).await?;
        }
        Ok(())
    }
}

/// One attempt at an explanation.
struct Run<'a> {
    attempt: &'a Attempt<'a>,
    worker: &'a Worker,
    claim: &'a Claim,
    asks: &'a Explaining,
}

/// A step to take: what, under which operation, and what is known of earlier tries.
#[derive(Debug)]
struct Next {
    step: Step,
    op_id: OpId,
    may_have_happened: bool,
    taken_over: bool,
    /// The content of the newest evidence, where it was seen a moment ago.
    content: Option<String>,
}

impl Next {
    fn fresh(effect: &Effect) -> Self {
        Self { step: effect.step, op_id: effect.op_id, may_have_happened: false, taken_over: false, content: None }
    }
}

/// What a step came to: the task as it is now, and the step that goes on under the same lease.
type Came = (Head, Option<Next>);
