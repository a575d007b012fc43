//! A model that is none: it picks the fields that a question is about and quotes them.
//!
//! The same prompt gives the same text, so that drills and tests can be repeated. Every text says
//! that a simulated model wrote it. What a record says is quoted, between quotation marks and word
//! for word (the screen marks the fields that a draft quotes), and is never acted on.

mod topics; // what questions are about, and which fields answer them

use std::time::Duration;

use async_trait::async_trait;
use domain::{
    record::fields::{Fields, in_words},
    text::DraftText,
};

use self::topics::{TOPICS, Topic, label, topic_of_field, words_of};
use super::{Drafted, Model, ModelError, Prompt};

/// A value longer than this is quoted in part.
const QUOTE_LIMIT: usize = 1_500;

/// Left free for what every draft ends with.
const CLOSING: usize = 500;

/// The simulated model.
#[derive(Clone, Debug, Default)]
pub struct SimulatedModel {
    delay: Duration,
}

impl SimulatedModel {
    /// Answers at once.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers after a while, as real models do: there is time to close a tab or kill a process.
    pub fn with_delay(delay: Duration) -> Self {
        Self { delay }
    }
}

#[async_trait]
impl Model for SimulatedModel {
    fn name(&self) -> &'static str {
        "simulated"
    }

    fn simulated(&self) -> bool {
        true
    }

    async fn draft(&self, prompt: &Prompt) -> Result<Drafted, ModelError> {
        if !self.delay.is_zero() {
            tokio::time::sleep(self.delay).await;
        }
        Ok(Drafted { text: explanation(prompt), incomplete: false, usage: None })
    }
}

/// The whole draft: which record, what it says to the question, and who wrote this.
fn explanation(prompt: &Prompt) -> String {
    let title = excerpt(&prompt.title, 200).0;
    let version = excerpt(&prompt.source_version, 100).0;
    let mut page = Page::headed(format!("About “{title}” (record version {version}):"));
    match Fields::read(&prompt.content) {
        Some(fields) => answer(&mut page, &prompt.question, &fields),
        None => quote_text(&mut page, &prompt.content),
    }
    page.closed(&format!(
        "Written by a simulated model, which quotes version {version} of the record and knows nothing else. \
         Please check it before you accept it."
    ))
}

/// Quotes the fields that the question is about, or all of them if it is about none.
fn answer(page: &mut Page, question: &str, fields: &Fields) {
    let said: Vec<(&str, String)> =
        fields.iter().map(|(name, value)| (name, in_words(value))).filter(|(_, v)| !v.trim().is_empty()).collect();
    let words = words_of(question);
    let asked: Vec<&Topic> = TOPICS.iter().filter(|topic| topic.is_in(&words)).collect();

    let mut quoted = false;
    for (name, value) in &said {
        let by_topic = topic_of_field(name).is_some_and(|topic| asked.iter().any(|a| a.name == topic.name));
        let by_name = topic_of_field(name).is_none() && words_of(name).iter().any(|word| words.contains(word));
        if by_topic || by_name {
            page.quote(&label(name), value);
            quoted = true;
        }
    }
    let answered = |topic: &&&Topic| said.iter().any(|(name, _)| topic.answers(name));
    for topic in asked.iter().filter(|topic| !answered(topic)) {
        page.line(&format!("The record says nothing about {}. Please ask the workshop.", topic.name));
    }
    if quoted || !asked.is_empty() {
        return;
    }

    if said.is_empty() {
        page.line("The record has no details. Please ask the workshop.");
        return;
    }
    page.line("The question names nothing that the record has a field for. This is all that the record says:");
    for (name, value) in &said {
        page.quote(&label(name), value);
    }
}

/// A record that is not made of fields is quoted from its beginning.
fn quote_text(page: &mut Page, content: &str) {
    if content.trim().is_empty() {
        page.line("The record is empty. Please ask the workshop.");
    } else {
        page.quote("The record says", content.trim());
    }
}

/// A text that stays within a draft's limit, whatever is put into it.
struct Page {
    text: String,
    full: bool,
}

impl Page {
    fn headed(heading: String) -> Self {
        Self { text: heading, full: false }
    }

    fn quote(&mut self, label: &str, value: &str) {
        let (quoted, whole) = excerpt(value, QUOTE_LIMIT);
        let more = if whole { "" } else { " (and more: see the evidence)" };
        self.line(&format!("{label}: “{quoted}”{more}"));
    }

    fn line(&mut self, line: &str) {
        if self.text.len() + line.len() + 2 + CLOSING > DraftText::LIMIT {
            self.full = true;
        } else {
            self.text.push_str("\n\n");
            self.text.push_str(line);
        }
    }

    fn closed(mut self, closing: &str) -> String {
        if self.full {
            self.text.push_str("\n\nThe record says more than fits here: see the evidence.");
        }
        self.text.push_str("\n\n");
        self.text.push_str(closing);
        self.text
    }
}

/// The beginning of `text` within `limit` bytes, and whether that is all of it.
fn excerpt(text: &str, limit: usize) -> (&str, bool) {
    if text.len() <= limit {
        return (text, true);
    }
    let start = &text[..text.floor_char_boundary(limit)];
    // At the end of a word, if there is one not far away.
    let end = start.rfind(char::is_whitespace).filter(|end| end * 2 > limit).unwrap_or(start.len());
    (&start[..end], false)
}

#[cfg(test)]
mod tests;
