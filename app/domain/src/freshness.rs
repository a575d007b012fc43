//! How far a device may trust what it shows.
//!
//! Invariant: only an answer of the server makes a picture confirmed; the device's own clock,
//! network events and cache never do.

use crate::time::Timestamp;

/// What is known about the picture of a task on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Not confirmed since this tab opened; `asking` while the server is being asked.
    Unknown { asking: bool },
    /// Was confirmed, and the server is being asked again.
    Checking { last: Timestamp },
    /// The server said so, at `at` by its own clock.
    Confirmed { at: Timestamp },
    /// Was confirmed; contact is lost.
    Stale { last: Timestamp },
}

impl Freshness {
    /// What a tab starts with.
    pub const OPENED: Self = Self::Unknown { asking: false };

    /// A question went out.
    #[must_use]
    pub fn asked(self) -> Self {
        match self {
            Self::Unknown { .. } => Self::Unknown { asking: true },
            Self::Checking { last } | Self::Stale { last } | Self::Confirmed { at: last } => Self::Checking { last },
        }
    }

    /// The server answered.
    #[must_use]
    pub fn answered(self, at: Timestamp) -> Self {
        // Answers overtake each other; the newest one counts.
        let at = self.last().map_or(at, |last| last.max(at));
        Self::Confirmed { at }
    }

    /// Nobody answered, or the stream broke.
    #[must_use]
    pub fn unanswered(self) -> Self {
        match self {
            Self::Unknown { .. } => Self::Unknown { asking: false },
            Self::Checking { last } | Self::Stale { last } | Self::Confirmed { at: last } => Self::Stale { last },
        }
    }

    /// When the server last confirmed the picture.
    pub fn last(self) -> Option<Timestamp> {
        match self {
            Self::Unknown { .. } => None,
            Self::Checking { last } | Self::Stale { last } | Self::Confirmed { at: last } => Some(last),
        }
    }

    pub fn is_confirmed(self) -> bool {
        matches!(self, Self::Confirmed { .. })
    }

    /// Whether an answer is being waited for.
    pub fn is_asking(self) -> bool {
        matches!(self, Self::Unknown { asking: true } | Self::Checking { .. })
    }

    /// The word in `data-freshness`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown { .. } => "unknown",
            Self::Checking { .. } => "checking",
            Self::Confirmed { .. } => "confirmed",
            Self::Stale { .. } => "stale",
        }
    }
}

/// What is known about the way to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Nothing was tried yet.
    Unknown,
    /// The first answer is being waited for.
    Connecting,
    /// The server answers.
    Up,
    /// It answered before and is being asked again.
    Reconnecting,
    /// It does not answer; since when, by its own clock, if it ever did.
    Lost { since: Option<Timestamp> },
}
