//! What must be seen by one other side and by nobody else: passwords, tokens, keys.

use std::{cmp::Reverse, collections::BTreeSet, fmt, sync::Arc};

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
        f.write_str(HIDDEN)
    }
}

/// What stands where a secret stood.
const HIDDEN: &str = "(not shown)";

/// Takes secrets out of what another side says: it was told them and may repeat them, in an error, in its log, in a
/// record. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Hush(Arc<[Secret]>);

/// A shorter value is no secret, and would be found in every second word.
const LEAST: usize = 6;

impl Hush {
    pub fn of<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let forms: BTreeSet<String> = secrets.into_iter().flat_map(|secret| forms(&secret.0)).collect();
        let mut forms: Vec<Secret> = forms.into_iter().map(Secret).collect();
        // One may be the beginning of another.
        forms.sort_by_key(|form| Reverse(form.0.len()));
        Self(forms.into())
    }

    /// The text without them. To be asked of a text as it is kept or logged, and before it is cut.
    pub fn hide(&self, text: &str) -> String {
        let without = |text: String, secret: &Secret| {
            if text.contains(&secret.0) { text.replace(&secret.0, HIDDEN) } else { text }
        };
        self.0.iter().fold(text.to_owned(), without)
    }
}

/// The ways in which a secret may stand in a text: whole or line by line, each as it is, as JSON writes it, or as an
/// address does.
fn forms(secret: &str) -> Vec<String> {
    let mut forms = Vec::new();
    let parts = secret.split(char::is_control).map(str::trim).chain([secret]);
    for part in parts.filter(|part| LEAST <= part.len()) {
        let quoted = serde_json::Value::from(part).to_string();
        let json = quoted.get(1..quoted.len() - 1).unwrap_or(part);
        // Some escape more than JSON asks for.
        for json in [json.to_owned(), json.replace('/', r"\/")] {
            forms.push(escaped(&json, |unit| format!(r"\u{unit:04x}")));
            forms.push(escaped(&json, |unit| format!(r"\u{unit:04X}")));
            forms.push(json);
        }
        forms.extend([part.to_owned(), in_address(part)]);
    }
    forms
}

fn escaped(text: &str, escape: impl Fn(u16) -> String) -> String {
    let each = |c: char| match c {
        c if c.is_ascii() => c.to_string(),
        c => c.encode_utf16(&mut [0; 2]).iter().map(|unit| escape(*unit)).collect(),
    };
    text.chars().map(each).collect()
}

fn in_address(text: &str) -> String {
    let each = |byte: u8| match byte {
        byte if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hush(secrets: &[&str]) -> Hush {
        Hush::of(&secrets.iter().map(|raw| Secret::from((*raw).to_owned())).collect::<Vec<_>>())
    }

    #[test]
    fn secrets_are_taken_out_wherever_they_stand() {
        let hush = hush(&["key-1234", "key-1234-long", "abc"]);
        assert_eq!(hush.hide("abc key-1234-long, Bearer key-1234."), "abc (not shown), Bearer (not shown).");
        assert_eq!(format!("{hush:?} {:?}", Secret::from("key-1234".to_owned())).matches("1234").count(), 0);
    }

    #[test]
    fn a_secret_is_found_as_json_and_addresses_write_it_and_line_by_line() {
        let hush = hush(&["ab/cd\"ef\\gé-h", "\"-in-quotes", "-----KEY-----\nfirst-line/1\nsecond-line"]);
        for said in [
            r#"ab/cd"ef\gé-h"#,
            r#"ab/cd\"ef\\gé-h"#,
            r#"ab\/cd\"ef\\gé-h"#,
            r#"ab\/cd\"ef\\g\u00e9-h"#,
            r#"ab/cd\"ef\\g\u00E9-h"#,
            "ab%2Fcd%22ef%5Cg%C3%A9-h",
            r#"\"-in-quotes"#,
            "first-line/1",
            r"first-line\/1",
            "second-line",
            r"-----KEY-----\nfirst-line\/1\nsecond-line",
        ] {
            assert_eq!(hush.hide(said), HIDDEN, "{said}");
        }
        assert_eq!(hush.hide("the first line"), "the first line");
    }
}
