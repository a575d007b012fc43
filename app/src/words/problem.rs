//! What went wrong with a step, and what a learner should know beside a state.

use domain::fault::Problem;

use super::said::say;

/// What happened, and what is safe.
pub fn problem(problem: &Problem) -> String {
    let what = match problem.code.as_str() {
        "record_not_found" => say!("There is no record{} at the source.", named(problem)),
        "record_withdrawn" => say!("The record{} was withdrawn by its owner.", named(problem)),
        "source_unreachable" => say!("The source could not be reached.").to_owned(),
        "source_timed_out" => say!("The source took too long to answer.").to_owned(),
        "source_busy" => say!("The source asked to be left alone for a while.").to_owned(),
        "source_refused" => say!("The source refused to show the record.").to_owned(),
        "source_cannot_start" => say!("The source could not be started.").to_owned(),
        "source_handshake_refused" => say!("The source and Mooring do not understand each other.").to_owned(),
        "source_connection_lost" => say!("The connection to the source broke off.").to_owned(),
        "tool_unknown" => {
            say!("The source has no means of showing a record under the name that it was asked for.").to_owned()
        }
        "tool_not_read_only" => {
            say!("The source does not promise that looking changes nothing, so it was not asked.").to_owned()
        }
        "tool_arguments_refused" => say!("The source did not accept the way it was asked.").to_owned(),
        "tool_failed" => say!("The source answered with an error.").to_owned(),
        "reply_too_large" => say!("The source sent more than can be taken.").to_owned(),
        "reply_malformed" => say!("The source answered in a form that cannot be read.").to_owned(),
        "model_busy" => say!("The model is overloaded.").to_owned(),
        "model_unreachable" => say!("The model could not be reached.").to_owned(),
        "model_timed_out" => say!("The model took too long to answer.").to_owned(),
        "model_refused" => say!("The model refused the request.").to_owned(),
        "draft_malformed" => say!("The model answered in a form that cannot be read.").to_owned(),
        "draft_empty" => say!("The model returned an empty draft.").to_owned(),
        "draft_too_large" => say!("The model returned more than can be taken.").to_owned(),
        "budget_used_up" if problem.params.contains_key("tokens") => {
            say!("What the model may read and write for one task is used up.").to_owned()
        }
        "budget_used_up" => say!("The number of drafts that a task may ask for is used up.").to_owned(),
        "process_lost" => say!("The work on it broke off, and it was not found out what came of it.").to_owned(),
        "unreadable" => say!("What is stored for this task cannot be read by this version of Mooring.").to_owned(),
        "newer_build" => {
            say!("A newer version of Mooring works on this task. It goes on there, and nothing here can change it.")
                .to_owned()
        }
        "hash_wrong" => say!("The stored text is not the one that you accepted, so it was not saved.").to_owned(),
        "save_failed" => say!("The library refused to save it.").to_owned(),
        "other_entry" => say!("The library already holds another text for this task.").to_owned(),
        "save_withdrawn" => say!("The save had been withdrawn in the library before it could be done.").to_owned(),
        "save_uncertain" => {
            say!("The library did not answer, so it is not known whether the text was saved. It may be there.")
                .to_owned()
        }
        other => say!("Something went wrong ({}).", other.replace('_', " ")),
    };
    match tried(problem) {
        Some(tried) => super::two(&what, &tried),
        None => what,
    }
}

/// What the learner should know beside the state.
pub fn notice(notice: &Problem) -> String {
    match notice.code.as_str() {
        "expired" => {
            say!("The time in which this version could be accepted has passed. Look again, then accept.").to_owned()
        }
        "source_moved" | "source_changed" => say!(
            "The record has changed. The new evidence stands beside the old one; check whether the draft still fits."
        )
        .to_owned(),
        "draft_incomplete" => {
            say!("The model stopped at its limit: the draft may end in the middle. Read it to its end.").to_owned()
        }
        "source_gone" | "record_not_found" | "record_withdrawn" => {
            say!("The record is not at its source any more. The evidence below is what was seen before.").to_owned()
        }
        "source_unavailable" => {
            say!("The record could not be looked at again. The evidence below is what was seen before.").to_owned()
        }
        "draft_failed" => say!("The new draft could not be written. The earlier version is kept.").to_owned(),
        "requester_invalid" => {
            say!("The account that asked for this may not save it any more. Nothing was saved.").to_owned()
        }
        _ => problem(notice),
    }
}

fn named(problem: &Problem) -> String {
    let name = ["record", "record_id", "title"].iter().find_map(|name| problem.params.get(*name));
    name.map_or_else(String::new, |name| say!(" \u{201c}{}\u{201d}", name))
}

fn tried(problem: &Problem) -> Option<String> {
    match problem.params.get("tries").map(String::as_str) {
        None | Some("0") => None,
        Some("1") => Some(say!("It was tried once.").to_owned()),
        Some(n) => Some(say!("It was tried {} times.", n)),
    }
}
