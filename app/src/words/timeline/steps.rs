//! How the steps went, for a learner: what was done, used again, tried again, left out, and what
//! waits for a person.

use domain::{
    course::{Finding, Occasion, Outcome, Settlement, StepAccount},
    fault::Problem,
    intent::Verdict,
    time::Timestamp,
};

use super::super::{
    capital, problem,
    times::{self, Zone},
};

/// What one step is shown with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepWords {
    /// How it looks.
    pub kind: &'static str,
    /// What was done.
    pub title: String,
    /// Where it stands, in a word or two.
    pub tag: &'static str,
    /// When, how often, why: a sentence each.
    pub details: Vec<String>,
}

/// Where instants are told from.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub now: Option<Timestamp>,
    pub zone: Zone,
}

/// One step. `working`: the task is held now, as far as the screen knows.
pub fn step(step: &StepAccount, working: bool, clock: Clock) -> StepWords {
    let outcome = match step.outcome {
        Outcome::Running if !working => Outcome::Waiting,
        outcome => outcome,
    };
    let parts = [
        seen(step, clock),
        tries(step),
        step.next_try_at.map(|next| format!("The next try is {}.", clock.at(next))),
        ended(step, outcome),
        late(step),
    ];
    let said = step.verdicts.iter().map(|said| verdict(said, clock));
    StepWords {
        kind: kind(outcome),
        title: title(step, outcome),
        tag: tag(step, outcome),
        details: parts.into_iter().flatten().chain(said).collect(),
    }
}

impl Clock {
    /// "at 10:42", "yesterday, 10:42".
    fn at(self, at: Timestamp) -> String {
        let words = times::at(at, self.now, self.zone);
        if words.contains(',') { words } else { format!("at {words}") }
    }
}

fn kind(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done | Outcome::Reused => "good",
        Outcome::Failed | Outcome::NeedsPerson => "bad",
        Outcome::Waiting | Outcome::Running | Outcome::Retrying => "waiting",
        Outcome::Skipped => "plain",
    }
}

fn tag(step: &StepAccount, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Waiting => "Waiting",
        Outcome::Running => "Under way",
        Outcome::Retrying => "To be tried again",
        Outcome::Done if 0 < step.tries => "Done after another try",
        Outcome::Done => "Done",
        Outcome::Reused if step.step == "save" => "Found, not repeated",
        Outcome::Reused => "Done, and used again",
        Outcome::Skipped if because(step) == "fresh_enough" => "Not needed",
        Outcome::Skipped => "Left out",
        Outcome::Failed if was_not_there(step) => "It was not there",
        Outcome::Failed => "Given up",
        Outcome::NeedsPerson => "Needs a person",
    }
}

fn title(step: &StepAccount, outcome: Outcome) -> String {
    let version = step.result.as_ref().and_then(|result| result.params.get("version"));
    let of = |words: &str| version.map_or_else(|| words.to_owned(), |n| format!("{words} (version {n})"));
    let [done, under_way, open, not_done] = match step.step.as_str() {
        "look_up" => {
            ["Looked the record up", "Looking the record up", "Look the record up", "The record was not looked up"]
        }
        "draft" => ["Wrote a draft", "Writing a draft", "Write a draft", "No draft was written"],
        "recheck" => [
            "Looked at the record again",
            "Looking at the record again",
            "Look at the record again",
            "Did not look at the record again",
        ],
        "save" => ["Saved to your library", "Saving to your library", "Save to your library", "Not saved"],
        "withdraw" => {
            ["Took the save back", "Taking the save back", "Take the save back", "The save was not taken back"]
        }
        "settle" => ["A person looked", "A person is looking", "A person must look", "No person had to look"],
        other => [other; 4],
    };
    match outcome {
        // That it is not there was the answer.
        Outcome::Failed if was_not_there(step) => done.to_owned(),
        Outcome::Reused if step.step == "save" => of("Found in your library"),
        Outcome::Done if code(step) == "saved_first" => "Too late to take the save back".to_owned(),
        Outcome::NeedsPerson if step.step == "save" => "It is not known whether this was saved".to_owned(),
        // The version of a source is no version of the draft.
        Outcome::Done | Outcome::Reused if step.observed_at.is_some() => done.to_owned(),
        Outcome::Done | Outcome::Reused => of(done),
        Outcome::Running => under_way.to_owned(),
        Outcome::Waiting | Outcome::Retrying | Outcome::NeedsPerson => open.to_owned(),
        Outcome::Skipped | Outcome::Failed => not_done.to_owned(),
    }
}

