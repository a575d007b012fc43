//! Four witnesses, none of which is the workflow: the library's rows, the ledger of operations, and the source's
//! and the model's own logs of their calls. The log of events is asked as well, and the processes.

use std::collections::BTreeSet;

use super::{
    DrillError,
    journey::{RECORD, Travelled},
    postgres::rows::Operation,
    stage::Stage,
    verdict::Observed,
};
use crate::calls::Call;

const COMMANDS: [&str; 5] = ["start", "edit", "accept", "cancel", "settle"];
const EFFECTS: [&str; 5] = ["look_up", "draft", "recheck", "save", "withdraw"];
const EVENTS: [&str; 6] = ["started", "edited", "accepted", "settled", "save_confirmed", "cancelled"];

/// Asks all of them, after everything has ended.
pub async fn ask(stage: &Stage<'_>, way: &Travelled) -> Result<Observed, DrillError> {
    let mut observed = Observed::default();
    let ledger = stage.rows.operations(way.task).await?;
    let end = stage.rows.state(way.task).await?;
    observed.saw("end", &format!("{end}, {}", library(stage, way, &ledger).await?));
    if let Some(cancelled) = way.cancelled.filter(|_| is_race(&ledger)) {
        let agree = cancelled == (end == "cancelled");
        let said = if cancelled { "done" } else { "refused" };
        observed.saw(
            "reply and end",
            &if agree { "agree".to_owned() } else { format!("the cancel was {said}, the task is {end}") },
        );
    }
    if let Some(state) = &way.on_the_way {
        observed.saw("on the way", state);
    }
    observed.saw("answers", &way.answers);
    operations(&ledger, &mut observed);
    events(stage, way, &mut observed).await?;
    calls(stage, way, &mut observed)?;
    let acted = stage.faults_acted();
    let reached = stage.reached().await?;
    observed.saw(
        "faults acted",
        &if reached { acted.to_string() } else { format!("{acted}, and a boundary was not reached") },
    );
    observed.saw("deaths", &stage.deaths());
    Ok(observed)
}

/// Only where a save was asked for can it and the cancel exclude each other.
fn is_race(ledger: &[Operation]) -> bool {
    ledger.iter().any(|op| op.kind == "accept")
}

/// How many entries there are, and whether it is the text that was accepted, under the operation that the ledger
/// knows, by the one decision there is.
async fn library(stage: &Stage<'_>, way: &Travelled, ledger: &[Operation]) -> Result<String, DrillError> {
    let entries = stage.rows.entries().await?;
    let [entry] = entries.as_slice() else {
        return Ok(format!("{} entries", entries.len()));
    };
    let saves: Vec<_> = ledger.iter().filter(|op| op.kind == "save").collect();
    let decisions = stage.rows.decisions(way.task).await?;
    let text = domain::text::Hash::of(&entry.text);
    Ok(if text != way.accepted || entry.hash != way.accepted.as_str() {
        "1 entry, another text than was accepted".to_owned()
    } else if !matches!(saves.as_slice(), [save] if save.op_id == entry.op_id) {
        "1 entry, under another operation than the ledger's".to_owned()
    } else if decisions != 1 || entry.outcome != "saved" {
        format!("1 entry, by {decisions} decisions, {}", entry.outcome)
    } else {
        "1 entry, as accepted".to_owned()
    })
}

fn operations(ledger: &[Operation], observed: &mut Observed) {
    let of = |kind: &str| ledger.iter().filter(|op| op.kind == kind).collect::<Vec<_>>();
    let commands = COMMANDS.iter().flat_map(|kind| of(kind)).map(|op| format!("{} {}", op.kind, op.state));
    observed.saw("commands", &commands.collect::<Vec<_>>().join(", "));
    observed.saw("effects", &counts(EFFECTS.iter().map(|kind| (*kind, of(kind).len()))));
    let is_open = |op: &&Operation| !matches!(op.state.as_str(), "done" | "failed");
    let open: Vec<&str> = ledger.iter().filter(is_open).map(|op| op.kind.as_str()).collect();
    observed.saw("open operations", &if open.is_empty() { "none".to_owned() } else { open.join(", ") });
}

async fn events(stage: &Stage<'_>, way: &Travelled, observed: &mut Observed) -> Result<(), DrillError> {
    let events = stage.rows.events(way.task).await?;
    let of = |kind: &str| events.iter().find(|(k, _)| k == kind).map_or(0, |(_, n)| usize::try_from(*n).unwrap_or(0));
    observed.saw("events", &counts(EVENTS.iter().map(|kind| (*kind, of(kind)))));
    observed.saw("claims", &of("claimed"));
    observed.saw("late results", &of("late_result_discarded"));
    Ok(())
}

fn calls(stage: &Stage<'_>, way: &Travelled, observed: &mut Observed) -> Result<(), DrillError> {
    let calls = stage.calls()?;
    let calls = calls.get(way.calls_before..).unwrap_or_default();
    let is_look = |call: &&Call| matches!(call, Call::Source { record: Some(record), .. } if record == RECORD);
    observed.saw("source calls", &calls.iter().filter(is_look).count());
    let prompts: Vec<&String> = calls
        .iter()
        .filter_map(|call| match call {
            Call::Model { prompt, .. } => Some(prompt),
            Call::Source { .. } => None,
        })
        .collect();
    let different = prompts.iter().collect::<BTreeSet<_>>().len();
    let said = prompts.len().to_string();
    observed.saw("model calls", &if different < 2 { said } else { format!("{said}, with {different} prompts") });
    Ok(())
}

fn counts<'a>(of: impl Iterator<Item = (&'a str, usize)>) -> String {
    let some = of.filter(|(_, n)| 0 < *n).map(|(kind, n)| format!("{kind} {n}"));
    some.collect::<Vec<_>>().join(", ")
}
