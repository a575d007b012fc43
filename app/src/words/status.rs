//! How a task stands, in words.
//!
//! Invariant: "Saved" stands alone only when the server has confirmed it and nothing waits on this
//! device. Whatever is not confirmed is "Status unknown", with the last known status beside it.

use domain::{
    explanation::StateName,
    freshness::Freshness,
    intent::Wish,
    outbox::{Entry, Outbox, Sending},
    snapshot::{Outcome, Snapshot},
    time::Timestamp,
};

use super::{
    capital, problem,
    said::{Said, say},
    sending::{self, Lasts},
    times::{self, Zone},
    two,
};

/// Everything that the status depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub task: Option<Snapshot>,
    pub freshness: Freshness,
    /// The server's time, where it is known.
    pub now: Option<Timestamp>,
    pub zone: Zone,
    /// What waits on this device for this task, oldest first; refused ones too.
    pub waiting: Vec<Entry>,
    /// Whether a text that was typed for this task was not sent.
    pub unsent: bool,
    /// How long what waits and what was typed will last.
    pub lasts: Lasts,
    /// How it stood when this device last saw it, in a few words, where the first answer since the page was
    /// opened says otherwise.
    pub before: Option<String>,
    /// The server says that there is no such task.
    pub gone: bool,
}

/// How a status looks: never the only carrier of its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Unknown,
    Waiting,
    Working,
    Good,
    Bad,
    Neutral,
}

impl Tone {
    /// The word in a class name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Waiting => "waiting",
            Self::Working => "working",
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Neutral => "neutral",
        }
    }
}

/// What the status element says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusWords {
    pub tone: Tone,
    pub title: String,
    pub detail: Vec<String>,
    /// How far the newest wish that waits has come.
    pub pending: Option<String>,
}

impl StatusWords {
    fn new(tone: Tone, title: &str, detail: impl Into<String>) -> Self {
        Self { tone, title: title.to_owned(), detail: vec![detail.into()], pending: None }
    }

    /// The whole, for those who listen. What is pending stays only while nobody answers: beside a confirmed
    /// status it is over in a moment, and a sentence that was said cannot be taken back.
    pub fn spoken(&self) -> String {
        let pending = self.pending.iter().filter(|_| self.tone == Tone::Unknown);
        self.detail.iter().chain(pending).fold(say!("{}.", self.title), |said, line| two(&said, line))
    }
}

/// What a page says before anything is known.
pub fn loading() -> StatusWords {
    StatusWords::new(Tone::Unknown, say!("Status unknown"), super::labels::LOADING)
}

/// What a task's page says while it is not known whose it is.
pub fn who_unknown() -> StatusWords {
    StatusWords::new(Tone::Unknown, say!("Status unknown"), super::home::NOT_SURE_WHO)
}

/// What the start page says to somebody who has no task, as far as the server has said.
pub fn no_task(answers: bool) -> StatusWords {
    let mut words = StatusWords::new(Tone::Neutral, super::home::NO_TASK_TITLE.words(), super::home::NO_TASK);
    if !answers {
        words.detail.push(super::home::NO_TASK_AND_NO_ANSWER.into());
    }
    words
}

/// What the start page says while the server, which answers, is asked whether there is a task.
pub fn looking() -> StatusWords {
    StatusWords::new(Tone::Unknown, say!("Status unknown"), super::home::LOOKING)
}

/// What the start page says while a new task is on this device only.
pub fn start_waits(lasts: Lasts) -> StatusWords {
    StatusWords::new(Tone::Unknown, say!("Status unknown"), sending::start_waits(lasts))
}

