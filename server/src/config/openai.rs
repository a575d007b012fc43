//! Where an OpenAI-compatible model is, and what it is called there.

use super::values::{self, Secret};
use crate::model::openai::Settings;

/// Only with `--model openai`.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "OpenAI-compatible model")]
#[expect(clippy::struct_field_names, reason = "a field is the name of its flag")]
pub struct OpenAiArgs {
    /// The address before `/chat/completions`, such as `http://127.0.0.1:11434/v1`.
    #[arg(long, env = "MOORING_OPENAI_URL", value_name = "URL", value_parser = values::secret, hide_env_values = true)]
    openai_url: Option<Secret>,

    /// The model's name there.
    #[arg(long, env = "MOORING_OPENAI_MODEL", value_name = "NAME")]
    openai_model: Option<String>,

    /// The key, where the server asks for one: drafts are cleaned of it. Better as a variable: a flag can be read by
    /// everybody on the machine.
    #[arg(long, env = "MOORING_OPENAI_KEY", value_name = "KEY", hide_env_values = true, value_parser = values::secret)]
    openai_key: Option<Secret>,

    /// Sent as `max_tokens`: the model then stops there, and the draft says so.
    #[arg(long, env = "MOORING_OPENAI_REPLY_TOKENS", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    openai_reply_tokens: Option<u32>,
}

impl OpenAiArgs {
    pub fn settings(&self) -> Result<Settings, String> {
        let what = "the model's address (--openai-url, MOORING_OPENAI_URL)";
        let url = values::given(self.openai_url.as_ref()).ok_or(format!("{what} is missing"))?;
        let url = values::web_address(url.reveal(), what)?;
        let model = self.openai_model.as_deref().map(str::trim).filter(|model| !model.is_empty());
        let model = model.ok_or("the model's name (--openai-model, MOORING_OPENAI_MODEL) is missing")?;
        if 200 < model.len() || model.contains(char::is_control) {
            return Err("the model's name (--openai-model, MOORING_OPENAI_MODEL) is none".to_owned());
        }
        let key = values::given(self.openai_key.as_ref())
            .map(|key| values::header(key, "the key (--openai-key, MOORING_OPENAI_KEY)"))
            .transpose()?;
        Ok(Settings { url, model: model.to_owned(), key, reply_tokens: self.openai_reply_tokens })
    }
}
