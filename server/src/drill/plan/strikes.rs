//! Each boundary, each action that makes sense there, each phase, with one server that is started again.

use std::time::Duration;

use serde::Serialize;

use super::{
    ARMED, Action, Arm, Boundary, Fault, Journey, Phase, Row, boundary,
    expect::{Cost, expected},
};
use crate::drill::verdict::Want;

/// Long enough for a cancel to come while the save waits; a save that was withdrawn waits no longer.
pub(super) const HELD: Duration = Duration::from_secs(10);

/// Long enough for a cancel to come while the model thinks.
const THINKING: Duration = Duration::from_secs(3);

/// Any lease: which combinations make sense does not depend on it.
const ANY: Duration = Duration::from_secs(1);

/// A combination without a row.
#[derive(Clone, Debug, Serialize)]
pub struct LeftOut {
    pub boundary: &'static str,
    pub action: &'static str,
    pub why: &'static str,
}

/// All combinations that make no sense, each with its reason.
pub fn left_out() -> Vec<LeftOut> {
    let mut out = Vec::new();
    for at in Boundary::ALL {
        for action in boundary::actions(*at, ANY) {
            if let Some(why) = boundary::no_sense(*at, action) {
                out.push(LeftOut { boundary: at.as_str(), action: word(action), why });
            }
        }
    }
    out
}

pub(super) fn rows(lease: Duration) -> Vec<Row> {
    let mut rows = Vec::new();
    for at in Boundary::ALL {
        let makes_sense = |action: &Action| boundary::no_sense(*at, *action).is_none();
        for action in boundary::actions(*at, lease).into_iter().filter(makes_sense) {
            let strike = |phase, journey, where_else| strike(*at, action, phase, journey, where_else, lease);
            for phase in [Phase::Before, Phase::During, Phase::After] {
                rows.push(strike(phase, journey(*at), ""));
            }
            if boundary::verb(*at) == Some("cancel") {
                rows.push(strike(Phase::Before, Journey::CancelAtReview, " at review"));
                rows.push(strike(Phase::Before, Journey::CancelWhileDrafting, " while drafting"));
            }
        }
    }
    rows
}

/// Cancelling is hardest while the save is under way.
pub(super) fn journey(at: Boundary) -> Journey {
    if boundary::verb(at) == Some("cancel") { Journey::CancelWhileSaving } else { Journey::Save }
}

fn strike(at: Boundary, action: Action, phase: Phase, journey: Journey, where_else: &str, lease: Duration) -> Row {
    let crash = |boundary| Fault { boundary, action: Action::Abort, nth: 1 };
    let mut setting = boundary::setting(at, action, lease);
    if journey == Journey::CancelWhileDrafting {
        setting.model_delay = THINKING;
    }
    let armed = phase == Phase::After || (at == Boundary::Sweep && phase == Phase::Before);
    let nth = |n| if armed { ARMED } else { n };
    let (first, arm, strikes_at) = match (phase, at) {
        // Sweeps are many; the one that matters is the first of the process that recovers.
        (Phase::During, Boundary::Sweep) => (vec![crash(Boundary::ClaimAfterCommit)], Arm::AtFirstDeath, ARMED),
        (Phase::During, _) => {
            let (before, nth) = boundary::crash_before(at);
            (vec![crash(before)], Arm::Never, nth)
        }
        _ => (Vec::new(), if armed { Arm::AtStart } else { Arm::Never }, nth(1)),
    };
    let warm_up = (phase == Phase::After).then(|| crash(Boundary::LookupBeforeCall));
    let needed = needed(at, phase, journey).map(|(boundary, action)| {
        let passed_before = first.iter().filter(|fault| fault.boundary == boundary).count() as u64;
        Fault { boundary, action, nth: nth(1 + passed_before) }
    });
    let on_task: Vec<Fault> =
        first.into_iter().chain(needed).chain([Fault { boundary: at, action, nth: strikes_at }]).collect();
    let mut cost = Cost::of(&on_task);
    if phase == Phase::During && action == Action::Repeat {
        // The other of two requests may be carried out, and a worker set to work, just before the process dies.
        let maybe = (0, 1);
        cost = match boundary::verb(at) {
            Some("start") => cost.plus(Cost { source: maybe, model: maybe, claims: maybe, ..Cost::default() }),
            Some("accept") => cost.plus(Cost { claims: maybe, ..Cost::default() }),
            _ => cost,
        };
    }
    let faults: Vec<Fault> = warm_up.into_iter().chain(on_task).collect();
    let mut expected = expected(journey, setting, cost, &faults, 0);
    if phase == Phase::During && action == Action::Repeat && boundary::is_command(at) {
        // Of two requests at once, one meets the crash, and the other may be counted by the process that dies.
        expected = expected.instead("faults acted", Want::Between(faults.len() as u64 - 1, faults.len() as u64));
    }
    Row {
        place: at.as_str().to_owned(),
        action: format!("{action}{where_else}"),
        phase,
        arm,
        warm_up: phase == Phase::After,
        servers: 1,
        setting,
        journey,
        twice: (action == Action::Repeat).then(|| repeated(at)).flatten(),
        blow: None,
        expected,
        short: phase == Phase::Before && where_else.is_empty() && word(action) == most_telling(at),
        faults,
    }
}

/// What else has to happen for the boundary to be reached.
fn needed(at: Boundary, phase: Phase, journey: Journey) -> Option<(Boundary, Action)> {
    match (at, phase) {
        // A save is looked up only where it may have happened; during a recovery, the crash sees to that.
        (Boundary::SaveBeforeFind, Phase::During) => None,
        (Boundary::SaveBeforeFind, _) => Some((Boundary::SaveAfterEffect, Action::Error)),
        _ => (journey == Journey::CancelWhileSaving).then_some((Boundary::SaveBeforeEffect, Action::Delay(HELD))),
    }
}

/// The command that is sent twice where a step of the server cannot repeat itself.
fn repeated(at: Boundary) -> Option<&'static str> {
    if at == Boundary::ReplyLost { Some("start") } else { boundary::verb(at) }
}

pub(super) fn word(action: Action) -> &'static str {
    match action {
        Action::Abort => "abort",
        Action::Error => "error",
        Action::Delay(_) => "delay",
        Action::Repeat => "repeat",
        Action::Freeze => "freeze",
    }
}

/// One action a boundary for a short drill: a death, or what only this boundary shows.
fn most_telling(at: Boundary) -> &'static str {
    match at {
        Boundary::LookupBeforeCall => "error",
        Boundary::DraftBeforeCall => "freeze",
        Boundary::EditBeforeCommit | Boundary::SaveBeforeEffect => "repeat",
        _ => "abort",
    }
}
