//! How the steps went, for a learner: what was done, used again, tried again, left out, and what
//! waits for a person.

use domain::{
    course::{Finding, Occasion, Outcome, Settlement, StepAccount},
    fault::Problem,
    intent::Verdict,
    time::Timestamp,
};

use super::super::{
    capital, inside, problem,
    said::{Said, say},
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
        step.next_try_at.map(|next| say!("The next try is {}.", clock.at(next))),
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
    fn at(self, at: Timestamp) -> String {
        times::at(at, self.now, self.zone)
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
    let said = match outcome {
        Outcome::Waiting => Said("Waiting"),
        Outcome::Running => Said("Under way"),
        Outcome::Retrying => Said("To be tried again"),
        Outcome::Done if 0 < step.tries => Said("Done after another try"),
        Outcome::Done => Said("Done"),
        Outcome::Reused if step.step == "save" => Said("Found, not repeated"),
        Outcome::Reused => Said("Done, and used again"),
        Outcome::Skipped if because(step) == "fresh_enough" => Said("Not needed"),
        Outcome::Skipped => Said("Left out"),
        Outcome::Failed if was_not_there(step) => Said("It was not there"),
        Outcome::Failed => Said("Given up"),
        Outcome::NeedsPerson => Said("Needs a person"),
    };
    said.words()
}

fn title(step: &StepAccount, outcome: Outcome) -> String {
    let version = step.result.as_ref().and_then(|result| result.params.get("version"));
    let of = |words: &str| version.map_or_else(|| words.to_owned(), |n| say!("{} (version {})", words, n));
    let said = match step.step.as_str() {
        "look_up" => [
            Said("Looked the record up"),
            Said("Looking the record up"),
            Said("Look the record up"),
            Said("The record was not looked up"),
        ],
        "draft" => {
            [Said("Wrote a draft"), Said("Writing a draft"), Said("Write a draft"), Said("No draft was written")]
        }
        "recheck" => [
            Said("Looked at the record again"),
            Said("Looking at the record again"),
            Said("Look at the record again"),
            Said("Did not look at the record again"),
        ],
        "save" => [
            Said("Saved to your library"),
            Said("Saving to your library"),
            Said("Save to your library"),
            Said("Not saved"),
        ],
        "withdraw" => [
            Said("Took the save back"),
            Said("Taking the save back"),
            Said("Take the save back"),
            Said("The save was not taken back"),
        ],
        "settle" => [
            Said("A person looked"),
            Said("A person is looking"),
            Said("A person must look"),
            Said("No person had to look"),
        ],
        other => return other.to_owned(),
    };
    let [done, under_way, open, not_done] = said.map(Said::words);
    match outcome {
        // That it is not there was the answer.
        Outcome::Failed if was_not_there(step) => done.to_owned(),
        Outcome::Reused if step.step == "save" => of(say!("Found in your library")),
        Outcome::Done if code(step) == "saved_first" => say!("Too late to take the save back").to_owned(),
        Outcome::NeedsPerson if step.step == "save" => say!("It is not known whether this was saved").to_owned(),
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
        "record_same" => say!(" and unchanged"),
        "record_changed" => say!(", and it had changed"),
        "record_gone" => return Some(say!("It was not there any more.").to_owned()),
        _ => "",
    };
    let at = clock.at(step.observed_at.filter(|_| step.outcome != Outcome::Skipped)?);
    if step.reused.is_empty() {
        return Some(say!("Seen {}{}.", at, what));
    }
    let mut occasions: Vec<&str> = Vec::new();
    for again in &step.reused {
        let words = match again.why {
            Occasion::Interruption => say!("after an interruption"),
            Occasion::AnotherTry => say!("for another try"),
            Occasion::AskedAnew => say!("for a new draft"),
        };
        if !occasions.contains(&words) {
            occasions.push(words);
        }
    }
    Some(say!("Seen {}{}; used again {}, not asked twice.", at, what, occasions.join(say!(" and "))))
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
        .map(|(words, times)| if times == 1 || step.tries == 2 { words } else { say!("{} ({} times)", words, times) })
        .collect();
    let said = said.join(say!("; "));
    match step.tries {
        0 => None,
        1 => Some(say!("One try failed: {}.", said)),
        n => Some(say!("{} tries failed: {}.", n, said)),
    }
}

/// Why a try failed, inside a sentence.
fn reason(code: &str) -> String {
    if code == "process_lost" {
        return say!("the work was interrupted").to_owned();
    }
    inside(&problem::problem(&Problem::new(code)))
}

/// Why it ended otherwise than done.
fn ended(step: &StepAccount, outcome: Outcome) -> Option<String> {
    if code(step) == "saved_first" {
        return Some(say!("It had been saved before. There is one entry in your library.").to_owned());
    }
    let why = because(step);
    match outcome {
        Outcome::Reused if step.step == "save" => {
            Some(say!("It was there already, so it was not saved again.").to_owned())
        }
        Outcome::Skipped => Some(match why {
            "fresh_enough" => say!("The record had been seen recently enough.").to_owned(),
            "cancelled" | "cancel" => say!("You cancelled the task.").to_owned(),
            "sent_unknown" => say!(
                "You cancelled the task while this was under way. The request may have been sent; \
                 an answer is not used."
            )
            .to_owned(),
            "stop" => say!("You decided to stop here.").to_owned(),
            other => problem::notice(&Problem::new(other)),
        }),
        // A reason that was no try is not said yet.
        Outcome::Failed | Outcome::NeedsPerson if (step.tries as usize) < step.why.len() => {
            Some(say!("{}.", capital(&reason(why))))
        }
        _ => None,
    }
}

fn late(step: &StepAccount) -> Option<String> {
    let late = step.attempts.iter().any(|held| held.too_late_at.is_some());
    late.then(|| say!("A result came after somebody else had taken over. It was not used.").to_owned())
}

fn verdict(said: &Settlement, clock: Clock) -> String {
    let words = match said.verdict {
        Verdict::LookAgain => say!("look again"),
        Verdict::WasSaved => say!("it was saved"),
        Verdict::NotSavedSaveNow => say!("it was not saved, save it now"),
        Verdict::NotSavedStop => say!("it was not saved, stop here"),
    };
    let note = if said.note.trim().is_empty() { String::new() } else { say!(" \u{201c}{}\u{201d}", said.note) };
    say!("You said {}: {}.{}", clock.at(said.at), words, note)
}
