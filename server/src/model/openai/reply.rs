//! What came back: read as far as it matters, refused where it is not what was asked for.

use domain::snapshot::Usage;
use reqwest::StatusCode;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

use crate::model::{Drafted, ModelError};

/// A chat completion.
#[derive(Debug, Deserialize)]
pub struct Reply {
    #[serde(default)]
    choices: Vec<Choice>,
    /// As it is: what a server cannot count right is no reason to lose a draft.
    #[serde(default)]
    usage: Value,
}

#[derive(Debug, Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<Value>,
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
    text: Option<String>,
}

/// How a whole reply ends. Anything else ended it before its end, by a limit, an error or a call of a tool.
const WHOLE: [&str; 5] = ["stop", "eos", "eos_token", "end_turn", "stop_sequence"];

impl Reply {
    /// Where it went wrong is said, not what stands there.
    pub fn read(raw: &[u8]) -> Result<Self, ModelError> {
        serde_json::from_slice(raw).map_err(|error| {
            ModelError::Malformed(format!("no chat completion (line {}, column {})", error.line(), error.column()))
        })
    }

    /// The draft in it. Whether the text is one, whoever stores it says: it was paid for all the same.
    pub fn drafted(self) -> Result<Drafted, ModelError> {
        let usage = counted(&self.usage);
        let Some(choice) = self.choices.into_iter().next() else {
            return Err(ModelError::Malformed("no choice in it".to_owned()));
        };
        if choice.message.refusal.is_some_and(|refusal| !refusal.is_empty()) {
            return Err(ModelError::Rejected("it declined to answer".to_owned()));
        }
        let incomplete = match choice.finish_reason.as_ref().map(|reason| reason.as_str().unwrap_or_default()) {
            Some("content_filter") => return Err(ModelError::Rejected("a filter of the model's server".to_owned())),
            Some(reason) => !WHOLE.contains(&reason.to_ascii_lowercase().as_str()),
            None => false,
        };
        let text = match choice.message.content {
            None => String::new(),
            Some(Content::Text(text)) => text,
            Some(Content::Parts(parts)) => parts.into_iter().filter_map(|part| part.text).collect(),
        };
        Ok(Drafted { text, incomplete, usage })
    }
}

/// What the model counted, if it counted anything.
fn counted(usage: &Value) -> Option<Usage> {
    let number = |name: &str| usage.get(name).and_then(Value::as_f64).filter(|number| 0.0 <= *number);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
    let whole = |number: Option<f64>| number.unwrap_or_default().ceil() as u32;
    match (number("prompt_tokens"), number("completion_tokens")) {
        (None, None) => None,
        (read, written) => Some(Usage { read: whole(read), written: whole(written) }),
    }
}

/// An error's body, as far as it is safe to tell of it.
#[derive(Deserialize)]
pub struct Failure {
    error: Why,
}

/// A server may send `error: null` beside a reply: that is none.
#[derive(Deserialize)]
#[serde(untagged)]
enum Why {
    Known {
        #[serde(default)]
        code: Option<Value>,
        #[serde(default, rename = "type")]
        kind: Option<String>,
        /// Only whether there is one: it is not repeated.
        #[serde(default)]
        message: Option<IgnoredAny>,
    },
    /// In words, which are not repeated.
    Said(String),
}

/// Words for what another try does not change, where a failure comes without a status.
const FINAL: [&str; 5] =
    ["context_length_exceeded", "invalid_api_key", "invalid_request_error", "model_not_found", "permission_denied"];

impl Failure {
    pub fn read(raw: &[u8]) -> Option<Self> {
        serde_json::from_slice(raw).ok()
    }

    /// The same of what came as a success: an error that says nothing is none where a reply stands beside it.
    pub fn read_in_success(raw: &[u8]) -> Option<Self> {
        Self::read(raw)
            .filter(|failure| !failure.says_nothing() || Reply::read(raw).is_ok_and(|reply| reply.choices.is_empty()))
    }

    fn says_nothing(&self) -> bool {
        match &self.error {
            Why::Known { code, kind, message } => code.is_none() && kind.is_none() && message.is_none(),
            Why::Said(words) => words.trim().is_empty(),
        }
    }