/// How the task stands.
pub fn status(standing: &Standing) -> StatusWords {
    if standing.gone {
        return StatusWords::new(
            Tone::Neutral,
            say!("No such task"),
            say!("There is no task here, or it is not yours."),
        );
    }
    let Some(task) = &standing.task else { return nothing_known(standing) };
    let mut words = match clash(standing) {
        _ if !standing.freshness.is_confirmed() => unknown(task, standing),
        Some(refused) => refused,
        None => confirmed(task, standing),
    };
    if let Some(before) = standing.before.as_ref().filter(|_| standing.freshness.is_confirmed()) {
        words.detail.push(say!("When you were last here: {}.", before));
    }
    let newest = standing.waiting.iter().rfind(|e| e.sending.is_waiting());
    words.pending = newest.map(|e| sending::under_way(&sending::wish(&e.intent.wish), &e.sending, standing.lasts));
    words
}

fn nothing_known(standing: &Standing) -> StatusWords {
    let start = say!("The start of this task is {}. The server has not confirmed it.", standing.lasts.words());
    let detail = if standing.waiting.iter().any(|e| e.sending.is_waiting()) {
        &start
    } else if standing.freshness.is_asking() {
        say!("Nothing is known about it on this device. Checking with the server.")
    } else {
        say!("Nothing is known about it on this device, and the server has not answered yet.")
    };
    StatusWords::new(Tone::Unknown, say!("Status unknown"), detail)
}

fn unknown(task: &Snapshot, standing: &Standing) -> StatusWords {
    let seen = standing.freshness.last().unwrap_or(task.server_time);
    let known = times::at(seen, standing.now, standing.zone);
    let mut words = StatusWords::new(
        Tone::Unknown,
        say!("Status unknown"),
        say!("Last known: {}, as of {}.", short(task, None), known),
    );
    words.detail.push(
        if standing.freshness.is_asking() {
            say!("Checking with the server.")
        } else {
            say!("The server has not answered. It is asked again.")
        }
        .to_owned(),
    );
    words
}

fn confirmed(task: &Snapshot, standing: &Standing) -> StatusWords {
    let at = |t| times::at(t, standing.now, standing.zone);
    let working = is_active(task, standing.now);
    let version = task.draft_version.unwrap_or_default();
    let again = task.next_try_at.filter(|next| standing.now.is_none_or(|now| *next > now));
    let later = |first: &str| match again {
        Some(next) => two(first, &say!("The next try is {}.", at(next))),
        None => first.to_owned(),
    };
    let checked = |first: &str| match standing.freshness.last() {
        Some(last) => two(first, &say!("Confirmed {}.", at(last))),
        None => first.to_owned(),
    };
    let failed = || task.problem.as_ref().map(problem::problem).unwrap_or_default();
    match task.state {
        StateName::Created if working => StatusWords::new(
            Tone::Working,
            say!("Looking up the record"),
            say!("You can close this page. The task goes on and is here when you return."),
        ),
        StateName::Created => {
            StatusWords::new(Tone::Waiting, say!("Waiting to start"), later(say!("The server has your task.")))
        }
        StateName::EvidenceSaved if working => StatusWords::new(
            Tone::Working,
            say!("Generating the draft"),
            say!("The evidence is saved. You can close this page; the task goes on."),
        ),
        StateName::EvidenceSaved => StatusWords::new(
            Tone::Waiting,
            say!("Evidence found, waiting to be drafted"),
            later(say!("The evidence is saved.")),
        ),
        StateName::AwaitingReview if task.proposal.is_some() => {
            StatusWords::new(Tone::Waiting, &say!("Awaiting review (version {})", version), checked(&ready(task, at)))
        }
        StateName::AwaitingReview => StatusWords::new(
            Tone::Waiting,
            &say!("Awaiting review (version {})", version),
            checked(&say!("Version {} cannot be accepted as it stands. Look again first.", version)),
        ),
        StateName::Rechecking => {
            StatusWords::new(Tone::Working, say!("Looking at the record again"), later(say!("Your versions are kept.")))
        }
        StateName::Accepted => StatusWords::new(
            Tone::Working,
            &say!("Saving version {}", version),
            later(say!("You accepted it. It is saved once, whatever happens meanwhile.")),
        ),
        StateName::Saved if standing.waiting.iter().any(|e| e.sending.is_waiting()) => StatusWords::new(
            Tone::Waiting,
            say!("Changes are waiting"),
            say!("Last known: {}.", short(task, standing.now)),
        ),
        StateName::Saved if standing.unsent => StatusWords::new(
            Tone::Waiting,
            say!("An unsent text is waiting"),
            say!("Version {} is in your library. What you typed besides is {}.", version, standing.lasts.words()),
        ),
        StateName::Saved => match &task.outcome {
            Some(Outcome::Saved { draft_version, saved_at, .. }) => StatusWords::new(
                Tone::Good,
                say!("Saved"),
                say!("Version {}, in your library since {}.", draft_version, at(*saved_at)),
            ),
            _ => StatusWords::new(Tone::Good, say!("Saved"), say!("Version {} is in your library.", version)),
        },
        StateName::SourceMissing => StatusWords::new(Tone::Bad, say!("Record not found"), failed())
            .and(say!("Nothing was drafted. Try again if it should be there, or start a task on another record.")),
        StateName::SourceUnavailable => StatusWords::new(Tone::Bad, say!("The source could not be reached"), failed())
            .and(say!("What you have is kept. Try again when you like.")),
        StateName::DraftFailed => StatusWords::new(Tone::Bad, say!("The draft could not be written"), failed())
            .and(say!("The evidence is kept. Try again when you like.")),
        StateName::NeedsChecking => StatusWords::new(Tone::Bad, say!("The outcome is uncertain"), failed())
            .and(say!("A person must look before anything else is done.")),
        StateName::Cancelled => cancelled(task, standing),
    }
}

