//! What a learner does in a row, and what is done to the servers meanwhile. What comes of it is not judged here.

use std::time::{Duration, Instant};

use domain::text::Hash;
use rand::rngs::StdRng;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    DrillError,
    learner::{Answer, Learner},
    plan::{Arm, Blow, Journey, Moment, Row},
    stage::{Signal, Stage},
};
use crate::{calls::Call, faults::Boundary};

/// The record that the task is about; the warm-up has another.
pub const RECORD: &str = "wheel-throwing";
const WARM_UP: &str = "sourdough";

/// What a process has to do before it is struck comes soon, or never.
const SOON: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Where a task may end.
const ENDS: [&str; 6] =
    ["saved", "cancelled", "needs_checking", "draft_failed", "source_missing", "source_unavailable"];

/// How it went, as the learner saw it.
#[derive(Debug)]
pub struct Travelled {
    pub task: Uuid,
    /// The hash of the text that was accepted.
    pub accepted: Hash,
    /// Calls that belong to what came before.
    pub calls_before: usize,
    pub on_the_way: Option<String>,
    /// For a cancel: whether it was said to be done.
    pub cancelled: Option<bool>,
    /// Whether everything was answered the same when it was asked again.
    pub answers: String,
}

/// One learner on one stage.
pub struct Traveller<'a> {
    pub stage: &'a Stage<'a>,
    pub row: &'a Row,
    pub learner: Learner,
}

/// Signs up, and goes through the row's journey to its end.
pub async fn travel(stage: &Stage<'_>, row: &Row, chance: StdRng) -> Result<Travelled, DrillError> {
    let learner = Learner::sign_up(stage.doors(), chance).await?;
    let mut traveller = Traveller { stage, row, learner };
    if row.warm_up {
        let task = traveller.start(WARM_UP, false).await?;
        traveller.learner.wait(task, &["awaiting_review"]).await?;
    }
    let calls_before = stage.calls()?.len();
    if row.arm == Arm::AtStart {
        stage.arm().await?;
    }
    traveller.through(calls_before).await
}

