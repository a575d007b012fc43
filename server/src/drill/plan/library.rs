//! A library in a database of its own that is away when the save is due: what cannot be found out waits for a
//! person, and whatever the person says, there is one entry or none.

use std::time::Duration;

use super::{
    Action, Arm, Boundary, Fault, Journey, Phase, Row, Setting,
    expect::{Cost, expected},
};

/// Time to take the library away before it is looked into.
const HOLD: Duration = Duration::from_millis(1500);

pub(super) fn rows() -> Vec<Row> {
    let before = ["look_again", "not_saved_save_now", "not_saved_stop"];
    let after = ["look_again", "was_saved", "not_saved_save_now", "not_saved_stop"];
    let away = before.map(|verdict| row("away before the save", verdict, false));
    let lost = after.map(|verdict| row("away after the save", verdict, true));
    away.into_iter().chain(lost).collect()
}

fn row(place: &str, verdict: &'static str, saved_before: bool) -> Row {
    let journey = Journey::Settle { saved_before, verdict };
    let setting = Setting { library_apart: true, ..Setting::default() };
    // The save was made and its answer lost; then the library goes before anybody can look.
    let faults = if saved_before {
        vec![
            Fault { boundary: Boundary::SaveAfterEffect, action: Action::Error, nth: 1 },
            Fault { boundary: Boundary::SaveBeforeFind, action: Action::Delay(HOLD), nth: 1 },
        ]
    } else {
        Vec::new()
    };
    Row {
        place: place.to_owned(),
        action: verdict.to_owned(),
        phase: Phase::Library,
        arm: Arm::Never,
        warm_up: false,
        servers: 1,
        setting,
        journey,
        twice: None,
        blow: None,
        expected: expected(journey, setting, Cost::default(), &faults, 0),
        short: false,
        faults,
    }
}