impl StatusWords {
    fn and(mut self, more: &str) -> Self {
        self.detail.retain(|line| !line.is_empty());
        self.detail.push(more.to_owned());
        self
    }
}

/// A look at the record that brought nothing new is an answer too: whoever asked for it is told.
fn ready(task: &Snapshot, at: impl Fn(Timestamp) -> String) -> String {
    let ready = say!("Version {} is ready for you.", task.draft_version.unwrap_or_default());
    match task.seen_again_at().filter(|_| task.notice.is_none()) {
        Some(again) => two(&ready, &say!("Looked again {}: the record has not changed.", at(again))),
        None => ready,
    }
}

fn cancelled(task: &Snapshot, standing: &Standing) -> StatusWords {
    let Some(Outcome::Cancelled { cancelled_at, done, unknown }) = &task.outcome else {
        return StatusWords::new(Tone::Neutral, say!("Cancelled"), say!("No further work is started."));
    };
    let at = times::at(*cancelled_at, standing.now, standing.zone);
    let mut words =
        StatusWords::new(Tone::Neutral, say!("Cancelled"), say!("Stopped {}. No further work is started.", at));
    if !done.is_empty() {
        words.detail.push(say!("Done by then: {}.", done_by_then(done)));
    }
    if !unknown.is_empty() {
        words.detail.push(say!("Under way by then, and what came of it is not known: {}.", steps(unknown)));
    }
    words
}

fn steps(names: &[String]) -> String {
    let words: Vec<&str> = names.iter().map(|name| step(name)).collect();
    words.join(say!(", "))
}

/// What a cancelled task leaves: "evidence kept, version 1 written".
fn done_by_then(names: &[String]) -> String {
    let words = names.iter().map(|name| match name.strip_prefix("version_") {
        Some(version) => say!("version {} written", version),
        None if name == StateName::EvidenceSaved.as_str() => say!("evidence kept").to_owned(),
        None => step(name).to_owned(),
    });
    words.collect::<Vec<_>>().join(say!(", "))
}

/// A kind of step, as a noun.
pub fn step(name: &str) -> &str {
    let said = match name {
        "look_up" => Said("the look-up"),
        "draft" => Said("the draft"),
        "recheck" => Said("another look at the record"),
        "save" => Said("the save"),
        "withdraw" => Said("the withdrawal of the save"),
        other => return other,
    };
    said.words()
}

