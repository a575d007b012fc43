//! Any server that speaks as OpenAI's chat completions do: in a cloud, or on this machine.
//!
//! A request holds the evidence and the question, nothing else; the key goes into its header and nowhere else. A reply
//! is text and stays text. What the server says in an error is not kept: some repeat a part of the key.

mod reply; // what came back
mod request; // what is sent

use std::time::Duration;

use async_trait::async_trait;
use domain::text::DraftText;
use reqwest::{Client, Response, StatusCode};

use self::reply::{Failure, Reply};
use super::{Drafted, Model, ModelError, Prompt};
use crate::{
    outgoing,
    secret::{Hush, Secret},
};

/// A reply with more bytes is no draft.
const REPLY_LIMIT: usize = 1_000_000;

/// Of an error, so much is read to find its code.
const ERROR_LIMIT: usize = 16_000;

/// And no longer is waited for it.
const ERROR_PATIENCE: Duration = Duration::from_secs(2);

/// Codes of those who ask for money first.
const USED_UP: [&str; 3] = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"];

/// All that is needed to know.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address before `/chat/completions`.
    pub url: String,
    pub model: String,
    pub key: Option<Secret>,
    /// The most tokens that a reply may have, if it is to be said.
    pub reply_tokens: Option<u32>,
}

/// A model behind such a server.
pub struct OpenAiModel {
    settings: Settings,
    address: String,
    hush: Hush,
    http: Client,
}

impl OpenAiModel {
    pub fn new(settings: Settings) -> Result<Self, ModelError> {
        let http = outgoing::client_for(&settings.url).build().map_err(unreachable)?;
        let address = format!("{}/chat/completions", settings.url.trim_end_matches('/'));
        Ok(Self { hush: Hush::of(&settings.key), address, http, settings })
    }

    async fn ask(&self, prompt: &Prompt) -> Result<Vec<u8>, ModelError> {
        let mut request = self.http.post(&self.address).json(&request::body(&self.settings, prompt));
        if let Some(key) = &self.settings.key {
            request = request.bearer_auth(key.reveal());
        }
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        if status.is_success() {
            return body(response, REPLY_LIMIT).await?.ok_or(ModelError::TooLarge { limit: REPLY_LIMIT });
        }
        let wait = outgoing::asked_to_wait(response.headers());
        // The status says enough where the body does not come.
        let raw = tokio::time::timeout(ERROR_PATIENCE, body(response, ERROR_LIMIT)).await.ok();
        let code = raw.and_then(Result::ok).flatten().and_then(|raw| Failure::read(&raw)).and_then(Failure::code);
        Err(self.refused(status, wait, code.as_deref()))
    }

    /// What a failure means that came with this status, and this code of the server's own.
    fn refused(&self, status: StatusCode, wait: Option<Duration>, code: Option<&str>) -> ModelError {
        // No word of theirs is a part of the key, nor has the key in it.
        let is_part = |code: &str| self.settings.key.as_ref().is_some_and(|key| key.reveal().contains(code));
        let said = code
            .filter(|code| !is_part(code) && self.hush.hide(code) == *code)
            .map(|code| format!(" ({code})"))
            .unwrap_or_default();
        let said = format!("HTTP {}{said}", status.as_u16());
        match status {
            // What was paid for is used up: that passes with no wait.
            _ if code.is_some_and(|code| USED_UP.contains(&code)) => ModelError::Rejected(said),
            StatusCode::TOO_MANY_REQUESTS => ModelError::RateLimited { wait, said },
            StatusCode::SERVICE_UNAVAILABLE if wait.is_some() => ModelError::RateLimited { wait, said },
            StatusCode::REQUEST_TIMEOUT | StatusCode::CONFLICT | StatusCode::TOO_EARLY => ModelError::Unreachable(said),
            status if status.is_server_error() => ModelError::Unreachable(said),
            _ => ModelError::Rejected(said),
        }
    }
}

#[async_trait]
impl Model for OpenAiModel {
    fn name(&self) -> &str {
        &self.settings.model
    }

    fn simulated(&self) -> bool {
        false
    }

    async fn draft(&self, prompt: &Prompt) -> Result<Drafted, ModelError> {
        let raw = self.ask(prompt).await?;
        if let Some(failure) = Failure::read_in_success(&raw) {
            // Some send their failures as a success. Without a number of its own, it is the server's.
            let status = failure.status().unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            return Err(self.refused(status, None, failure.code().as_deref()));
        }
        let drafted = Reply::read(&raw)?.drafted()?;
        // As it will be stored: a key that odd characters part is whole again without them.
        let text = DraftText::from_machine(&drafted.text).map(|text| text.as_str().to_owned());
        Ok(Drafted { text: self.hush.hide(&text.unwrap_or(drafted.text)), ..drafted })
    }
}

/// The body, read no further than `limit`; none where it has more.
async fn body(mut response: Response, limit: usize) -> Result<Option<Vec<u8>>, ModelError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if limit < body.len() + chunk.len() {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

fn unreachable(error: reqwest::Error) -> ModelError {
    if error.is_timeout() {
        return ModelError::TimedOut;
    }
    // The address may be long, and is known from the configuration.
    ModelError::Unreachable(outgoing::chain(&error.without_url()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_of_a_refusal_has_the_key_in_it_or_is_in_the_key() {
        let (url, model) = ("http://127.0.0.1:1/v1".to_owned(), "small".to_owned());
        let key = Some(Secret::from("skverysecretkey".to_owned()));
        let asked = OpenAiModel::new(Settings { url, model, key, reply_tokens: None }).unwrap();
        let told = |code: &str| asked.refused(StatusCode::UNAUTHORIZED, None, Some(code)).to_string();
        assert!(told("invalid_api_key").ends_with("HTTP 401 (invalid_api_key)"), "{}", told("invalid_api_key"));
        for code in ["bad_key_skverysecretkey", "skverysecretkey", "secretkey"] {
            assert!(told(code).ends_with("HTTP 401"), "{code}: {}", told(code));
        }
    }
}
