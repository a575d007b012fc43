//! From a tool's answer to a record or a list: where things stand is the map's, what they may be is ours.

use std::{borrow::Cow, collections::HashMap};

use domain::{
    id::{RecordId, SourceVersion},
    record::{
        Observation, RecordList, RecordSummary,
        fields::{Fields, in_words},
    },
    text::Hash,
};
use serde_json::{Value, value::RawValue};

use super::{
    failure,
    map::{Complete, Get, List, Place, Pointer},
    session::Answer,
};
use crate::{
    secret::Hush,
    sources::{SourceError, one_line, record::cleaned},
};

/// How a well-known library words what it has against the arguments: it answers so, where others send an error.
const ARGUMENTS_REFUSED: &str = "MCP error -32602";

/// Lists are shown in one field: more than this helps nobody.
const LIST_LIMIT: usize = 5_000;

/// What a tool answered, as it said it: secrets go from what leaves here, since a text may write them otherwise than what
/// is read from it.
pub struct Reply {
    /// All that it says as text.
    text: String,
    /// The structured content, as JSON.
    structured: Option<String>,
    /// What it is, where it is no answer to what was asked.
    error: Option<SourceError>,
    hush: Hush,
}

impl Reply {
    pub fn of(answer: Answer, hush: Hush) -> Self {
        match answer {
            Answer::Given(result) => {
                let texts = result.content.iter().filter_map(|block| Some(block.as_text()?.text.as_str()));
                let text = texts.collect::<Vec<_>>().join("\n");
                let structured = result.structured_content.as_ref().map(ToString::to_string);
                let error = (result.is_error == Some(true)).then(|| of_tool(one_line(&hush.hide(&text))));
                Self { text, structured, error, hush }
            }
            Answer::Refused(refused) => {
                let error = Some(failure::of_error(&refused, &hush));
                Self { text: refused.message.into_owned(), structured: None, error, hush }
            }
        }
    }

    /// The record that the answer shows.
    pub fn observation(&self, get: &Get, record: &RecordId) -> Result<Observation, SourceError> {
        self.check(get)?;
        if get.exists.as_ref().is_some_and(|place| self.at(place).is_none_or(|found| says_nothing(&found))) {
            return Err(SourceError::Missing);
        }
        let hidden = |place: &Option<Place>| match place {
            Some(place) => self.words(place).map(|words| Some(self.hush.hide(&words))),
            None => Ok(None),
        };
        // Compared as it stands: it may be like a secret.
        if let Some(place) = &get.id
            && self.words(place)? != record.as_str()
        {
            return Err(SourceError::Malformed("the answer is about another record".to_owned()));
        }
        let content = self.content(&get.content)?;
        if Observation::LIMIT < content.len() {
            return Err(SourceError::TooLarge { limit: Observation::LIMIT });
        }
        let source_version = SourceVersion(match hidden(&get.version)? {
            Some(version) => whole_in_one_line(&version),
            None => of_content(&content),
        });
        if source_version.0.is_empty() {
            return Err(SourceError::Malformed("the version is empty".to_owned()));
        }
        let title = hidden(&get.title)?.map(|title| one_line(&title)).filter(|title| !title.is_empty());
        Ok(Observation { title: title.unwrap_or_else(|| record.to_string()), content, source_version })
    }

