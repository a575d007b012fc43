//! Any server that speaks as OpenAI's chat completions do: in a cloud, or on this machine.
//!
//! A request holds the evidence and the question, nothing else; the key goes into its header and nowhere else. A reply
//! is text and stays text. What the server says in an error is not kept: some repeat a part of the key.

mod reply; // what came back
mod request; // what is sent

use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Client, Response, StatusCode, header::RETRY_AFTER};

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
        let wait = response.headers().get(RETRY_AFTER).and_then(|value| seconds(value.to_str().ok()?));
        let code = body(response, ERROR_LIMIT).await.ok().flatten().and_then(|raw| Failure::code(&raw));
        let said = code.map(|code| format!(" ({})", self.hush.hide(&code))).unwrap_or_default();
        Err(refused(status, wait, format!("HTTP {}{said}", status.as_u16())))
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
        let drafted = Reply::read(&raw)?.drafted()?;
        Ok(Drafted { text: self.hush.hide(&drafted.text), ..drafted })
    }
}

/// What a status other than success means.
fn refused(status: StatusCode, wait: Option<Duration>, said: String) -> ModelError {
    match status {
        StatusCode::TOO_MANY_REQUESTS => ModelError::RateLimited(wait),
        StatusCode::SERVICE_UNAVAILABLE if wait.is_some() => ModelError::RateLimited(wait),
        StatusCode::REQUEST_TIMEOUT | StatusCode::CONFLICT => ModelError::Unreachable(said),
        status if status.is_server_error() => ModelError::Unreachable(said),
        _ => ModelError::Rejected(said),
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

/// Seconds; a date is not worth a clock here.
fn seconds(raw: &str) -> Option<Duration> {
    raw.trim().parse().ok().map(Duration::from_secs)
}

fn unreachable(error: reqwest::Error) -> ModelError {
    if error.is_timeout() {
        return ModelError::TimedOut;
    }
    // The address may be long, and is known from the configuration.
    let error = error.without_url();
    let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
    ModelError::Unreachable(format!("{error}{cause}"))
}
