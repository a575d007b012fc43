//! What makes sense at a boundary, what it needs to be reached, and what a blow there may cost.

use std::time::Duration;

use super::{Setting, expect::Cost};
use crate::faults::{Action, Boundary};

use Boundary as B;

/// Long enough to be noticed, short enough for a learner to wait for.
const A_MOMENT: Duration = Duration::from_millis(200);

/// All actions; `left_out` says which of them make no sense.
pub fn actions(boundary: Boundary, lease: Duration) -> [Action; 5] {
    // Longer than a lease: the heartbeat beside the step has to keep the task.
    let delay = if is_held(boundary) && boundary != B::Heartbeat { lease * 3 / 2 } else { A_MOMENT };
    [Action::Abort, Action::Error, Action::Delay(delay), Action::Repeat, Action::Freeze]
}

/// Why an action makes no sense here.
pub fn no_sense(boundary: Boundary, action: Action) -> Option<&'static str> {
    match (action, boundary) {
        (Action::Freeze, _) if is_command(boundary) || boundary == B::Sweep => {
            Some("nothing is held here that silence could lose")
        }
        (Action::Freeze, B::DraftAfterCommit | B::SavedAfterCommit) => {
            Some("the commit has handed the task back: nothing is held that silence could lose")
        }
        (Action::Repeat, B::ClaimAfterCommit) => {
            Some("a claim is repeated by another process, with another fence: the rows of two servers")
        }
        (Action::Repeat, B::EvidenceAfterCommit | B::DraftAfterCommit | B::SavedAfterCommit) => {
            Some("a committed outcome is never asked for again; its step is repeated at its call")
        }
        (Action::Repeat, B::SaveBeforeFind) => Some("a look into the library changes nothing, however often"),
        (Action::Repeat, B::Heartbeat) => Some("the next beat is the repetition"),
        (Action::Repeat, B::Sweep) => Some("a sweep repeats itself until nothing is due"),
        _ => None,
    }
}

/// Passed by a learner's request, not by a worker.
pub fn is_command(boundary: Boundary) -> bool {
    verb(boundary).is_some() || boundary == B::ReplyLost
}

/// The command that passes it.
pub fn verb(boundary: Boundary) -> Option<&'static str> {
    match boundary {
        B::StartBeforeCommit | B::StartAfterCommit => Some("start"),
        B::EditBeforeCommit | B::EditAfterCommit => Some("edit"),
        B::AcceptBeforeCommit | B::AcceptAfterCommit => Some("accept"),
        B::CancelBeforeCommit | B::CancelAfterCommit => Some("cancel"),
        _ => None,
    }
}

/// Passed while a worker holds the task.
pub fn is_held(boundary: Boundary) -> bool {
    !is_command(boundary) && !matches!(boundary, B::Sweep | B::DraftAfterCommit | B::SavedAfterCommit)
}

/// What makes a task come by.
pub fn setting(boundary: Boundary, action: Action, lease: Duration) -> Setting {
    let model_delay = match (boundary, action) {
        // The lease has to run out while the model still thinks.
        (B::Heartbeat, Action::Freeze) => lease * 5 / 2,
        // Long enough for a beat, and for the next one when the first does not come.
        (B::Heartbeat, _) => lease * 4 / 5,
        _ => Duration::ZERO,
    };
    Setting {
        model_delay,
        always_look_again: boundary == B::RecheckAfterCall,
        // Then the sweep that follows a claim waits until the task is handed back.
        one_at_a_time: boundary == B::Sweep,
        library_apart: false,
    }
}

/// Where the process dies first, so that the one which recovers passes the boundary, for the
/// `nth` time.
pub fn crash_before(boundary: Boundary) -> (Boundary, u64) {
    match boundary {
        // A committed outcome is not passed again: the crash comes just before it.
        B::StartAfterCommit => (B::StartBeforeCommit, 1),
        B::EvidenceAfterCommit => (B::LookupAfterCall, 1),
        B::DraftAfterCommit => (B::DraftAfterCall, 1),
        B::EditAfterCommit => (B::EditBeforeCommit, 1),
        B::AcceptAfterCommit => (B::AcceptBeforeCommit, 1),
        // What was saved is found and not saved again. And a save that crashed is taken up again, where a cancel
        // meets it.
        B::SaveAfterEffect | B::CancelBeforeCommit | B::CancelAfterCommit => (B::SaveBeforeEffect, 1),
        B::SaveBeforeFind | B::SavedAfterCommit => (B::SaveAfterEffect, 1),
        B::ReplyLost => (B::StartAfterCommit, 1),
        other => (other, 2),
    }
}

/// What a blow may cost in calls and claims. A crash or an error between a call and its stored outcome
/// permits one more read; a thawed step may make the call that it was frozen before.
pub fn cost(boundary: Boundary, action: Action) -> Cost {
    let (one, maybe) = ((1, 1), (0, 1));
    let nothing = Cost::default();
    match action {
        Action::Abort | Action::Error => {
            let lost = match boundary {
                B::LookupAfterCall | B::RecheckAfterCall => Cost { source: one, ..nothing },
                B::DraftAfterCall => Cost { model: one, ..nothing },
                // Beats go by the clock, and a busy machine may still be looking the record up.
                B::Heartbeat if action == Action::Abort => Cost { source: maybe, model: maybe, ..nothing },
                // A worker in the same process may be anywhere in the first steps when it dies.
                B::StartAfterCommit | B::ReplyLost if action == Action::Abort => {
                    Cost { source: maybe, model: maybe, claims: maybe, ..nothing }
                }
                // Or in the save.
                B::AcceptAfterCommit | B::CancelBeforeCommit | B::CancelAfterCommit if action == Action::Abort => {
                    Cost { claims: maybe, ..nothing }
                }
                _ => nothing,
            };
            let again = is_held(boundary) && (boundary, action) != (B::Heartbeat, Action::Error);
            if again { Cost { claims: one, ..lost } } else { lost }
        }
        Action::Delay(_) => nothing,
        Action::Repeat => match boundary {
            B::LookupBeforeCall | B::LookupAfterCall | B::RecheckAfterCall => Cost { source: one, ..nothing },
            B::DraftBeforeCall | B::DraftAfterCall => Cost { model: one, ..nothing },
            _ => nothing,
        },
        Action::Freeze => {
            let taken_over = Cost { claims: one, late: maybe, ..nothing };
            match boundary {
                B::ClaimAfterCommit | B::LookupBeforeCall => Cost { source: maybe, ..taken_over },
                B::LookupAfterCall | B::RecheckAfterCall => Cost { source: one, ..taken_over },
                B::DraftBeforeCall => Cost { model: maybe, ..taken_over },
                B::DraftAfterCall => Cost { model: one, ..taken_over },
                B::Heartbeat => Cost { source: maybe, model: one, ..taken_over },
                _ => taken_over,
            }
        }
    }
}
