//! How far a wish on this device has come, and what it was.

use domain::{
    intent::{Verdict, Wish},
    outbox::{Entry, Sending},
};

use super::{
    refusal,
    said::{Said, say},
};

/// What was asked: "Accept version 2".
pub fn wish(wish: &Wish) -> String {
    match wish {
        Wish::Start { .. } => say!("Start a task").to_owned(),
        Wish::Edit { base_version, .. } => say!("Your edit of version {}", base_version),
        Wish::Accept { draft_version, .. } => super::labels::accept(*draft_version),
        Wish::Redraft { .. } => say!("Ask for a new draft").to_owned(),
        Wish::Reopen => say!("Look at the record again").to_owned(),
        Wish::Retry => say!("Try again").to_owned(),
        Wish::Cancel => say!("Cancel the task").to_owned(),
        Wish::Settle { verdict, .. } => match verdict {
            Verdict::LookAgain => say!("Look again").to_owned(),
            Verdict::WasSaved => say!("Settle: it was saved").to_owned(),
            Verdict::NotSavedSaveNow => say!("Settle: save it now").to_owned(),
            Verdict::NotSavedStop => say!("Settle: stop without saving").to_owned(),
        },
    }
}

/// How long something that the server does not have will last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lasts {
    /// It outlives the page.
    #[default]
    OnDevice,
    /// There was no room for it, or nothing can be kept here at all.
    WithPage,
}

impl Lasts {
    /// Where it is.
    pub fn words(self) -> &'static str {
        match self {
            Self::OnDevice => say!("kept on this device"),
            Self::WithPage => say!("held by this open page only"),
        }
    }
}

/// How far it has come.
pub fn sending(entry: &Entry, lasts: Lasts) -> String {
    let kept = super::capital(lasts.words());
    match &entry.sending {
        Sending::Queued => say!("{}. It goes out as soon as the server answers.", kept),
        Sending::Sent => say!("{} and being sent. Not confirmed yet.", kept),
        Sending::Unconfirmed => {
            say!("{}. Sent, but not confirmed. Sending again is safe: it is done once.", kept)
        }
        Sending::NeedsSignIn => say!("{}. Sign in again to send it.", kept),
        Sending::Refused { fault } => refusal::of_wish(fault),
        Sending::EarlierRefused => {
            let kept = lasts.words();
            say!(
                "It builds on a change that was not accepted or was discarded, so it is not sent. Your text is {}.",
                kept
            )
        }
    }
}

/// What a button's neighbour says while its wish is under way.
pub fn under_way(wish_words: &str, state: &Sending, lasts: Lasts) -> String {
    match state {
        Sending::Sent => say!("{}: being sent.", wish_words),
        Sending::Unconfirmed => say!("{}: sent, but not confirmed. Sending again is safe.", wish_words),
        Sending::NeedsSignIn => say!("{}: sign in to send it.", wish_words),
        _ => say!("{}: {} until the server answers.", wish_words, lasts.words()),
    }
}

/// What the start page says while a new task is here only.
pub fn start_waits(lasts: Lasts) -> String {
    say!("A new task is {}. The server has not confirmed it.", lasts.words())
}

/// Beside the Start button, while a start is under way.
pub fn starting(state: &Sending, lasts: Lasts) -> String {
    let kept = lasts.words();
    match (state, lasts) {
        (Sending::Sent, _) => say!("Your task is being sent. It is {} until the server has it.", kept),
        (Sending::NeedsSignIn, _) => say!("Your task is {}. Sign in again to send it.", kept),
        (_, Lasts::OnDevice) => {
            say!("Your task is {} and starts when the server answers. You may close this page.", kept)
        }
        (_, Lasts::WithPage) => {
            say!("Your task is {} and starts when the server answers. Leave this page open until then.", kept)
        }
    }
}

/// Why things are not kept on this device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotKept {
    /// Storage is blocked.
    Blocked,
    /// Storage is full.
    Full,
    /// Storage was emptied while the page is open.
    Emptied,
}

/// A warning where things are not kept.
pub fn not_kept(why: NotKept) -> &'static str {
    match why {
        NotKept::Full => {
            say!(
                "There is no room left on this device. Mooring works while it is connected, but what you write now is not \
                 kept if you close this page."
            )
        }
        NotKept::Emptied => {
            say!(
                "What Mooring had kept on this device was taken away. What you wrote is still in this open page, and is \
                 kept again as soon as the server answers."
            )
        }
        NotKept::Blocked => {
            say!(
                "This browser does not let Mooring keep anything. Everything works while you are connected, but what you \
                 have not sent is lost when you close this page."
            )
        }
    }
}

/// What is on this device only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtStake {
    /// Wishes that were not answered, or were refused.
    pub changes: usize,
    /// What was typed and not sent.
    pub texts: usize,
}

impl AtStake {
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }

    /// "one change and 2 unsent texts".
    pub fn words(self) -> String {
        match (self.changes, self.texts) {
            (changes, 0) => super::changes(changes),
            (0, texts) => super::texts(texts),
            (changes, texts) => say!("{} and {}", super::changes(changes), super::texts(texts)),
        }
    }
}

/// Before a sign-out that would lose something.
pub fn sign_out_question(at_stake: AtStake) -> String {
    let what = super::capital(&at_stake.words());
    if at_stake.changes + at_stake.texts == 1 {
        say!("{} is still waiting on this device. Signing out removes it from here for good.", what)
    } else {
        say!("{} are still waiting on this device. Signing out removes them from here for good.", what)
    }
}

pub const LEAVING: Said = Said(
    "You asked to be signed out. The server has not confirmed it yet, and it goes on being tried. \
     Nothing of yours is shown or sent; it is removed from this device as soon as the server \
     answers.",
);
