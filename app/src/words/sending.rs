//! How far a wish on this device has come, and what it was.

use domain::{
    intent::{Verdict, Wish},
    outbox::{Entry, Sending},
};

use super::refusal;

/// What was asked: "Accept version 2".
pub fn wish(wish: &Wish) -> String {
    match wish {
        Wish::Start { .. } => "Start a task".to_owned(),
        Wish::Edit { base_version, .. } => format!("Save your edit of version {base_version}"),
        Wish::Accept { draft_version, .. } => super::labels::accept(*draft_version),
        Wish::Redraft { .. } => "Ask for a new draft".to_owned(),
        Wish::Reopen => "Look at the record again".to_owned(),
        Wish::Retry => "Try again".to_owned(),
        Wish::Cancel => "Cancel the task".to_owned(),
        Wish::Settle { verdict, .. } => match verdict {
            Verdict::LookAgain => "Look again".to_owned(),
            Verdict::WasSaved => "Settle: it was saved".to_owned(),
            Verdict::NotSavedSaveNow => "Settle: save it now".to_owned(),
            Verdict::NotSavedStop => "Settle: stop without saving".to_owned(),
        },
    }
}

/// How far it has come.
pub fn sending(entry: &Entry) -> String {
    match &entry.sending {
        Sending::Queued => "Kept on this device. It goes out as soon as the server answers.".to_owned(),
        Sending::Sent => "Kept on this device and being sent. Not confirmed yet.".to_owned(),
        Sending::Unconfirmed => {
            "Kept on this device. Sent, but not confirmed. Sending again is safe: it is done once.".to_owned()
        }
        Sending::NeedsSignIn => "Kept on this device. Sign in again to send it.".to_owned(),
        Sending::Refused { fault } => refusal::of_wish(fault),
        Sending::EarlierRefused => {
            "It builds on a change that was not accepted or was discarded, so it is not sent. Your text is kept."
                .to_owned()
        }
    }
}

/// What a button's neighbour says while its wish is under way.
pub fn under_way(wish_words: &str, state: &Sending) -> String {
    match state {
        Sending::Sent => format!("{wish_words}: being sent."),
        Sending::Unconfirmed => format!("{wish_words}: sent, but not confirmed. Sending again is safe."),
        Sending::NeedsSignIn => format!("{wish_words}: sign in to send it."),
        _ => format!("{wish_words}: kept on this device until the server answers."),
    }
}

pub const START_WAITS: &str = "A new task is kept on this device. The server has not confirmed it.";

/// Beside the Start button, while a start is under way.
pub fn starting(state: &Sending) -> &'static str {
    match state {
        Sending::Sent => "Your task is being sent. It is kept on this device until the server has it.",
        Sending::NeedsSignIn => "Your task is kept on this device. Sign in again to send it.",
        _ => "Your task is kept on this device and starts when the server answers. You may close this page.",
    }
}

/// Why things are not kept on this device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotKept {
    /// Storage is blocked.
    Blocked,
    /// Storage is full.
    Full,
}

/// A warning where things are not kept.
pub fn not_kept(why: NotKept) -> &'static str {
    match why {
        NotKept::Full => {
            "There is no room left on this device. Mooring works while it is connected, but what you write now is not \
             kept if you close this page."
        }
        NotKept::Blocked => {
            "This browser does not let Mooring keep anything. Everything works while you are connected, but what you \
             have not sent is lost when you close this page."
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
            (changes, texts) => format!("{} and {}", super::changes(changes), super::texts(texts)),
        }
    }
}

/// Before a sign-out that would lose something.
pub fn sign_out_question(at_stake: AtStake) -> String {
    let (are, them) = if at_stake.changes + at_stake.texts == 1 { ("is", "it") } else { ("are", "them") };
    let what = super::capital(&at_stake.words());
    format!("{what} {are} still waiting on this device. Signing out removes {them} from it for good.")
}

pub const LEAVING: &str = "You asked to be signed out. The server has not confirmed it yet. Nothing of yours is shown or \
                           sent, and it goes on being tried.";