    /// The status that it names as its code, or that its code stands for.
    pub fn status(&self) -> Option<StatusCode> {
        let Why::Known { code, kind, .. } = &self.error else { return None };
        let number = match code {
            Some(Value::String(number)) => number.parse().ok(),
            Some(number) => number.as_u64().and_then(|number| number.try_into().ok()),
            None => None,
        };
        let is_final = |word: &str| FINAL.contains(&word);
        let stands_for = || {
            let is_final =
                code.as_ref().and_then(Value::as_str).is_some_and(is_final) || kind.as_deref().is_some_and(is_final);
            is_final.then_some(StatusCode::BAD_REQUEST)
        };
        number.and_then(|number: u16| StatusCode::from_u16(number).ok()).or_else(stands_for)
    }

    /// A short word such as `invalid_api_key`, if there is one.
    pub fn code(self) -> Option<String> {
        let Why::Known { code, kind, .. } = self.error else { return None };
        let code = code.as_ref().and_then(|code| code.as_str().map(str::to_owned)).or(kind)?;
        // No key is written like this.
        let is_word = |c: char| c.is_ascii_lowercase() || c == '_';
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
            (
                choice(r#"{"content": [{"type": "text", "text": "Br"}, {"text": null}, {"text": "ing"}]}"#, "null"),
                "Bring false None",
            ),
            (choice(r#"{"content": "Bring"}"#, r#""eos""#), "Bring false None"),
            (choice(r#"{"content": "Bring"}"#, r#""error""#), "Bring true None"),
            (choice(r#"{"content": "Bring"}"#, r#""tool_calls""#), "Bring true None"),
            (choice(r#"{"content": "Bring"}"#, "7"), "Bring true None"),
            (choice(r#"{"content": null}"#, r#""tool_calls""#), " true None"),
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
    fn what_is_counted_is_taken_as_it_comes() {
        for (usage, expected) in [
            (r#"{"prompt_tokens": 12, "completion_tokens": null}"#, "Some(Usage { read: 12, written: 0 })"),
            (r#"{"prompt_tokens": 11.5, "completion_tokens": 3.0}"#, "Some(Usage { read: 12, written: 3 })"),
            (r#"{"prompt_tokens": -1, "completion_tokens": 1e300}"#, "Some(Usage { read: 0, written: 4294967295 })"),
            ("{}", "None"),
            (r#""many""#, "None"),
            ("null", "None"),
        ] {
            let raw = format!(r#"{{"choices": [{{"message": {{"content": "x"}}}}], "usage": {usage}}}"#);
            assert_eq!(drafted(&raw), format!("x false {expected}"), "{usage}");
        }
    }

    #[test]
    fn of_an_error_only_a_word_is_told() {
        let code = |raw: &str| Failure::read(raw.as_bytes()).and_then(Failure::code).unwrap_or_default();
        assert_eq!(
            code(r#"{"error": {"message": "key sk-123 is wrong", "code": "invalid_api_key"}}"#),
            "invalid_api_key"
        );
        assert_eq!(code(r#"{"error": {"message": "m", "type": "server_error", "code": null}}"#), "server_error");
        assert_eq!(code(r#"{"error": {"code": "key sk-123 <b>"}}"#), "");
        assert_eq!(code(r#"{"error": {"code": "sk-123-key"}}"#), "");
        assert_eq!(code(r#"{"error": "no"}"#), "");
        let status = |raw: &str| Failure::read(raw.as_bytes()).map(|failure| failure.status().map(|s| s.as_u16()));
        assert_eq!(status(r#"{"error": {"code": 429, "message": "m"}}"#), Some(Some(429)));
        assert_eq!(status(r#"{"error": "no"}"#), Some(None));
        assert_eq!(status(r#"{"error": {"code": "401", "message": "m"}}"#), Some(Some(401)));
        assert_eq!(status(r#"{"error": {"code": "context_length_exceeded"}}"#), Some(Some(400)));
        assert_eq!(status(r#"{"error": {"code": "server_error"}}"#), Some(None));
        assert_eq!(status(r#"{"error": null, "choices": []}"#), None, "that is no error");
        let fails = |error: &str, choices: &str| {
            let raw = format!(r#"{{"error": {error}, "choices": [{choices}]}}"#);
            Failure::read_in_success(raw.as_bytes()).is_some()
        };
        let whole = r#"{"message": {"content": "Bring clay."}, "finish_reason": "stop"}"#;
        for nothing in ["null", "{}", "\"\""] {
            assert!(!fails(nothing, whole), "{nothing}: a whole reply was paid for");
        }
        assert!(fails("{}", "") && fails(r#""no""#, whole) && fails(r#"{"message": "no"}"#, whole));
    }
}
