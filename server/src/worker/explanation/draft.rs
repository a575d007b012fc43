//! The step that asks the model.

use std::time::Instant;

use domain::{
    explanation::Command,
    fault::{Code, Problem},
    snapshot::Usage,
    text::DraftText,
};

use super::{Came, Interrupted, Next, Run, last_try::Begun, write::Outcome};
use crate::{
    faults::{Boundary, Pass},
    model::{Drafted, ModelError, Prompt},
    store::{Head, StoreError},
};

/// What the model wrote, fit to be stored.
struct Written {
    text: DraftText,
    incomplete: bool,
    usage: Option<Usage>,
}

/// No draft, and what the model counted for that.
struct Unwritten {
    error: ModelError,
    usage: Option<Usage>,
}

impl From<ModelError> for Unwritten {
    fn from(error: ModelError) -> Self {
        Self { error, usage: None }
    }
}

impl Run<'_> {
    /// Asks the model for a draft and writes it as the next version, with its proposal.
    pub(super) async fn draft(&self, head: Head, step: Next) -> Result<Came, Interrupted> {
        let mut outcome =
            Outcome { step: step.step, op_id: step.op_id, began: Instant::now(), text: None, result_in_hand: false };
        let (head, _turn) = match self.begin(head, &outcome, &step).await? {
            Begun::GivenUp(came) => return Ok(came),
            Begun::On { head, turn } => (head, turn),
        };
        // Nobody is asked for a task that another has taken meanwhile. Where it was read just now, this costs nothing.
        let head = self.worker.store.held(self.claim, &head).await?;
        let task = &head.task;
        if task.terms.model_calls <= task.known.model_calls {
            let problem = Problem::new("budget_used_up").with("calls", task.terms.model_calls);
            return self.fail(&head, &outcome, &problem, false, None, None).await;
        }
        if u64::from(task.terms.model_tokens) <= task.known.model_tokens {
            let problem = Problem::new("budget_used_up").with("tokens", task.terms.model_tokens);
            return self.fail(&head, &outcome, &problem, false, None, None).await;
        }
        let prompt = self.prompt(&head, step.content).await?;
        let Written { text, incomplete, usage } = match self.ask_model(&prompt).await? {
            Ok(written) => written,
            Err(Unwritten { error, usage }) => {
                tracing::info!(task.id = %self.claim.task_id, attempt = self.claim.fence, error = &error as &dyn std::error::Error, "a draft failed");
                return self
                    .fail(&head, &outcome, &error.problem(), error.worth_retrying(), error.asked_to_wait(), usage)
                    .await;
            }
        };
        outcome.result_in_hand = true;
        outcome.text = Some(text.as_str());
        let model = &self.asks.model;
        let wrote = self
            .write(&head, &outcome, |_, _| Command::Drafted {
                hash: text.hash(),
                produced_by: model.name().to_owned(),
                simulated: model.simulated(),
                incomplete,
                usage,
            })
            .await?;
        self.attempt.pass(Boundary::DraftAfterCommit).await?;
        Ok((wrote.head, wrote.next))
    }

    /// The evidence and the question, nothing else.
    async fn prompt(&self, head: &Head, content: Option<String>) -> Result<Prompt, Interrupted> {
        let content = match content {
            Some(seen) => Some(seen),
            None => self.worker.store.newest_content(self.claim.task_id).await?,
        };
        let (Some(content), Some(evidence)) = (content, head.task.newest_evidence()) else {
            return Err(Interrupted::Store(StoreError::Unreadable("a draft without evidence".to_owned())));
        };
        Ok(Prompt {
            title: head.task.title.clone(),
            question: head.task.question.clone(),
            content,
            source_version: evidence.source_version.0.clone(),
        })
    }

    async fn ask_model(&self, prompt: &Prompt) -> Result<Result<Written, Unwritten>, Interrupted> {
        let before = self.attempt.pass(Boundary::DraftBeforeCall).await?;
        let mut drafted = self.call_model(prompt).await;
        if self.attempt.pass(Boundary::DraftAfterCall).await? == Pass::Repeat || before == Pass::Repeat {
            drafted = self.call_model(prompt).await;
        }
        Ok(drafted)
    }

    async fn call_model(&self, prompt: &Prompt) -> Result<Written, Unwritten> {
        let call = self.asks.model.draft(prompt);
        let Drafted { text, incomplete, usage } =
            tokio::time::timeout(self.worker.settings.step_timeout, call).await.unwrap_or(Err(ModelError::TimedOut))?;
        let text = DraftText::from_machine(&text).map_err(|fault| {
            let error = match fault.code {
                Code::TooLong => ModelError::TooLarge { limit: DraftText::LIMIT },
                _ => ModelError::Empty,
            };
            Unwritten { error, usage }
        })?;
        Ok(Written { text, incomplete, usage })
    }
}
