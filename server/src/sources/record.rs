//! A record as machines hand it over: one JSON object of at most 64 kB.
//!
//! `record_id`, `version`, `title` and `withdrawn` are for us; all other fields are for people and
//! become the evidence's content, in the order in which they stand. What a field says is data,
//! whatever it says: nothing here or later acts on it.

use std::fmt::Display;

use domain::{
    id::{RecordId, SourceVersion},
    record::{
        Observation, RecordSummary,
        fields::{Fields, in_words},
    },
};

use super::SourceError;

/// A record that was read and understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub record_id: RecordId,
    pub version: SourceVersion,
    pub title: String,
    pub withdrawn: bool,
    /// What is said to people.
    pub fields: Fields,
}

impl Record {
    /// Reads what a source sent. Text in it is cleaned: a machine wrote it, nobody typed it.
    pub fn parse(raw: &[u8]) -> Result<Self, SourceError> {
        if raw.len() > Observation::LIMIT {
            return Err(SourceError::TooLarge { limit: Observation::LIMIT });
        }
        let fields: Fields = serde_json::from_slice(raw).map_err(not_understood)?;
        let mut fields = fields.map_text(cleaned);
        let mut text = |name| fields.take(name).map(|value| in_words(&value)).unwrap_or_default();

        let record_id = RecordId::parse(&text("record_id")).map_err(malformed)?;
        let version = text("version");
        let title = text("title");
        if version.is_empty() || title.trim().is_empty() {
            return Err(malformed("a record needs a version and a title"));
        }
        // Anything but a plain "no" withdraws it: better to offer too little than too much.
        let withdrawn = !matches!(text("withdrawn").as_str(), "" | "no" | "false");
        Ok(Self { record_id, version: SourceVersion(version), title, withdrawn, fields })
    }

    /// Its line in the list.
    pub fn summary(&self) -> RecordSummary {
        RecordSummary { record_id: self.record_id.clone(), title: self.title.clone(), version: self.version.clone() }
    }

    /// What a look-up shows of it.
    pub fn observation(&self) -> Result<Observation, SourceError> {
        if self.withdrawn {
            return Err(SourceError::Withdrawn);
        }
        let content = serde_json::to_string_pretty(&self.fields).map_err(malformed)?;
        // Indentation may have made it longer than what was sent.
        if content.len() > Observation::LIMIT {
            return Err(SourceError::TooLarge { limit: Observation::LIMIT });
        }
        Ok(Observation { title: self.title.clone(), content, source_version: self.version.clone() })
    }
}

/// Line ends become LF; NUL, which Postgres refuses, and all other control characters go.
pub fn cleaned(text: &str) -> String {
    let lf = text.replace("\r\n", "\n").replace('\r', "\n");
    lf.chars().filter(|c| !c.is_control() || "\n\t".contains(*c)).collect()
}

/// Where it went wrong, without what stands there: causes are logged, evidence never is.
#[expect(clippy::needless_pass_by_value, reason = "handed to map_err")]
fn not_understood(error: serde_json::Error) -> SourceError {
    malformed(format_args!("not one JSON object of distinct fields (line {}, column {})", error.line(), error.column()))
}

fn malformed(why: impl Display) -> SourceError {
    SourceError::Malformed(why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(raw: &str) -> String {
        match Record::parse(raw.as_bytes()).and_then(|record| record.observation()) {
            Ok(seen) => format!("{} v{}: {}", seen.title, seen.source_version, seen.content.replace('\n', "")),
            Err(error) => format!("{:?}", error.problem().code),
        }
    }

    #[test]
    fn a_record_is_read_or_refused_with_a_specific_problem() {
        let table = [
            (r#"{"record_id":"a","version":2,"title":"A","when":"now"}"#, r#"A v2: {  "when": "now"}"#),
            (r#"{"record_id":"a","version":"x1","title":"A"}"#, "A vx1: {}"),
            (r#"{"record_id":"a","version":2,"title":"A","withdrawn":false}"#, "A v2: {}"),
            (r#"{"record_id":"a","version":2,"title":"A","withdrawn":true}"#, "\"record_withdrawn\""),
            (r#"{"record_id":"a","version":2,"title":"A","withdrawn":"since May"}"#, "\"record_withdrawn\""),
            (r#"{"record_id":"a b","version":2,"title":"A"}"#, "\"reply_malformed\""),
            (r#"{"record_id":"a","version":2}"#, "\"reply_malformed\""),
            (r#"{"record_id":"a","title":"A"}"#, "\"reply_malformed\""),
            (r#"["a"]"#, "\"reply_malformed\""),
            ("", "\"reply_malformed\""),
            ("{\"record_id\":\"a\",\"version\":2,\"title\":\"A\0\"}", "\"reply_malformed\""),
        ];
        for (raw, expected) in table {
            assert_eq!(parsed(raw), expected, "{raw}");
        }
    }

    #[test]
    fn control_characters_are_cleaned_away_and_line_ends_are_lf() {
        let raw = r#"{"record_id":"a","version":2,"title":"A\u0000\u001b[31m","when":"one\r\ntwo\u0007\rthree"}"#;
        let seen = Record::parse(raw.as_bytes()).unwrap().observation().unwrap();
        assert_eq!(seen.title, "A[31m");
        assert_eq!(seen.content, "{\n  \"when\": \"one\\ntwo\\nthree\"\n}");
    }

    #[test]
    fn more_than_the_limit_is_refused() {
        let long = "x".repeat(Observation::LIMIT);
        let raw = format!(r#"{{"record_id":"a","version":2,"title":"A","when":"{long}"}}"#);
        assert!(matches!(Record::parse(raw.as_bytes()), Err(SourceError::TooLarge { limit: 64_000 })));

        // Small as it was sent, too long once it is indented.
        let many: Vec<_> = (0..7000).map(|n| format!("\"{n}\":{}", n % 10)).collect();
        let raw = format!(r#"{{"record_id":"a","version":2,"title":"A",{}}}"#, many.join(","));
        assert!(raw.len() < Observation::LIMIT);
        let record = Record::parse(raw.as_bytes()).unwrap();
        assert!(matches!(record.observation(), Err(SourceError::TooLarge { .. })));
    }
}