fn code(step: &StepAccount) -> &str {
    step.result.as_ref().map_or("", |result: &Finding| result.code.as_str())
}

/// The last reason: of the end, where it ended badly.
fn because(step: &StepAccount) -> &str {
    step.why.last().map_or("", String::as_str)
}

fn was_not_there(step: &StepAccount) -> bool {
    step.step == "look_up" && ["record_not_found", "record_withdrawn"].contains(&because(step))
}

fn seen(step: &StepAccount, clock: Clock) -> Option<String> {
    let what = match code(step) {
        "record_same" => " and unchanged",
        "record_changed" => ", and it had changed",
        "record_gone" => return Some("It was not there any more.".to_owned()),
        _ => "",
    };
    let at = clock.at(step.observed_at.filter(|_| step.outcome != Outcome::Skipped)?);
    if step.reused.is_empty() {
        return Some(format!("Seen {at}{what}."));
    }
    let mut occasions: Vec<&str> = Vec::new();
    for again in &step.reused {
        let words = match again.why {
            Occasion::Interruption => "after an interruption",
            Occasion::AnotherTry => "for another try",
            Occasion::AskedAnew => "for a new draft",
        };
        if !occasions.contains(&words) {
            occasions.push(words);
        }
    }
    Some(format!("Seen {at}{what}; used again {}, not asked twice.", occasions.join(" and ")))
}

/// How often it failed, and why.
fn tries(step: &StepAccount) -> Option<String> {
    let failed = step.why.iter().take(step.tries as usize);
    let mut reasons: Vec<(String, usize)> = Vec::new();
    for code in failed {
        let words = reason(code);
        match reasons.iter_mut().find(|(known, _)| *known == words) {
            Some((_, times)) => *times += 1,
            None => reasons.push((words, 1)),
        }
    }
    let said: Vec<String> = reasons
        .into_iter()
        .map(|(words, times)| if times == 1 || step.tries == 2 { words } else { format!("{words} ({times} times)") })
        .collect();
    match step.tries {
        0 => None,
        1 => Some(format!("One try failed: {}.", said.join("; "))),
        n => Some(format!("{n} tries failed: {}.", said.join("; "))),
    }
}

/// Why a try failed, inside a sentence.
fn reason(code: &str) -> String {
    if code == "process_lost" {
        return "the work was interrupted".to_owned();
    }
    let words = problem::problem(&Problem::new(code));
    let words = words.trim_end_matches('.');
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Why it ended otherwise than done.
fn ended(step: &StepAccount, outcome: Outcome) -> Option<String> {
    if code(step) == "saved_first" {
        return Some("It had been saved before. There is one entry in your library.".to_owned());
    }
    let why = because(step);
    match outcome {
        Outcome::Reused if step.step == "save" => Some("It was there already, so it was not saved again.".to_owned()),
        Outcome::Skipped => Some(match why {
            "fresh_enough" => "The record had been seen recently enough.".to_owned(),
            "cancelled" | "cancel" => "You cancelled the task.".to_owned(),
            "sent_unknown" => "You cancelled the task while this was under way. The request may have been sent; \
                               an answer is not used."
                .to_owned(),
            "stop" => "You decided to stop here.".to_owned(),
            other => problem::notice(&Problem::new(other)),
        }),
        // A reason that was no try is not said yet.
        Outcome::Failed | Outcome::NeedsPerson if (step.tries as usize) < step.why.len() => {
            Some(format!("{}.", capital(&reason(why))))
        }
        _ => None,
    }
}

fn late(step: &StepAccount) -> Option<String> {
    let late = step.attempts.iter().any(|held| held.too_late_at.is_some());
    late.then(|| "A result came after somebody else had taken over. It was not used.".to_owned())
}

fn verdict(said: &Settlement, clock: Clock) -> String {
    let words = match said.verdict {
        Verdict::LookAgain => "look again",
        Verdict::WasSaved => "it was saved",
        Verdict::NotSavedSaveNow => "it was not saved, save it now",
        Verdict::NotSavedStop => "it was not saved, stop here",
    };
    let note = if said.note.trim().is_empty() { String::new() } else { format!(" \u{201c}{}\u{201d}", said.note) };
    format!("You said {}: {words}.{note}", clock.at(said.at))
}