impl Traveller<'_> {
    async fn through(&mut self, calls_before: usize) -> Result<Travelled, DrillError> {
        let task = self.start(RECORD, self.row.twice == Some("start")).await?;
        let mut struck = self.strike(Moment::Drafting, calls_before).await?;
        let text = format!("Bring an apron and a towel.\nThis is what I was told for {}.", self.row.name());
        let mut way = Travelled {
            task,
            accepted: Hash::of(&text),
            calls_before,
            on_the_way: None,
            cancelled: None,
            answers: String::new(),
        };
        if self.row.journey == Journey::CancelWhileDrafting {
            self.until("the model was called", async |t| t.model_calls(calls_before)).await?;
            way.cancelled = Some(self.cancel(task).await?);
        } else {
            let seen = self.learner.wait(task, &["awaiting_review"]).await?;
            let edit = json!({ "base_version": seen["draft_version"], "text": text });
            self.tell("edit", task, edit).await?;
            let accept = accept(&seen, &way.accepted);
            match self.row.journey {
                Journey::CancelAtReview => way.cancelled = Some(self.cancel(task).await?),
                Journey::AcceptAgainstCancel => {
                    let (_, cancel) = self.learner.both(task, ("accept", accept), ("cancel", json!({}))).await?;
                    way.cancelled = Some(matches!(cancel, Answer::Done { .. }));
                }
                Journey::Settle { saved_before, verdict } => {
                    let (seen, settled) = self.settle(task, accept, saved_before, verdict).await?;
                    way.on_the_way = Some(seen);
                    way.cancelled = (verdict == "not_saved_stop").then_some(settled);
                }
                Journey::CancelWhileSaving => {
                    self.tell("accept", task, accept).await?;
                    self.reached(Boundary::SaveBeforeEffect).await?;
                    way.cancelled = Some(self.cancel(task).await?);
                }
                Journey::Save | Journey::CancelWhileDrafting => {
                    self.tell("accept", task, accept).await?;
                    if let Some(Moment::At(boundary)) = self.row.blow.map(Blow::moment) {
                        self.reached(boundary).await?;
                        struck = self.strike(Moment::At(boundary), calls_before).await?;
                    }
                }
            }
        }
        self.learner.wait(task, &ENDS).await?;
        if let (Some(server), Some(Blow::Stop(_))) = (struck, self.row.blow) {
            self.stage.signal(server, Signal::CONT);
        }
        if self.row.freezes() || matches!(self.row.blow, Some(Blow::Stop(_))) {
            self.stage.let_thaw().await;
        }
        way.answers = self.learner.ask_all_again().await?;
        Ok(way)
    }

    async fn start(&mut self, record: &str, twice: bool) -> Result<Uuid, DrillError> {
        let task = self.learner.fresh_id();
        let fields = json!({ "record_id": record, "question": "What should I bring?" });
        match self.learner.command("start", task, fields, twice).await? {
            Answer::Done { .. } => Ok(task),
            Answer::Refused(code) => Err(DrillError::Unexpected(format!("the start was refused: {code}"))),
        }
    }

    /// A command that has to be done.
    async fn tell(&mut self, verb: &str, task: Uuid, fields: Value) -> Result<(), DrillError> {
        let twice = self.row.twice == Some(verb);
        match self.learner.command(verb, task, fields, twice).await? {
            Answer::Done { .. } => Ok(()),
            Answer::Refused(code) => Err(DrillError::Unexpected(format!("{verb} was refused: {code}"))),
        }
    }

    /// A cancel may lose; whether it did is what its reply says.
    async fn cancel(&mut self, task: Uuid) -> Result<bool, DrillError> {
        let twice = self.row.twice == Some("cancel");
        Ok(matches!(self.learner.command("cancel", task, json!({}), twice).await?, Answer::Done { .. }))
    }

    /// The library goes away, the task waits for a person, the library comes back, and the person decides. Gives
    /// the state it waited in, and whether the verdict was carried out.
    async fn settle(
        &mut self,
        task: Uuid,
        accept: Value,
        saved_before: bool,
        verdict: &str,
    ) -> Result<(String, bool), DrillError> {
        if saved_before {
            self.tell("accept", task, accept).await?;
            self.reached(Boundary::SaveBeforeFind).await?;
            self.stage.take_library_away().await?;
        } else {
            self.stage.take_library_away().await?;
            self.tell("accept", task, accept).await?;
        }
        let seen = self.learner.wait(task, &ENDS).await?;
        self.stage.bring_library_back().await?;
        let settle = json!({ "verdict": verdict, "note": "looked at by the drill" });
        // To stop what was saved is too late, and the reply has to say so.
        let done = matches!(self.learner.command("settle", task, settle, false).await?, Answer::Done { .. });
        Ok((seen["state"].as_str().unwrap_or_default().to_owned(), done))
    }

    /// Strikes the process that holds the task, if this is the moment; gives the server it was.
    async fn strike(&self, moment: Moment, calls_before: usize) -> Result<Option<usize>, DrillError> {
        let Some(blow) = self.row.blow.filter(|blow| blow.moment() == moment) else { return Ok(None) };
        let holder = match moment {
            // The call itself names the process that made it.
            Moment::Drafting => {
                self.until("the model was called", async |t| {
                    Ok(t.model_calls(calls_before)?.and_then(|pid| t.stage.with_pid(pid)))
                })
                .await?
            }
            Moment::At(boundary) => {
                self.until("a process said that it was struck", async |t| Ok(t.stage.struck_at(boundary))).await?
            }
        };
        self.stage.signal(
            holder,
            match blow {
                Blow::Kill(_) => Signal::KILL,
                Blow::Stop(_) => Signal::STOP,
                Blow::Term(_) => Signal::TERM,
            },
        );
        Ok(Some(holder))
    }

    /// The process that called the model last.
    fn model_calls(&self, before: usize) -> Result<Option<u32>, DrillError> {
        Ok(self.stage.calls()?.iter().skip(before).rev().find_map(|call| match call {
            Call::Model { process, .. } => Some(*process),
            Call::Source { .. } => None,
        }))
    }

    async fn reached(&self, boundary: Boundary) -> Result<(), DrillError> {
        let here = self.row.faults.iter().filter(|fault| fault.boundary == boundary);
        let nth = here.map(|fault| fault.nth).max().unwrap_or(1);
        self.until(boundary.as_str(), async |t| Ok((nth <= t.stage.rows.reached(boundary).await?).then_some(()))).await
    }

    /// Waits for a fact, for as long as it may take.
    async fn until<T>(
        &self,
        what: &str,
        fact: impl AsyncFn(&Self) -> Result<Option<T>, DrillError>,
    ) -> Result<T, DrillError> {
        let start = Instant::now();
        loop {
            if let Some(found) = fact(self).await? {
                return Ok(found);
            }
            if SOON < start.elapsed() {
                return Err(DrillError::Unexpected(format!("it did not come true that {what}")));
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

/// The acceptance of the second version, on the evidence that was seen.
fn accept(seen: &Value, hash: &Hash) -> Value {
    let evidence = seen["evidence"].as_array().and_then(|all| all.last());
    json!({
        "draft_version": seen["draft_version"].as_u64().map(|version| version + 1),
        "draft_hash": hash,
        "seen_source_version": evidence.map(|newest| newest["source_version"].clone()),
    })
}