/// A wish that was refused because another version had become current: the one refusal that takes
/// over the status, for the learner believes to have decided.
fn clash(standing: &Standing) -> Option<StatusWords> {
    let task = standing.task.as_ref()?;
    let clash = standing.waiting.iter().find(|entry| is_clash(entry, &standing.waiting, task))?;
    let title = match &clash.intent.wish {
        Wish::Accept { draft_version, .. } => say!("Version {} was not accepted", draft_version),
        Wish::Edit { base_version, .. } => say!("Your edit of version {} was not saved", base_version),
        _ => return None,
    };
    let current = task.draft_version.unwrap_or_default();
    Some(StatusWords::new(
        Tone::Bad,
        &title,
        say!("Version {} came first. Yours is kept too, and nothing went to your library. Choose.", current),
    ))
}

/// That it is done, in a sentence; none unless the status says so too.
pub fn in_the_library(standing: &Standing) -> Option<String> {
    let task = standing.task.as_ref().filter(|task| task.state == StateName::Saved)?;
    let sure = standing.freshness.is_confirmed() && standing.waiting.iter().all(|entry| !entry.sending.is_waiting());
    match task.outcome {
        Some(Outcome::Saved { draft_version, .. }) if sure && !standing.unsent => {
            Some(say!("Version {} is in your library.", draft_version))
        }
        _ => None,
    }
}

/// Whether an entry was refused over a version, and the task still waits for a decision that is not
/// on its way.
pub fn is_clash(entry: &Entry, all: &[Entry], task: &Snapshot) -> bool {
    let stale = matches!(
        &entry.sending,
        Sending::Refused { fault } if fault.code == domain::fault::Code::StaleVersion
    );
    let decides = matches!(entry.intent.wish, Wish::Accept { .. } | Wish::Edit { .. });
    let replaced = Outbox::is_replaced(entry, all);
    stale && decides && !replaced && entry.intent.task_id == task.task_id && task.state == StateName::AwaitingReview
}

/// Work is under way only while its lease is good by the server's time.
pub fn is_active(task: &Snapshot, now: Option<Timestamp>) -> bool {
    task.active.as_ref().is_some_and(|active| now.unwrap_or(task.server_time) < active.lease_until)
}

/// A state in a few words, for lists and for "last known"; without `now`, as it was when the server told of it.
pub fn short(task: &Snapshot, now: Option<Timestamp>) -> String {
    let version = task.draft_version.unwrap_or_default();
    let working = is_active(task, now);
    let said = match task.state {
        StateName::Created if working => Said("looking up the record"),
        StateName::Created => Said("waiting to start"),
        StateName::EvidenceSaved if working => Said("generating the draft"),
        StateName::EvidenceSaved => Said("evidence found, waiting to be drafted"),
        StateName::AwaitingReview => return say!("awaiting review, version {}", version),
        StateName::Rechecking => Said("looking at the record again"),
        StateName::Accepted => return say!("saving version {}", version),
        StateName::Saved => return say!("saved, version {}", version),
        StateName::SourceMissing => Said("record not found"),
        StateName::SourceUnavailable => Said("source not reached"),
        StateName::DraftFailed => Said("draft not written"),
        StateName::NeedsChecking => Said("outcome uncertain"),
        StateName::Cancelled => Said("cancelled"),
    };
    said.into()
}

/// The same as a tag in a list that the server has just sent.
pub fn tag(task: &Snapshot, now: Option<Timestamp>) -> (Tone, String) {
    let tone = match task.state {
        StateName::Created | StateName::EvidenceSaved if is_active(task, now) => Tone::Working,
        StateName::Rechecking | StateName::Accepted => Tone::Working,
        StateName::Created | StateName::EvidenceSaved | StateName::AwaitingReview => Tone::Waiting,
        StateName::Saved => Tone::Good,
        StateName::Cancelled => Tone::Neutral,
        _ => Tone::Bad,
    };
    (tone, capital(&short(task, now)))
}

/// The words of a tag where the status is not confirmed: they must not sound surer than it is.
pub fn hedged(tag: &str, confirmed: bool) -> String {
    if confirmed { tag.to_owned() } else { say!("Last known: {}", tag.to_lowercase()) }
}
