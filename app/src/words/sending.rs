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
        Wish::Edit { base_version, .. } => format!("Your edit of version {base_version}"),
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
            Self::OnDevice => "kept on this device",
            Self::WithPage => "held by this open page only",
        }
    }
}

/// Before a text is discarded that is nowhere else.
pub const DISCARDING: &str = "This text is nowhere else. What builds on it is then not sent either.";

/// How far it has come.
pub fn sending(entry: &Entry, lasts: Lasts) -> String {
    let kept = super::capital(lasts.words());
    match &entry.sending {
        Sending::Queued => format!("{kept}. It goes out as soon as the server answers."),
        Sending::Sent => format!("{kept} and being sent. Not confirmed yet."),
        Sending::Unconfirmed => {
            format!("{kept}. Sent, but not confirmed. Sending again is safe: it is done once.")
        }
        Sending::NeedsSignIn => format!("{kept}. Sign in again to send it."),
        Sending::Refused { fault } => refusal::of_wish(fault),
        Sending::EarlierRefused => {
            let kept = lasts.words();
            format!(
                "It builds on a change that was not accepted or was discarded, so it is not sent. Your text is {kept}."
            )
        }
    }
}

/// What a button's neighbour says while its wish is under way.
pub fn under_way(wish_words: &str, state: &Sending, lasts: Lasts) -> String {
    match state {
        Sending::Sent => format!("{wish_words}: being sent."),
        Sending::Unconfirmed => format!("{wish_words}: sent, but not confirmed. Sending again is safe."),
        Sending::NeedsSignIn => format!("{wish_words}: sign in to send it."),
        _ => format!("{wish_words}: {} until the server answers.", lasts.words()),
    }
}

/// What the start page says while a new task is here only.
pub fn start_waits(lasts: Lasts) -> String {
    format!("A new task is {}. The server has not confirmed it.", lasts.words())
}

/// Beside the Start button, while a start is under way.
pub fn starting(state: &Sending, lasts: Lasts) -> String {
    let kept = lasts.words();
    match (state, lasts) {
        (Sending::Sent, _) => format!("Your task is being sent. It is {kept} until the server has it."),
        (Sending::NeedsSignIn, _) => format!("Your task is {kept}. Sign in again to send it."),
        (_, Lasts::OnDevice) => {
            format!("Your task is {kept} and starts when the server answers. You may close this page.")
        }
        (_, Lasts::WithPage) => {
            format!("Your task is {kept} and starts when the server answers. Leave this page open until then.")
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
            "There is no room left on this device. Mooring works while it is connected, but what you write now is not \
             kept if you close this page."
        }
        NotKept::Emptied => {
            "What Mooring had kept on this device was taken away. What you wrote is still in this open page, and is \
             kept again as soon as the server answers."
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

pub const LEAVING: &str = "You asked to be signed out. The server has not confirmed it yet, and it goes on being tried. \
                           Nothing of yours is shown or sent; it is removed from this device as soon as the server \
                           answers.";
