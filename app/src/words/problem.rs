//! What went wrong with a step, and what a learner should know beside a state.

use domain::fault::Problem;

use super::said::{Said, say};

/// What happened, and what is safe.
pub fn problem(problem: &Problem) -> String {
    let what = match problem.code.as_str() {
        "record_not_found" => return and_tries(say!("There is no record{} at the source.", named(problem)), problem),
        "record_withdrawn" => {
            return and_tries(say!("The record{} was withdrawn by its owner.", named(problem)), problem);
        }
        "source_unreachable" => Said("The source could not be reached."),
        "source_timed_out" => Said("The source took too long to answer."),
        "source_busy" => Said("The source asked to be left alone for a while."),
        "source_refused" => Said("The source refused to show the record."),
        "source_cannot_start" => Said("The source could not be started."),
        "source_handshake_refused" => Said("The source and Mooring do not understand each other."),
        "source_connection_lost" => Said("The connection to the source broke off."),
        "tool_unknown" => Said("The source does not have the tool that Mooring asks for records."),
        "tool_not_read_only" => Said("The source does not promise that looking changes nothing, so it was not asked."),
        "tool_arguments_refused" => Said("The source did not accept the way it was asked."),
        "tool_failed" => Said("The source answered with an error."),
        "reply_too_large" => Said("The source sent more than can be taken."),
        "reply_malformed" => Said("The source answered in a form that cannot be read."),
        "model_busy" => Said("The model is overloaded."),
        "model_unreachable" => Said("The model could not be reached."),
        "model_timed_out" => Said("The model took too long to answer."),
        "model_refused" => Said("The model refused the request."),
        "draft_malformed" => Said("The model answered in a form that cannot be read."),
        "draft_empty" => Said("The model returned an empty draft."),
        "draft_too_large" => Said("The model returned more than can be taken."),
        "budget_used_up" if problem.params.contains_key("tokens") => {
            Said("What the model may read and write for one task is used up.")
        }
        "budget_used_up" => Said("The number of drafts that a task may ask for is used up."),
        "process_lost" => Said("The work on it broke off, and it was not found out what came of it."),
        "unreadable" => Said("What is stored for this task cannot be read by this version of Mooring."),
        "newer_build" => {
            Said("A newer version of Mooring works on this task. It goes on there, and nothing here can change it.")
        }
        "hash_wrong" => Said("The stored text is not the one that you accepted, so it was not saved."),
        "other_entry" => Said("The library already holds another text for this task."),
        "save_withdrawn" => Said("The save had been withdrawn in the library before it could be done."),
        "save_uncertain" => {
            Said("The library did not answer, so it is not known whether the text was saved. It may be there.")
        }
        other => return and_tries(say!("Something went wrong ({}).", other.replace('_', " ")), problem),
    };
    and_tries(what.into(), problem)
}

fn and_tries(what: String, problem: &Problem) -> String {
    match tried(problem) {
        Some(tried) => super::two(&what, &tried),
        None => what,
    }
}

/// What the learner should know beside the state.
pub fn notice(notice: &Problem) -> String {
    let what = match notice.code.as_str() {
        "expired" => Said("The time in which this version could be accepted has passed. Look again, then accept."),
        "source_moved" => Said(
            "The record has changed. The new evidence stands beside the old one; check whether the draft still fits.",
        ),
        "draft_incomplete" => {
            Said("The model stopped at its limit: the draft may end in the middle. Read it to its end.")
        }
        "source_gone" | "record_not_found" | "record_withdrawn" => {
            Said("The record is not at its source any more. The evidence below is what was seen before.")
        }
        "requester_invalid" => Said("The account that asked for this may not save it any more. Nothing was saved."),
        code => return spared(code).map_or_else(|| problem(notice), |what| super::two(what, &problem(notice))),
    };
    what.into()
}

/// What a step that failed leaves as it was: the code tells whose step it was.
fn spared(code: &str) -> Option<&'static str> {
    match code.split('_').next() {
        Some("source" | "tool" | "reply") => {
            Some(say!("The record could not be looked at again. The evidence below is what was seen before."))
        }
        Some("model" | "draft" | "budget") => {
            Some(say!("The new draft could not be written. The earlier version is kept."))
        }
        _ => None,
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
