//! What went wrong with a step, and what a learner should know beside a state.

use domain::fault::Problem;

/// What happened, and what is safe.
pub fn problem(problem: &Problem) -> String {
    let what = match problem.code.as_str() {
        "record_not_found" => format!("There is no record{} at the source.", named(problem)),
        "record_withdrawn" => format!("The record{} was withdrawn by its owner.", named(problem)),
        "source_unreachable" => "The source could not be reached.".to_owned(),
        "source_timed_out" => "The source took too long to answer.".to_owned(),
        "source_busy" => "The source asked to be left alone for a while.".to_owned(),
        "source_refused" => "The source refused to show the record.".to_owned(),
        "source_cannot_start" => "The source could not be started.".to_owned(),
        "source_handshake_refused" => "The source and Mooring do not understand each other.".to_owned(),
        "source_connection_lost" => "The connection to the source broke off.".to_owned(),
        "tool_unknown" => {
            "The source has no means of showing a record: the tool that is asked for it is not there.".to_owned()
        }
        "tool_not_read_only" => {
            "The source does not promise that looking changes nothing, so it was not asked.".to_owned()
        }
        "tool_arguments_refused" => "The source did not accept the way it was asked.".to_owned(),
        "tool_failed" => "The source answered with an error.".to_owned(),
        "reply_too_large" => "The source sent more than can be taken.".to_owned(),
        "reply_malformed" => "The source answered in a form that cannot be read.".to_owned(),
        "model_busy" => "The model is overloaded.".to_owned(),
        "model_unreachable" => "The model could not be reached.".to_owned(),
        "model_timed_out" => "The model took too long to answer.".to_owned(),
        "model_refused" => "The model refused the request.".to_owned(),
        "draft_malformed" => "The model answered in a form that cannot be read.".to_owned(),
        "draft_empty" => "The model returned an empty draft.".to_owned(),
        "draft_too_large" => "The model returned more than can be taken.".to_owned(),
        "budget_used_up" if problem.params.contains_key("tokens") => {
            "What the model may read and write for one task is used up.".to_owned()
        }
        "budget_used_up" => "The number of drafts that a task may ask for is used up.".to_owned(),
        "process_lost" => {
            "The process that worked on it was lost, and it was not found out what came of it.".to_owned()
        }
        "unreadable" => "What is stored for this task cannot be read by this version of Mooring.".to_owned(),
        "newer_build" => {
            "A newer version of Mooring works on this task. It goes on there, and nothing here can change it."
                .to_owned()
        }
        "hash_wrong" => "The stored text is not the one that you accepted, so it was not saved.".to_owned(),
        "save_failed" => "The library refused to save it.".to_owned(),
        "other_entry" => "The library already holds another text for this task.".to_owned(),
        "save_withdrawn" => "The save had been withdrawn in the library before it could be done.".to_owned(),
        "save_uncertain" => {
            "The library did not answer, so it is not known whether the text was saved. It may be there.".to_owned()
        }
        other => format!("Something went wrong ({}).", other.replace('_', " ")),
    };
    match tried(problem) {
        Some(tried) => format!("{what} {tried}"),
        None => what,
    }
}

/// What the learner should know beside the state.
pub fn notice(notice: &Problem) -> String {
    match notice.code.as_str() {
        "expired" => "The time in which this version could be accepted has passed. Look again, then accept.".to_owned(),
        "source_moved" | "source_changed" => {
            "The record has changed. The new evidence stands beside the old one; check whether the draft still fits."
                .to_owned()
        }
        "draft_incomplete" => {
            "The model stopped at its limit: the draft may end in the middle. Read it to its end.".to_owned()
        }
        "source_gone" | "record_not_found" | "record_withdrawn" => {
            "The record is not at its source any more. The evidence below is what was seen before.".to_owned()
        }
        "source_unavailable" => {
            "The record could not be looked at again. The evidence below is what was seen before.".to_owned()
        }
        "draft_failed" => "The new draft could not be written. The earlier version is kept.".to_owned(),
        "requester_invalid" => {
            "The account that asked for this may not save it any more. Nothing was saved.".to_owned()
        }
        _ => problem(notice),
    }
}

fn named(problem: &Problem) -> String {
    let name = ["record", "record_id", "title"].iter().find_map(|name| problem.params.get(*name));
    name.map_or_else(String::new, |name| format!(" \u{201c}{name}\u{201d}"))
}

fn tried(problem: &Problem) -> Option<String> {
    match problem.params.get("tries").map(String::as_str) {
        None | Some("0") => None,
        Some("1") => Some("It was tried once.".to_owned()),
        Some(n) => Some(format!("It was tried {n} times.")),
    }
}
