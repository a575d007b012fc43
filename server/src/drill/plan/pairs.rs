//! Two servers at once on one database: one is struck, killed, stopped or asked to end, and the other finishes
//! without a restart; and both are asked the same thing in the same instant.

use std::time::Duration;

use super::{
    ARMED, Action, Arm, Blow, Boundary, Fault, Journey, Moment, Phase, Row, Setting, boundary,
    expect::{Cost, expected},
    strikes::{HELD, journey, word},
};

/// Long enough to find the process that waits, and to strike it.
const HOLD: Duration = Duration::from_millis(1500);

pub(super) fn rows(lease: Duration) -> Vec<Row> {
    [struck(lease), signalled(), raced()].concat()
}

fn pair(place: &str, action: String) -> Row {
    Row {
        place: place.to_owned(),
        action,
        phase: Phase::Two,
        faults: Vec::new(),
        arm: Arm::Never,
        warm_up: false,
        servers: 2,
        setting: Setting::default(),
        journey: Journey::Save,
        twice: None,
        blow: None,
        expected: expected(Journey::Save, Setting::default(), Cost::default(), &[], 0),
        short: false,
    }
}

/// Both have the plan and the count is shared: whoever comes by first is struck, the other goes on.
fn struck(lease: Duration) -> Vec<Row> {
    let mut rows = Vec::new();
    for at in Boundary::ALL {
        for action in [Action::Abort, Action::Freeze] {
            if boundary::no_sense(*at, action).is_some() {
                continue;
            }
            let (setting, journey) = (boundary::setting(*at, action, lease), journey(*at));
            let sweeps = *at == Boundary::Sweep;
            let needed = match *at {
                Boundary::SaveBeforeFind => Some((Boundary::SaveAfterEffect, Action::Error)),
                _ => {
                    (journey == Journey::CancelWhileSaving).then_some((Boundary::SaveBeforeEffect, Action::Delay(HELD)))
                }
            };
            let strike = Fault { boundary: *at, action, nth: if sweeps { ARMED } else { 1 } };
            let needed = needed.map(|(boundary, action)| Fault { boundary, action, nth: 1 });
            let faults: Vec<Fault> = needed.into_iter().chain([strike]).collect();
            rows.push(Row {
                arm: if sweeps { Arm::AtStart } else { Arm::Never },
                setting,
                journey,
                expected: expected(journey, setting, Cost::of(&faults), &faults, 0),
                faults,
                ..pair(at.as_str(), word(action).to_owned())
            });
        }
    }
    rows
}

/// The process that holds the task gets a signal, at three moments.
fn signalled() -> Vec<Row> {
    let mut rows = Vec::new();
    let moments = [
        ("drafting", Moment::Drafting),
        ("about to save", Moment::At(Boundary::SaveBeforeEffect)),
        ("saved and not yet written", Moment::At(Boundary::SaveAfterEffect)),
    ];
    for (name, moment) in moments {
        for (signal, blow) in
            [("SIGKILL", Blow::Kill(moment)), ("SIGSTOP", Blow::Stop(moment)), ("SIGTERM", Blow::Term(moment))]
        {
            let drafting = moment == Moment::Drafting;
            let setting = Setting { model_delay: if drafting { HOLD } else { Duration::ZERO }, ..Setting::default() };
            let faults: Vec<Fault> = match moment {
                Moment::Drafting => Vec::new(),
                Moment::At(boundary) => vec![Fault { boundary, action: Action::Delay(HOLD), nth: 1 }],
            };
            let late = if matches!(blow, Blow::Stop(_)) { (0, 1) } else { (0, 0) };
            let model = if drafting { (1, 1) } else { (0, 0) };
            let cost = Cost { model, claims: (1, 1), late, ..Cost::default() };
            let killed = u64::from(matches!(blow, Blow::Kill(_)));
            rows.push(Row {
                setting,
                blow: Some(blow),
                expected: expected(Journey::Save, setting, cost, &faults, killed),
                faults,
                ..pair(&format!("holder {name}"), signal.to_owned())
            });
        }
    }
    rows
}

/// The same command through both doors at once; and two that exclude each other.
fn raced() -> Vec<Row> {
    let same = ["start", "edit", "accept"].map(|verb| Row { twice: Some(verb), ..pair(verb, "at both".to_owned()) });
    let cancel = Journey::CancelAtReview;
    let none = Setting::default();
    let cancelled = Row {
        twice: Some("cancel"),
        journey: cancel,
        expected: expected(cancel, none, Cost::default(), &[], 0),
        ..pair("cancel", "at both".to_owned())
    };
    let against = Journey::AcceptAgainstCancel;
    let opposed = Row {
        journey: against,
        expected: expected(against, none, Cost::default(), &[], 0),
        ..pair("accept", "against cancel".to_owned())
    };
    same.into_iter().chain([cancelled, opposed]).collect()
}
