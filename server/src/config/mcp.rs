//! How an MCP server is reached and asked, where one is the source.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use super::values::{self, Secret};
use crate::sources::mcp::{
    Settings,
    map::Map,
    way::{Program, Variables, Way},
};

/// Only with `--source mcp-stdio` or `mcp-http`.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "MCP source")]
#[expect(clippy::struct_field_names, reason = "a field is the name of its flag")]
pub struct McpArgs {
    /// For mcp-stdio: the program to start, with its arguments, split as a shell would [default: `mooring records`].
    /// What stands here can be read by everybody on the machine: a credential belongs into --mcp-env.
    #[arg(long, env = "MOORING_MCP_COMMAND", value_name = "COMMAND", hide_env_values = true, value_parser = values::secret)]
    mcp_command: Option<Secret>,

    /// Variables that the program gets beside PATH, HOME and the like: `NAME` passes ours on, `NAME=VALUE` sets one (a
    /// value with a comma is passed on by its name). They count as secrets: what the server says is cleaned of them.
    #[arg(long, env = "MOORING_MCP_ENV", value_name = "NAMES", value_delimiter = ',', hide_env_values = true,
          value_parser = values::secret)]
    mcp_env: Vec<Secret>,

    /// The same for variables that are no secrets, such as a folder or a mode: records may repeat them.
    #[arg(long, env = "MOORING_MCP_PLAIN_ENV", value_name = "NAMES", value_delimiter = ',', hide_env_values = true,
          value_parser = values::secret)]
    mcp_plain_env: Vec<Secret>,

    /// For mcp-http: the address of the server.
    #[arg(long, env = "MOORING_MCP_URL", value_name = "URL", value_parser = values::secret, hide_env_values = true)]
    mcp_url: Option<Secret>,

    /// For mcp-http: a bearer token. Better as a variable: a flag can be read by everybody on the machine.
    #[arg(long, env = "MOORING_MCP_TOKEN", value_name = "TOKEN", hide_env_values = true, value_parser = values::secret)]
    mcp_token: Option<Secret>,

    /// A JSON file that says which tools to call, with what, and where their answers stand [default: as `mooring
    /// records` has it].
    #[arg(long, env = "MOORING_MCP_MAP", value_name = "FILE")]
    mcp_map: Option<PathBuf>,

    /// Tools that may be called although the server does not mark them read-only.
    #[arg(long, env = "MOORING_MCP_ALLOW", value_name = "TOOLS", value_delimiter = ',')]
    mcp_allow: Vec<String>,

    /// How long one call to the server may take, the start of the server included.
    #[arg(long, env = "MOORING_MCP_TIMEOUT", value_name = "TIME", default_value = "20s", value_parser = values::wait)]
    mcp_timeout: Duration,

    /// Calls to the server at once; further ones wait.
    #[arg(long, env = "MOORING_MCP_IN_FLIGHT", value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    mcp_in_flight: u16,
}

impl McpArgs {
    /// A server that is a child of ours.
    pub fn over_stdio(&self, records: Option<&PathBuf>) -> Result<Settings, String> {
        let confided = environment("--mcp-env, MOORING_MCP_ENV", &self.mcp_env)?;
        let plain = environment("--mcp-plain-env, MOORING_MCP_PLAIN_ENV", &self.mcp_plain_env)?;
        let Some(command) = values::given(self.mcp_command.as_ref()) else {
            return self.ourselves(records, confided, plain);
        };
        let mut words = shlex::split(command.reveal()).unwrap_or_default().into_iter();
        let path = words
            .next()
            .ok_or("the command (--mcp-command, MOORING_MCP_COMMAND) has a quotation mark without its second")?;
        // As a shell would read it, and we are none. It is not repeated: what follows may be a secret.
        if path.split_once('=').is_some_and(|(name, _)| name.chars().all(is_name)) {
            return Err(
                "the command (--mcp-command, MOORING_MCP_COMMAND) begins with a variable: give the program its \
                        variables by --mcp-env"
                    .to_owned(),
            );
        }
        self.settings(Way::Stdio(Program {
            path: path.into(),
            arguments: words.map(Into::into).collect(),
            confided,
            plain,
        }))
    }

    /// A server somewhere else.
    pub fn over_http(&self) -> Result<Settings, String> {
        let what = "the MCP server's address (--mcp-url, MOORING_MCP_URL)";
        let url = values::given(self.mcp_url.as_ref()).ok_or(format!("{what} is missing"))?;
        let token = values::given(self.mcp_token.as_ref())
            .map(|token| values::header(token, "the token (--mcp-token, MOORING_MCP_TOKEN)"))
            .transpose()?;
        self.settings(Way::Http { url: values::web_address(url.reveal(), what)?, token })
    }

    /// The program that runs already, as a server of its own records.
    fn ourselves(&self, records: Option<&PathBuf>, confided: Variables, plain: Variables) -> Result<Settings, String> {
        let path = std::env::current_exe().map_err(|why| format!("where this program lies is not known: {why}"))?;
        let mut arguments: Vec<OsString> = vec!["--log=warn".into(), "records".into()];
        if let Some(records) = records {
            arguments.extend(["--records".into(), records.into()]);
        }
        self.settings(Way::Stdio(Program { path, arguments, confided, plain }))
    }

    fn settings(&self, way: Way) -> Result<Settings, String> {
        Ok(Settings {
            way,
            map: self.map()?,
            allowed: self.mcp_allow.iter().map(|tool| tool.trim().to_owned()).filter(|tool| !tool.is_empty()).collect(),
            patience: self.mcp_timeout,
            in_flight: self.mcp_in_flight.into(),
        })
    }

    fn map(&self) -> Result<Map, String> {
        let Some(file) = self.mcp_map.as_ref().filter(|file| !file.as_os_str().is_empty()) else {
            return Ok(Map::own());
        };
        let wrong =
            |why: String| format!("the map (--mcp-map, MOORING_MCP_MAP) {} cannot be used: {why}", file.display());
        Map::read(&std::fs::read_to_string(file).map_err(|why| wrong(why.to_string()))?).map_err(wrong)
    }
}

/// As they are given, each `NAME` or `NAME=VALUE`. No sentence repeats one: a comma in a value makes two of it, and the
/// second is then a part of a secret.
fn environment(which: &str, given: &[Secret]) -> Result<Variables, String> {
    let given = given.iter().map(|raw| raw.reveal().trim()).enumerate().filter(|(_, raw)| !raw.is_empty());
    let ours = |name: &str| std::env::var(name).ok();
    given
        .map(|(nth, raw)| variable(raw, ours).map_err(|why| format!("variable {} of {which} {why}", nth + 1)))
        .collect()
}

fn variable(raw: &str, ours: impl Fn(&str) -> Option<String>) -> Result<(String, Secret), &'static str> {
    let (name, value) = match raw.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (raw, ours(raw)),
    };
    if name.is_empty() || !name.chars().all(is_name) {
        return Err("is not named by letters, digits and _");
    }
    let value = value.ok_or("is not set here (a comma begins a further variable)")?;
    Ok((name.to_owned(), Secret::from(value)))
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
