//! What came back: read as far as it matters, refused where it is not what was asked for.

use domain::snapshot::Usage;
use serde::Deserialize;

use crate::model::{Drafted, ModelError};

/// A chat completion.
#[derive(Debug, Deserialize)]
pub struct Reply {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Counted>,
}

#[derive(Debug, Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<Content>,
    #[serde(default)]
    refusal: Option<String>,
}

/// A text, or the parts of one.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Debug, Deserialize)]
struct Part {
    #[serde(default)]
    text: String,
}

#[derive(Debug, Deserialize)]
struct Counted {
    #[serde(default)]
    prompt_tokens: u32,
    #[serde(default)]
    completion_tokens: u32,
}

impl Reply {
    /// Where it went wrong is said, not what stands there.
    pub fn read(raw: &[u8]) -> Result<Self, ModelError> {
        serde_json::from_slice(raw).map_err(|error| {
            ModelError::Malformed(format!("no chat completion (line {}, column {})", error.line(), error.column()))
        })
    }

    /// The draft in it.
    pub fn drafted(self) -> Result<Drafted, ModelError> {
        let usage = self.usage.map(|counted| Usage { read: counted.prompt_tokens, written: counted.completion_tokens });
        let Some(choice) = self.choices.into_iter().next() else {
            return Err(ModelError::Malformed("no choice in it".to_owned()));
        };
        if choice.message.refusal.is_some_and(|refusal| !refusal.is_empty()) {
            return Err(ModelError::Rejected("it declined to answer".to_owned()));
        }
        let incomplete = match choice.finish_reason.as_deref() {
            Some("length" | "max_tokens") => true,
            Some("content_filter") => return Err(ModelError::Rejected("a filter of the model's server".to_owned())),
            _ => false,
        };
        let text = match choice.message.content {
            None => String::new(),
            Some(Content::Text(text)) => text,
            Some(Content::Parts(parts)) => parts.into_iter().map(|part| part.text).collect(),
        };
        if text.trim().is_empty() {
            return Err(ModelError::Empty);
        }
        Ok(Drafted { text, incomplete, usage })
    }
}

/// An error's body, as far as it is safe to tell of it.
#[derive(Deserialize)]
pub struct Failure {
    error: Why,
}

#[derive(Deserialize)]
struct Why {
    #[serde(default)]
    code: Option<serde_json::Value>,
    #[serde(default, rename = "type")]
    kind: Option<String>,
}

impl Failure {
    /// A short word such as `invalid_api_key`, if there is one.
    pub fn code(raw: &[u8]) -> Option<String> {
        let Self { error } = serde_json::from_slice(raw).ok()?;
        let code = error.code.as_ref().and_then(|code| code.as_str().map(str::to_owned)).or(error.kind)?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_-. ".contains(c);
        (code.len() <= 60 && code.chars().all(is_word)).then_some(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drafted(raw: &str) -> String {
        match Reply::read(raw.as_bytes()).and_then(Reply::drafted) {
            Ok(Drafted { text, incomplete, usage }) => format!("{text} {incomplete} {usage:?}"),
            Err(error) => format!("{}: {error}", error.problem().code),
        }
    }

    #[test]
    fn a_reply_is_a_draft_or_a_clear_failure() {
        let choice = |message: &str, reason: &str| {
            format!(r#"{{"choices": [{{"message": {message}, "finish_reason": {reason}}}], "other": 1}}"#)
        };
        for (raw, expected) in [
            (choice(r#"{"role": "assistant", "content": "Bring clay."}"#, r#""stop""#), "Bring clay. false None"),
            (choice(r#"{"content": "Bring"}"#, r#""length""#), "Bring true None"),
            (choice(r#"{"content": [{"type": "text", "text": "Br"}, {"text": "ing"}]}"#, "null"), "Bring false None"),
            (choice(r#"{"content": " \n"}"#, r#""stop""#), "draft_empty: the reply was empty"),
            (choice(r#"{"content": null}"#, r#""tool_calls""#), "draft_empty: the reply was empty"),
            (
                choice(r#"{"content": "", "refusal": "no"}"#, r#""stop""#),
                "model_refused: the model refused: it declined to answer",
            ),
            (
                choice(r#"{"content": "x"}"#, r#""content_filter""#),
                "model_refused: the model refused: a filter of the model's server",
            ),
            (r#"{"choices": []}"#.to_owned(), "draft_malformed: the reply was not understood: no choice in it"),
            (
                "<html>".to_owned(),
                "draft_malformed: the reply was not understood: no chat completion (line 1, column 1)",
            ),
        ] {
            assert_eq!(drafted(&raw), expected, "{raw}");
        }
        let counted =
            r#"{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": 12, "completion_tokens": 3}}"#;
        assert_eq!(drafted(counted), "x false Some(Usage { read: 12, written: 3 })");
    }

    #[test]
    fn of_an_error_only_a_word_is_told() {
        let code = |raw: &str| Failure::code(raw.as_bytes()).unwrap_or_default();
        assert_eq!(
            code(r#"{"error": {"message": "key sk-123 is wrong", "code": "invalid_api_key"}}"#),
            "invalid_api_key"
        );
        assert_eq!(code(r#"{"error": {"message": "m", "type": "server_error", "code": null}}"#), "server_error");
        assert_eq!(code(r#"{"error": {"code": "key sk-123 <b>"}}"#), "");
        assert_eq!(code(r#"{"error": "no"}"#), "");
    }
}