    /// The records that the answer names. One that cannot be read is left out, and the list is then not complete.
    pub fn list(&self, list: &List) -> Result<RecordList, SourceError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let found = self.at(&list.records).ok_or_else(|| nothing_at(&list.records))?;
        let lines: Vec<&RawValue> =
            serde_json::from_str(&found).map_err(|_| SourceError::Malformed(format!("no list at {}", list.records)))?;
        let mut complete = match &list.complete {
            Complete::Always(complete) => *complete,
            Complete::Said(place) => self.at(place).as_deref() == Some("true"),
        };
        let mut records: Vec<RecordSummary> = Vec::new();
        let mut left_out = 0;
        for line in lines {
            match summary(line.get(), list, &self.hush) {
                Some(record) if records.len() < LIST_LIMIT => records.push(record),
                _ => left_out += 1,
            }
        }
        if 0 < left_out {
            complete = false;
            tracing::warn!(left_out, kept = records.len(), "the source lists records that cannot be offered");
        }
        records.sort_by(|a, b| a.title.cmp(&b.title));
        Ok(RecordList { records, complete })
    }

    /// Servers say by errors of the tool and of the protocol alike that there is no such record.
    fn check(&self, get: &Get) -> Result<(), SourceError> {
        let says = |part: &Option<String>| part.as_ref().is_some_and(|part| self.text.contains(part));
        match &self.error {
            None => Ok(()),
            // Its words are not the server's.
            Some(error @ (SourceError::TooLarge { .. } | SourceError::Malformed(_))) => Err(error.clone()),
            Some(_) if says(&get.withdrawn) => Err(SourceError::Withdrawn),
            Some(_) if says(&get.missing) => Err(SourceError::Missing),
            Some(error) => Err(error.clone()),
        }
    }

    /// What stands there: a text as it is for [`Place::Text`], JSON for the others.
    fn at(&self, place: &Place) -> Option<Cow<'_, str>> {
        match place {
            Place::Text => Some(Cow::Borrowed(&self.text)),
            Place::Json(pointer) => pointed(&self.text, pointer).map(Cow::Borrowed),
            Place::Structured(pointer) => pointed(self.structured.as_deref()?, pointer).map(Cow::Borrowed),
        }
    }

    fn content(&self, place: &Place) -> Result<String, SourceError> {
        let clean = |text: &str| self.hush.hide(&cleaned(text));
        let found = self.at(place).ok_or_else(|| nothing_at(place))?;
        if *place == Place::Text {
            return Ok(clean(&found));
        }
        let odd = || SourceError::Malformed(format!("what stands at {place} cannot be read"));
        if serde_json::from_str(&found).is_ok_and(|value| !is_kept(&value)) {
            return Err(too_exact(place));
        }
        let fields = |raw: &str| Some(Fields::read(raw)?.map_text(clean));
        let json = if found.starts_with('{') {
            serde_json::to_string_pretty(&fields(&found).ok_or_else(odd)?).map_err(|_| odd())?
        } else {
            match serde_json::from_str(&found).map_err(|_| odd())? {
                Value::Null => return Err(nothing_at(place)),
                Value::String(text) => return Ok(clean(&text)),
                Value::Array(parts) if parts.iter().all(Value::is_string) => {
                    return Ok(clean(&parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")));
                }
                // As fields, their text is cleaned before it is written as JSON again.
                other => {
                    let fields = fields(&serde_json::json!({ "": other }).to_string()).ok_or_else(odd)?;
                    let values = fields.iter().map(|(_, value)| serde_json::to_string_pretty(value)).next();
                    values.ok_or_else(odd)?.map_err(|_| odd())?
                }
            }
        };
        // What is left of one is a number, and nothing that could stand in its place.
        if self.hush.hide(&json) == json { Ok(json) } else { Err(odd()) }
    }

    fn words(&self, place: &Place) -> Result<String, SourceError> {
        let found = self.at(place).ok_or_else(|| nothing_at(place))?;
        if *place == Place::Text {
            return Ok(found.into_owned());
        }
        // In the structured content, where the library has read numbers already, the last digits may be gone by now.
        let is_gone =
            matches!(place, Place::Structured(_)) && serde_json::from_str(&found).is_ok_and(|value| !is_kept(&value));
        if is_gone { Err(too_exact(place)) } else { Ok(json_in_words(&found)) }
    }
}

/// A version where the source names none: it changes whenever the content does.
fn of_content(content: &str) -> String {
    let hash = Hash::of(content);
    format!("sha256:{}", hash.as_str().get(..12).unwrap_or_default())
}

/// What a tool has against a call, by its words.
fn of_tool(said: String) -> SourceError {
    if said.starts_with(ARGUMENTS_REFUSED) {
        SourceError::ArgumentsRefused(said)
    } else {
        SourceError::ToolFailed(said)
    }
}

fn summary(line: &str, list: &List, hush: &Hush) -> Option<RecordSummary> {
    let words = |pointer: &Option<Pointer>| {
        let found = pointer.as_ref().and_then(|pointer| pointed(line, pointer));
        found.map(|json| one_line(&hush.hide(&json_in_words(json)))).unwrap_or_default()
    };
    let record_id = RecordId::parse(&hush.hide(&json_in_words(pointed(line, &list.id)?))).ok()?;
    let title = Some(words(&list.title)).filter(|title| !title.is_empty()).unwrap_or_else(|| record_id.to_string());
    Some(RecordSummary { record_id, title, version: SourceVersion(words(&list.version)) })
}

/// Whether what was read of it is what was written: a number with more digits than are kept would change without a word.
fn is_kept(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|number| number.abs() < EXACT)
        }
        Value::Array(items) => items.iter().all(is_kept),
        Value::Object(members) => members.values().all(is_kept),
        _ => true,
    }
}

/// Whole numbers up to here are kept in whatever form they come (2^53).
const EXACT: f64 = 9_007_199_254_740_992.0;

fn too_exact(place: &Place) -> SourceError {
    SourceError::Malformed(format!("a number at {place} has more digits than can be kept"))
}

/// A version may be longer than a line: what is cut away still tells it from another.
fn whole_in_one_line(version: &str) -> String {
    let line = one_line(version);
    if version.trim().chars().count() <= line.chars().count() {
        return line;
    }
    let begins: String = line.chars().take(180).collect();
    let hash = Hash::of(version);
    format!("{begins}#{}", hash.as_str().get(..12).unwrap_or_default())
}

fn json_in_words(json: &str) -> String {
    // As it is written: 1.10 is another version than 1.1.
    if json.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
        return json.to_owned();
    }
    serde_json::from_str(json).map(|value| in_words(&value)).unwrap_or_default()
}

fn says_nothing(found: &str) -> bool {
    matches!(found.trim(), "" | "null" | "[]" | "{}" | "\"\"")
}

fn nothing_at(place: &Place) -> SourceError {
    SourceError::Malformed(format!("nothing stands at {place}"))
}

/// The part of a JSON text that the pointer leads to, as it was written: a map of values would lose the order.
fn pointed<'j>(json: &'j str, Pointer(steps): &Pointer) -> Option<&'j str> {
    // Also where there are no steps: what is no JSON has no parts.
    let whole: &RawValue = serde_json::from_str(json).ok()?;
    steps.iter().try_fold(whole.get(), |json, step| {
        if json.starts_with('[') {
            let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
            items.get(step.parse::<usize>().ok()?).map(|item| item.get())
        } else {
            let members: HashMap<String, &RawValue> = serde_json::from_str(json).ok()?;
            members.get(step).map(|member| member.get())
        }
    })
}

#[cfg(test)]
mod tests;
