//! Words that people and models write, and their hashes.
//!
//! Invariant: a learner's text is kept byte for byte or refused, never cleaned.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::fault::Fault;

/// SHA-256 of UTF-8 text, in lower-case hex.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hash(String);

impl Hash {
    /// Hashes the text exactly as it stands.
    pub fn of(text: &str) -> Self {
        use fmt::Write as _;
        let mut hex = String::with_capacity(64);
        for byte in Sha256::digest(text.as_bytes()) {
            let _ = write!(hex, "{byte:02x}");
        }
        Self(hex)
    }

    /// The 64 hex digits (or whatever a request claimed; a wrong one equals nothing).
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A hash that was stored or sent. Not checked: it is only ever compared.
    pub fn claimed(hex: impl Into<String>) -> Self {
        Self(hex.into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What the learner wants explained: not blank, no NUL, at most 2 kB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Question(String);

impl Question {
    /// Bytes of UTF-8.
    pub const LIMIT: usize = 2_000;

    /// Keeps the text as it is, or says what is wrong with it.
    pub fn parse(raw: &str) -> Result<Self, Fault> {
        bounded("question", raw, Self::LIMIT).map(Self)
    }

    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An explanation that a model or a learner wrote: not blank, no NUL, at most 20 kB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DraftText(String);

impl DraftText {
    /// Bytes of UTF-8.
    pub const LIMIT: usize = 20_000;

    /// Keeps the text as it is, or says what is wrong with it.
    pub fn parse(raw: &str) -> Result<Self, Fault> {
        bounded("text", raw, Self::LIMIT).map(Self)
    }

    /// A machine's text: line ends become LF and control characters go, since nobody typed them.
    pub fn from_machine(raw: &str) -> Result<Self, Fault> {
        let lf = raw.replace("\r\n", "\n").replace('\r', "\n");
        let clean: String = lf.chars().filter(|c| !c.is_control() || "\n\t".contains(*c)).collect();
        Self::parse(&clean)
    }

    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The hash that an acceptance must name.
    pub fn hash(&self) -> Hash {
        Hash::of(&self.0)
    }
}

/// Whether there is nothing to read: blanks, and characters of Unicode's `Default_Ignorable_Code_Point`, which
/// no screen shows.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_whitespace()
            || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
                | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
    })
}

fn bounded(field: &str, raw: &str, limit: usize) -> Result<String, Fault> {
    if raw.len() > limit {
        Err(Fault::too_long(field, limit))
    } else if raw.contains('\0') {
        Err(Fault::bad_characters(field))
    } else if is_blank(raw) {
        Err(Fault::empty(field))
    } else {
        Ok(raw.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Code;

    #[test]
    fn a_text_of_which_nothing_can_be_seen_is_empty_and_one_with_a_letter_is_kept_as_it_is() {
        for unseen in ["", " \n\t", "\u{200b}", "\u{2060}\u{feff} \u{ad}", "\u{3164}\u{fe0f}", "\u{e0020}"] {
            assert_eq!(Question::parse(unseen).unwrap_err().code, Code::Empty, "{unseen:?}");
            assert_eq!(DraftText::parse(unseen).unwrap_err().code, Code::Empty, "{unseen:?}");
        }
        for seen in ["\u{200b}a", " . ", "👩\u{200d}🎨", "\u{301}", "你"] {
            assert_eq!(DraftText::parse(seen).unwrap().as_str(), seen);
        }
    }
}
