//! Which tools are asked, with what, and where in their answers things stand: a JSON file, so that servers that know
//! nothing of Mooring can be its source.
//!
//! A [`Place`] is `text` (what the answer says as text), `json/a/0` (a JSON pointer into that text) or
//! `structured/a/0` (one into the structured content).

use std::fmt;

use domain::id::RecordId;
use serde::Deserialize;
use serde_json::{Map as Members, Value};

/// Stands for the record's ID in the arguments of the tool that shows one.
const RECORD: &str = "{record}";

/// How a server is asked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    pub get: Get,
    /// Left out where no tool lists the records: learners then write the name of a record themselves.
    pub list: Option<List>,
}

/// The tool that shows a record.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Get {
    pub tool: String,
    /// `{record}` in any text stands for the record's ID.
    #[serde(default)]
    pub arguments: Members<String, Value>,
    /// What the record says: a text, or an object of fields.
    pub content: Place,
    /// Without one, a hash of the content serves as the version.
    pub version: Option<Place>,
    /// Without one, the record's ID serves as its title.
    pub title: Option<Place>,
    /// Where the record says its own ID: another one is refused.
    pub id: Option<Place>,
    /// Empty or absent where there is no such record.
    pub exists: Option<Place>,
    /// A part of the error by which the tool says that there is no such record.
    pub missing: Option<String>,
    /// The same for a record that was withdrawn.
    pub withdrawn: Option<String>,
}

/// The tool that lists the records.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    pub tool: String,
    #[serde(default)]
    pub arguments: Members<String, Value>,
    /// The array of them.
    pub records: Place,
    /// From here on within one of them.
    pub id: Pointer,
    pub title: Option<Pointer>,
    pub version: Option<Pointer>,
    #[serde(default)]
    pub complete: Complete,
}

/// Whether there may be records that the list does not name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Complete {
    Always(bool),
    Said(Place),
}

impl Default for Complete {
    fn default() -> Self {
        Self::Always(false)
    }
}

/// Where in an answer something stands.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Place {
    Text,
    Json(Pointer),
    Structured(Pointer),
}

/// A JSON pointer (RFC 6901), split into its steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Pointer(pub Vec<String>);

impl Map {
    /// Reads a map, or says in a sentence what is wrong with it.
    pub fn read(json: &str) -> Result<Self, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    /// The map of `mooring records`.
    pub fn own() -> Self {
        // Its text keeps the order of the fields; its structured content does not.
        let json = |steps: &[&str]| Place::Json(pointer(steps));
        Self {
            get: Get {
                tool: "get_record".to_owned(),
                arguments: Members::from_iter([("record_id".to_owned(), Value::from(RECORD))]),
                content: json(&["fields"]),
                version: Some(json(&["version"])),
                title: Some(json(&["title"])),
                id: Some(json(&["record_id"])),
                exists: None,
                // With their brackets, which no ID has: the sentence before them names one.
                missing: Some("(record_not_found)".to_owned()),
                withdrawn: Some("(record_withdrawn)".to_owned()),
            },
            list: Some(List {
                tool: "list_records".to_owned(),
                arguments: Members::new(),
                records: json(&["records"]),
                id: pointer(&["record_id"]),
                title: Some(pointer(&["title"])),
                version: Some(pointer(&["version"])),
                complete: Complete::Said(json(&["complete"])),
            }),
        }
    }
}

impl Get {
    /// The arguments of a call about this record.
    pub fn arguments_for(&self, record: &RecordId) -> Members<String, Value> {
        self.arguments.iter().map(|(name, value)| (name.clone(), filled(value, record.as_str()))).collect()
    }
}

fn filled(value: &Value, record: &str) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace(RECORD, record)),
        Value::Array(values) => values.iter().map(|value| filled(value, record)).collect(),
        Value::Object(members) => members.iter().map(|(name, v)| (name.clone(), filled(v, record))).collect(),
        plain => plain.clone(),
    }
}

fn pointer(steps: &[&str]) -> Pointer {
    Pointer(steps.iter().map(|step| (*step).to_owned()).collect())
}

impl TryFrom<String> for Place {
    type Error = String;

    fn try_from(raw: String) -> Result<Self, String> {
        let (part, rest) = raw.split_at(raw.find('/').unwrap_or(raw.len()));
        match part {
            "text" if rest.is_empty() => Ok(Self::Text),
            "json" => Pointer::try_from(rest.to_owned()).map(Self::Json),
            "structured" => Pointer::try_from(rest.to_owned()).map(Self::Structured),
            _ => Err(format!("{raw:?} is no place: write text, json/… or structured/…")),
        }
    }
}

impl TryFrom<String> for Pointer {
    type Error = String;

    fn try_from(raw: String) -> Result<Self, String> {
        if raw.is_empty() {
            return Ok(Self::default());
        }
        let Some(steps) = raw.strip_prefix('/') else {
            return Err(format!("{raw:?} is no JSON pointer: it begins with /"));
        };
        Ok(Self(steps.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect()))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (part, Pointer(steps)) = match self {
            Self::Text => return f.write_str("text"),
            Self::Json(pointer) => ("json", pointer),
            Self::Structured(pointer) => ("structured", pointer),
        };
        f.write_str(part)?;
        steps.iter().try_for_each(|step| write!(f, "/{}", step.replace('~', "~0").replace('/', "~1")))
    }
}

#[cfg(test)]
mod tests;
