//! Which languages there are, each by its own name.

use super::said::{self, Said};

/// The name of the choice.
pub const TITLE: Said = Said("Language");

pub const CHANGE_ANYWAY: Said = Said("Change the language all the same");

/// As pages name them, and as their speakers do.
pub const ALL: [(&str, &str); 2] = [("en", "English"), ("zh-Hans", "简体中文")];

/// What is said where a language was wanted and its sentences did not arrive.
pub const UNSPOKEN: Said =
    Said("This language could not be loaded, so Mooring speaks English for now. Reload to try again.");

/// Whether it is the one that is spoken.
pub fn is_spoken(language: &str) -> bool {
    said::language() == language
}
