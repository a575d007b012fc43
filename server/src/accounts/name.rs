//! What a name and a passphrase may be.

use std::fmt;

use domain::fault::Fault;
use unicode_normalization::UnicodeNormalization as _;

/// A learner's name: 1 to 64 characters, none of them invisible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    shown: String,
    key: String,
}

impl Name {
    /// Characters, not bytes.
    pub const LIMIT: usize = 64;

    /// Takes the name without the spaces around it, or says what is wrong with it.
    pub fn parse(raw: &str) -> Result<Self, Fault> {
        // Devices compose the same letters differently; a name is the same on all of them.
        let shown: String = raw.trim().nfc().collect();
        if shown.is_empty() {
            Err(Fault::empty("name"))
        } else if shown.chars().count() > Self::LIMIT {
            Err(Fault::too_long("name", Self::LIMIT))
        } else if shown.chars().any(|c| c.is_control() || is_invisible(c)) {
            Err(Fault::bad_characters("name"))
        } else {
            Ok(Self { key: shown.nfkc().collect::<String>().to_lowercase(), shown })
        }
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.shown
    }

    /// What two names are compared by.
    pub fn key(&self) -> &str {
        &self.key
    }
}

/// A passphrase on its way to being hashed. It prints as nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Passphrase(String);

impl Passphrase {
    /// Bytes of UTF-8.
    pub const LEAST: usize = 8;
    /// Bytes of UTF-8: hashing must not be made dear by length.
    pub const LIMIT: usize = 200;

    /// A passphrase that somebody chooses.
    pub fn choose(raw: &str) -> Result<Self, Fault> {
        let passphrase = Self::claim(raw)?;
        if passphrase.0.len() < Self::LEAST {
            return Err(Fault::too_short("passphrase", Self::LEAST));
        }
        Ok(passphrase)
    }

    /// A passphrase that somebody claims to have: only what could never be right is refused.
    pub fn claim(raw: &str) -> Result<Self, Fault> {
        if raw.is_empty() {
            Err(Fault::empty("passphrase"))
        } else if raw.len() > Self::LIMIT {
            Err(Fault::too_long("passphrase", Self::LIMIT))
        } else if raw.contains('\0') {
            Err(Fault::bad_characters("passphrase"))
        } else {
            Ok(Self(raw.nfc().collect()))
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(not shown)")
    }
}

/// Zero-width and direction marks: with them two names could look the same.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use domain::fault::Code;

    use super::*;

    #[test]
    fn a_name_is_compared_without_case_and_outer_spaces() {
        let name = Name::parse("  Ada Lovelace ").unwrap();
        assert_eq!((name.as_str(), name.key()), ("Ada Lovelace", "ada lovelace"));
        assert_eq!(Name::parse("ÉMILIE").unwrap().key(), Name::parse("émilie").unwrap().key());
    }

    #[test]
    fn devices_that_compose_letters_differently_mean_the_same() {
        let (one, two) = (Name::parse("\u{e9}milie").unwrap(), Name::parse("e\u{301}milie").unwrap());
        assert_eq!(one, two);
        assert_eq!(Name::parse("\u{ff41}\u{ff4e}\u{ff4e}").unwrap().key(), "ann");
        let claim = |raw: &str| Passphrase::claim(raw).unwrap();
        assert!(claim("caf\u{e9} au lait") == claim("cafe\u{301} au lait"));
    }

    #[test]
    fn what_cannot_be_a_name_is_refused_by_kind() {
        let code = |raw: &str| Name::parse(raw).unwrap_err().code;
        assert_eq!(code("  "), Code::Empty);
        assert_eq!(code(&"é".repeat(65)), Code::TooLong);
        assert_eq!(code("a\0b"), Code::BadCharacters);
        assert_eq!(code("a\u{202e}b"), Code::BadCharacters);
        assert!(Name::parse(&"é".repeat(64)).is_ok());
    }

    #[test]
    fn a_passphrase_is_neither_short_nor_endless_nor_printed() {
        let code = |raw: &str| Passphrase::choose(raw).unwrap_err().code;
        assert_eq!(code(""), Code::Empty);
        assert_eq!(code("seven.."), Code::TooShort);
        assert_eq!(code(&"x".repeat(201)), Code::TooLong);
        assert_eq!(code("eight\0.."), Code::BadCharacters);
        assert!(!format!("{:?}", Passphrase::choose("correct horse")).contains("horse"));
    }
}
