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
use rmcp::model::CallToolResult;
use serde_json::{Value, value::RawValue};

use super::map::{Complete, Get, List, Place, Pointer};
use crate::{
    secret::Hush,
    sources::{SourceError, one_line, record::cleaned},
};

/// How a well-known library words what it has against the arguments: it answers so, where others send an error.
const ARGUMENTS_REFUSED: &str = "MCP error -32602";

/// Lists are shown in one field: more than this helps nobody.
const LIST_LIMIT: usize = 5_000;

/// What a tool answered.
#[derive(Debug)]
pub struct Reply {
    /// All that it says as text.
    text: String,
    /// The structured content, as JSON.
    structured: Option<String>,
    is_error: bool,
}

impl Reply {
    /// Secrets that the server was told are taken out first.
    pub fn of(result: &CallToolResult, hush: &Hush) -> Self {
        let texts: Vec<&str> = result.content.iter().filter_map(|block| Some(block.as_text()?.text.as_str())).collect();
        Self {
            text: hush.hide(&texts.join("\n")),
            structured: result.structured_content.as_ref().map(|value| hush.hide(&value.to_string())),
            is_error: result.is_error == Some(true),
        }
    }

    /// The record that the answer shows.
    pub fn observation(&self, get: &Get, record: &RecordId) -> Result<Observation, SourceError> {
        self.check(get)?;
        if get.exists.as_ref().is_some_and(|place| self.at(place).is_none_or(|found| says_nothing(&found))) {
            return Err(SourceError::Missing);
        }
        let words = |place: &Option<Place>| match place {
            Some(place) => self.words(place).map(Some),
            None => Ok(None),
        };
        if let Some(id) = words(&get.id)?
            && id != record.as_str()
        {
            return Err(SourceError::Malformed("the answer is about another record".to_owned()));
        }
        let content = self.content(&get.content)?;
        if Observation::LIMIT < content.len() {
            return Err(SourceError::TooLarge { limit: Observation::LIMIT });
        }
        let source_version = SourceVersion(match words(&get.version)? {
            Some(version) => one_line(&version),
            None => of_content(&content),
        });
        if source_version.0.is_empty() {
            return Err(SourceError::Malformed("the version is empty".to_owned()));
        }
        let title = words(&get.title)?.map(|title| one_line(&title)).filter(|title| !title.is_empty());
        Ok(Observation { title: title.unwrap_or_else(|| record.to_string()), content, source_version })
    }

    /// The records that the answer names. One that cannot be read is left out, and the list is then not complete.
    pub fn list(&self, list: &List) -> Result<RecordList, SourceError> {
        if self.is_error {
            return Err(self.error());
        }
        let found = self.at(&list.records).ok_or_else(|| nothing_at(&list.records))?;
        let lines: Vec<&RawValue> =
            serde_json::from_str(&found).map_err(|_| SourceError::Malformed(format!("no list at {}", list.records)))?;
        let mut complete = match &list.complete {
            Complete::Always(complete) => *complete,
            Complete::Said(place) => self.at(place).as_deref() == Some("true"),
        };
        let mut records: Vec<RecordSummary> = Vec::new();
        for line in lines {
            match summary(line.get(), list) {
                Some(record) if records.len() < LIST_LIMIT => records.push(record),
                _ => complete = false,
            }
        }
        records.sort_by(|a, b| a.title.cmp(&b.title));
        Ok(RecordList { records, complete })
    }

    fn check(&self, get: &Get) -> Result<(), SourceError> {
        let says = |part: &Option<String>| part.as_ref().is_some_and(|part| self.text.contains(part));
        if !self.is_error {
            Ok(())
        } else if says(&get.withdrawn) {
            Err(SourceError::Withdrawn)
        } else if says(&get.missing) {
            Err(SourceError::Missing)
        } else {
            Err(self.error())
        }
    }

    fn error(&self) -> SourceError {
        let said = one_line(&self.text);
        if said.starts_with(ARGUMENTS_REFUSED) {
            SourceError::ArgumentsRefused(said)
        } else {
            SourceError::ToolFailed(said)
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
        let found = self.at(place).ok_or_else(|| nothing_at(place))?;
        if *place == Place::Text {
            return Ok(cleaned(&found));
        }
        let odd = || SourceError::Malformed(format!("what stands at {place} cannot be read"));
        if found.starts_with('{') {
            let fields = Fields::read(&found).ok_or_else(odd)?.map_text(cleaned);
            return serde_json::to_string_pretty(&fields).map_err(|_| odd());
        }
        match serde_json::from_str(&found).map_err(|_| odd())? {
            Value::Null => Err(nothing_at(place)),
            Value::String(text) => Ok(cleaned(&text)),
            Value::Array(parts) if parts.iter().all(Value::is_string) => {
                Ok(cleaned(&parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")))
            }
            other => serde_json::to_string_pretty(&other).map(|json| cleaned(&json)).map_err(|_| odd()),
        }
    }

    fn words(&self, place: &Place) -> Result<String, SourceError> {
        let found = self.at(place).ok_or_else(|| nothing_at(place))?;
        Ok(if *place == Place::Text { found.into_owned() } else { json_in_words(&found) })
    }
}

/// A version where the source names none: it changes whenever the content does.
fn of_content(content: &str) -> String {
    let hash = Hash::of(content);
    format!("sha256:{}", hash.as_str().get(..12).unwrap_or_default())
}

fn summary(line: &str, list: &List) -> Option<RecordSummary> {
    let words = |pointer: &Option<Pointer>| {
        let found = pointer.as_ref().and_then(|pointer| pointed(line, pointer));
        found.map(|json| one_line(&json_in_words(json))).unwrap_or_default()
    };
    let record_id = RecordId::parse(&json_in_words(pointed(line, &list.id)?)).ok()?;
    let title = Some(words(&list.title)).filter(|title| !title.is_empty()).unwrap_or_else(|| record_id.to_string());
    Some(RecordSummary { record_id, title, version: SourceVersion(words(&list.version)) })
}

fn json_in_words(json: &str) -> String {
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
