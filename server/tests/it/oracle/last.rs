//! What must hold once a stream is over, whatever was in it.

use std::collections::BTreeMap;

use domain::{
    explanation::{event::Logged, replay},
    snapshot::EventLine,
};

use super::{difference::compare, play::Play};

impl Play<'_> {
    /// All invariants, on what Mooring has stored.
    pub async fn holds_to_the_last(&self) -> Result<(), String> {
        self.the_logs_are_the_same().await?;
        self.the_ledgers_are_the_same().await?;
        self.the_libraries_are_the_same().await
    }

    async fn the_logs_are_the_same(&self) -> Result<(), String> {
        for row in self.world.rows.values() {
            let id = row.task.id;
            let lines = self.real.timeline(id, 0).await;
            compare("length of the log", &lines.len(), &row.log.len())?;
            for (line, (logged, op)) in lines.iter().zip(&row.log) {
                let expected = EventLine { attempt: line.attempt, ..line_of(logged, *op) };
                compare("log", line, &expected)?;
            }
            speaks_in_order(&lines)?;
            stays_finished(&lines)?;
            let log = self.real.stage.store.log(id).await.map_err(|error| error.to_string())?;
            let head = self.real.stage.store.head(id).await.map_err(|error| error.to_string())?;
            let stored = head.map(|head| head.task);
            compare("the log replayed", &stored, &replay(id, &log))?;
            compare("the stored state", &stored.as_ref(), &Some(&row.task))?;
        }
        Ok(())
    }

    async fn the_ledgers_are_the_same(&self) -> Result<(), String> {
        let real: BTreeMap<_, _> = self.real.ledger().await.into_iter().map(|line| (line.key(), line)).collect();
        let all: std::collections::BTreeSet<_> = real.keys().chain(self.world.ledger.keys()).collect();
        for key in all {
            let (Some(found), Some(line)) = (real.get(key), self.world.ledger.get(key)) else {
                let here = if real.contains_key(key) { "Mooring" } else { "the oracle" };
                return Err(format!("only {here} has an operation {} of task {}", key.1, key.0));
            };
            let what = format!("operation {} ({})", key.1, found.kind);
            compare(&what, &(found.kind.as_str(), found.state.as_str()), &(line.kind.as_str(), line.state.as_str()))?;
            // A withdrawal keeps its reason, a command its answer.
            if line.fingerprint.is_some() {
                compare(&what, &found.answer(), &line.answer)?;
            }
        }
        Ok(())
    }

    async fn the_libraries_are_the_same(&self) -> Result<(), String> {
        let decisions: BTreeMap<_, _> = self.real.decisions().await.into_iter().collect();
        if decisions != self.world.shelf.decisions {
            let oracle = &self.world.shelf.decisions;
            return Err(format!("decisions: Mooring's library has {decisions:?}, the oracle's {oracle:?}"));
        }
        for owner in self.real.learners {
            let mut real = self.real.backend.library.list(owner).await.map_err(|error| error.to_string())?;
            real.sort_by_key(|entry| entry.task_id);
            let mine = |task| self.world.rows.get(task).is_some_and(|row| row.task.owner == owner);
            let oracle = self.world.shelf.entries.iter().filter(|(task, _)| mine(task));
            compare("library", &real, &oracle.map(|(_, entry)| entry.clone()).collect())?;
        }
        Ok(())
    }
}

fn line_of(logged: &Logged, op: Option<domain::id::OpId>) -> EventLine {
    let event = serde_json::to_value(&logged.event).unwrap();
    EventLine {
        seq: logged.seq,
        kind: logged.event.kind().to_owned(),
        at: logged.at,
        attempt: None,
        op_id: op,
        summary: logged.event.summary(),
        details: event["details"].clone(),
    }
}

/// Only the newest attempt is heard; a note of a late result names the one that was not.
fn speaks_in_order(lines: &[EventLine]) -> Result<(), String> {
    let mut newest = 0;
    for line in lines.iter().filter(|line| line.kind != "late_result_discarded") {
        if let Some(attempt) = line.attempt {
            if attempt < newest || line.kind == "claimed" && attempt == newest {
                return Err(format!("attempt {attempt} spoke after {newest} (event {})", line.seq));
            }
            newest = attempt;
        }
    }
    Ok(())
}

fn stays_finished(lines: &[EventLine]) -> Result<(), String> {
    let end = lines.iter().position(|line| ["save_confirmed", "cancelled"].contains(&line.kind.as_str()));
    let after = lines.iter().skip(end.map_or(lines.len(), |end| end + 1));
    match after.into_iter().find(|line| line.kind != "late_result_discarded") {
        Some(line) => Err(format!("a finished task got {} (event {})", line.kind, line.seq)),
        None => Ok(()),
    }
}
