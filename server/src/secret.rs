//! What must be seen by one other side and by nobody else: passwords, tokens, keys.

use std::{fmt, sync::Arc};

/// A value that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The value itself, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(raw: String) -> Self {
        Self(raw)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(not shown)")
    }
}

/// Takes secrets out of what another side says: it was told them and may repeat them, in an error, in its log, in a
/// record. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Hush(Arc<[Secret]>);

/// A shorter value is no secret, and would be found in every second word.
const LEAST: usize = 6;

impl Hush {
    pub fn of<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let mut secrets: Vec<Secret> = secrets.into_iter().filter(|secret| LEAST <= secret.0.len()).cloned().collect();
        // One may be the beginning of another.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.0.len()));
        Self(secrets.into())
    }

    /// The text without them.
    pub fn hide(&self, text: &str) -> String {
        let without = |text: String, secret: &Secret| {
            if text.contains(&secret.0) { text.replace(&secret.0, "(not shown)") } else { text }
        };
        self.0.iter().fold(text.to_owned(), without)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_taken_out_wherever_they_stand() {
        let secrets = ["key-1234", "key-1234-long", "abc"].map(|raw| Secret::from(raw.to_owned()));
        let hush = Hush::of(&secrets);
        assert_eq!(hush.hide("abc key-1234-long, Bearer key-1234."), "abc (not shown), Bearer (not shown).");
        assert_eq!(format!("{hush:?} {secrets:?}").matches("1234").count(), 0);
    }
}
