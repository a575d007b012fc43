//! The steps that ask the source: the first look, and every later one.

use std::time::Instant;

use domain::{
    explanation::{Command, EvidenceRef, Looked, Step, command::Reason},
    record::Observation,
};

use super::{Came, Interrupted, Next, Run, last_try::Begun, write::Outcome};
use crate::{
    faults::{Boundary, Pass},
    sources::{SourceError, one_line},
    store::Head,
};

impl Run<'_> {
    /// Looks the record up and writes what was seen.
    pub(super) async fn look(&self, head: Head, step: Next) -> Result<Came, Interrupted> {
        let mut outcome =
            Outcome { step: step.step, op_id: step.op_id, began: Instant::now(), text: None, result_in_hand: false };
        let (head, _turn) = match self.begin(head, &outcome, &step).await? {
            Begun::GivenUp(came) => return Ok(came),
            Begun::On { head, turn } => (head, turn),
        };
        // Nobody is asked for a task that another has taken meanwhile. Where it was read just now, this costs nothing.
        let head = self.worker.store.held(self.claim, &head).await?;
        let seen = match self.ask_source(&head, step.step).await? {
            Ok(seen) => Ok(seen),
            Err(error) if error.is_missing() => Err(error.problem().with("record", &head.task.record_id)),
            Err(error) => {
                tracing::info!(task.id = %self.claim.task_id, attempt = self.claim.fence, error = &error as &dyn std::error::Error, "a look-up failed");
                return self
                    .fail(&head, &outcome, &error.problem(), error.worth_retrying(), error.asked_to_wait(), None)
                    .await;
            }
        };
        outcome.result_in_hand = true;
        outcome.text = seen.as_ref().ok().map(|s| s.content.as_str());
        let source = &self.asks.source;
        let wrote = self
            .write(&head, &outcome, |_, now| {
                Command::Looked(match &seen {
                    Ok(seen) => Looked::Found {
                        evidence: EvidenceRef::of(&source.name(), source.adapter(), seen, now),
                        title: seen.title.clone(),
                    },
                    Err(problem) => Looked::Missing(problem.clone()),
                })
            })
            .await?;
        if let Some(mut effect) = wrote.withdraw {
            if let (Some(Reason::Moved { content, .. }), Some(text)) = (&mut effect.reason, outcome.text) {
                text.clone_into(content);
            }
            return self.begin_withdrawal(&wrote.head, &effect).await;
        }
        if step.step == Step::LookUp && seen.is_ok() {
            self.attempt.pass(Boundary::EvidenceAfterCommit).await?;
        }
        let mut next = wrote.next;
        if let (Some(next), Ok(seen)) = (&mut next, seen)
            && next.step == Step::Draft
        {
            next.content = Some(seen.content);
        }
        Ok((wrote.head, next))
    }

    async fn ask_source(&self, head: &Head, step: Step) -> Result<Result<Observation, SourceError>, Interrupted> {
        let first = step == Step::LookUp;
        let mut pass = Pass::On;
        if first {
            pass = self.attempt.pass(Boundary::LookupBeforeCall).await?;
        }
        let mut seen = self.call_source(head).await;
        let after = if first { Boundary::LookupAfterCall } else { Boundary::RecheckAfterCall };
        if self.attempt.pass(after).await? == Pass::Repeat || pass == Pass::Repeat {
            seen = self.call_source(head).await;
        }
        Ok(seen)
    }

    async fn call_source(&self, head: &Head) -> Result<Observation, SourceError> {
        let call = self.asks.source.look_up(&head.task.record_id);
        let seen = tokio::time::timeout(self.worker.settings.step_timeout, call)
            .await
            .unwrap_or(Err(SourceError::TimedOut))?;
        bounded(seen)
    }
}

/// What is stored must be storable: bounded, and without characters that nobody typed.
fn bounded(mut seen: Observation) -> Result<Observation, SourceError> {
    if Observation::LIMIT < seen.content.len() {
        return Err(SourceError::TooLarge { limit: Observation::LIMIT });
    }
    let odd = |c: char| c.is_control() && !"\n\t".contains(c);
    if seen.content.contains(odd) {
        seen.content = seen.content.replace("\r\n", "\n").replace(odd, "");
    }
    if seen.content.trim().is_empty() {
        return Err(SourceError::Malformed("the record is empty".to_owned()));
    }
    seen.title = one_line(&seen.title);
    seen.source_version.0 = one_line(&seen.source_version.0);
    Ok(seen)
}
