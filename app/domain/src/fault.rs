//! Bad news, in codes that both sides know. The words for them are in `app/words`.

use std::{collections::BTreeMap, fmt::Display};

use serde::{Deserialize, Serialize};

/// Facts that a sentence needs (`{"limit": "2000"}`): names and values, never a learner's text.
pub type Params = BTreeMap<String, String>;

/// Why a request was not done. The HTTP status follows from it: see [`Code::status`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    // 409: refused, and recorded under the operation ID
    KeyReused,
    SimilarTask,
    StaleVersion,
    HashMismatch,
    Expired,
    SourceChanged,
    TooLate,
    NotInThisState,
    EntryNotFound,
    // 409 too, but belonging to no operation, so never recorded
    NameTaken,
    // 422: can never be right
    Empty,
    TooShort,
    TooLong,
    BadCharacters,
    UnknownRecord,
    Malformed,
    // 401
    WrongPassphrase,
    SignedOut,
    OtherUser,
    // 403, 404, 429, 503
    ForeignOrigin,
    NotFound,
    TooFast,
    Unavailable,
}

impl Code {
    /// The HTTP status that goes with the code.
    pub fn status(self) -> u16 {
        match self {
            Self::KeyReused
            | Self::SimilarTask
            | Self::StaleVersion
            | Self::HashMismatch
            | Self::Expired
            | Self::SourceChanged
            | Self::TooLate
            | Self::NotInThisState
            | Self::EntryNotFound
            | Self::NameTaken => 409,
            Self::Empty
            | Self::TooShort
            | Self::TooLong
            | Self::BadCharacters
            | Self::UnknownRecord
            | Self::Malformed => 422,
            Self::WrongPassphrase | Self::SignedOut | Self::OtherUser => 401,
            Self::ForeignOrigin => 403,
            Self::NotFound => 404,
            Self::TooFast => 429,
            Self::Unavailable => 503,
        }
    }

    /// Whether the refusal is a recorded answer: the same operation ID gets it again.
    pub fn is_recorded(self) -> bool {
        self.status() == 409 && self != Self::NameTaken
    }
}

/// Bad news for people: a code and the facts that its sentence needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{code:?} {params:?}")]
pub struct Fault {
    pub code: Code,
    #[serde(default)]
    pub params: Params,
}

impl Fault {
    pub fn new(code: Code) -> Self {
        Self { code, params: Params::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.params.insert(name.to_owned(), value.to_string());
        self
    }

    pub fn empty(field: &str) -> Self {
        Self::new(Code::Empty).with("field", field)
    }

    pub fn too_short(field: &str, least: usize) -> Self {
        Self::new(Code::TooShort).with("field", field).with("least", least)
    }

    pub fn too_long(field: &str, limit: usize) -> Self {
        Self::new(Code::TooLong).with("field", field).with("limit", limit)
    }

    pub fn bad_characters(field: &str) -> Self {
        Self::new(Code::BadCharacters).with("field", field)
    }

    /// An illegal transition names both sides ("cannot edit a task that is saved").
    pub fn not_in_this_state(wanted: &str, found: &str) -> Self {
        Self::new(Code::NotInThisState).with("wanted", wanted).with("found", found)
    }
}

/// What went wrong with a step, or what a learner should know beside a state: a code of the kind
/// of task (`record_withdrawn`) and its facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    pub code: String,
    #[serde(default)]
    pub params: Params,
}

impl Problem {
    pub fn new(code: &str) -> Self {
        Self { code: code.to_owned(), params: Params::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.params.insert(name.to_owned(), value.to_string());
        self
    }
}
