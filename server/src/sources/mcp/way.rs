//! How a server is reached, and shaking hands with it.

use std::{
    ffi::OsString,
    fmt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use rmcp::{
    ClientHandler, RoleClient, ServiceExt as _,
    model::{ClientCapabilities, ClientConfig, Implementation},
    service::{NotificationContext, RunningService},
    transport::{
        StreamableHttpClientTransport, async_rw::AsyncRwTransport,
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};

use super::{MESSAGE_LIMIT, failure, http::Http, process::Process, unheard::Unheard};
use crate::{
    outgoing,
    secret::{Hush, Secret},
    sources::SourceError,
};

/// How a server is reached.
#[derive(Clone, Debug)]
pub enum Way {
    /// A child process, over its standard streams.
    Stdio(Program),
    /// An address, over streamable HTTP.
    Http { url: String, token: Option<Secret> },
}

/// What to start.
#[derive(Clone, Default)]
pub struct Program {
    pub path: PathBuf,
    pub arguments: Vec<OsString>,
    /// What it is given beside what every program needs, and nobody else may read.
    pub confided: Variables,
    /// The same, where it is no secret.
    pub plain: Variables,
}

/// Names and their values.
pub type Variables = Vec<(String, Secret)>;

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Some take a password as an argument.
        let Self { path, arguments, .. } = self;
        f.debug_struct("Program").field("path", path).field("arguments", &arguments.len()).finish_non_exhaustive()
    }
}

pub type Session = RunningService<RoleClient, Ourselves>;

/// A client that offers nothing: a source is asked and does not ask. It hears when the server's tools change.
#[derive(Debug, Default)]
pub struct Ourselves {
    changed: AtomicBool,
}

impl Ourselves {
    /// Whether they have changed since this was last asked.
    pub fn has_changed(&self) -> bool {
        self.changed.swap(false, Relaxed)
    }
}

impl ClientHandler for Ourselves {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(ClientCapabilities::default(), Implementation::new("mooring", env!("CARGO_PKG_VERSION")))
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.store(true, Relaxed);
    }
}

/// A session that was begun.
pub struct Begun {
    pub session: Session,
    /// What it runs in, where we started it.
    pub process: Option<Process>,
    /// What the server asks; over standard streams the session ends where that is too much.
    pub unheard: Option<Arc<Unheard>>,
}

impl Way {
    pub fn adapter(&self) -> &'static str {
        match self {
            Self::Stdio(_) => "mcp-stdio",
            Self::Http { .. } => "mcp-http",
        }
    }

    /// What the server is told and nobody else may read.
    pub fn hush(&self) -> Hush {
        match self {
            Self::Stdio(program) => Hush::of(program.confided.iter().map(|(_, value)| value)),
            Self::Http { token, .. } => Hush::of(token),
        }
    }

    /// Begins a session.
    pub async fn begin(&self, hush: &Hush, in_flight: usize) -> Result<Begun, SourceError> {
        match self {
            Self::Stdio(program) => {
                let (process, from, to) = Process::start(program, hush)
                    .map_err(|error| SourceError::CannotStart(format!("{}: {error}", program.path.display())))?;
                // A refusal is a little longer than the longest line that is passed on.
                let transport = AsyncRwTransport::new_client(from, to).with_max_line_length(MESSAGE_LIMIT + 1_000);
                let session =
                    Ourselves::default().serve(transport).await.map_err(|error| failure::of_start(&error, hush))?;
                Ok(Begun { session, process: Some(process), unheard: None })
            }
            Self::Http { url, token } => {
                let client = outgoing::client_for(url)
                    .build()
                    .map_err(|error| SourceError::CannotStart(error.without_url().to_string()))?;
                let mut config = StreamableHttpClientTransportConfig::with_uri(Arc::from(url.as_str()))
                    .max_sse_event_size(MESSAGE_LIMIT)
                    .max_json_response_size(MESSAGE_LIMIT)
                    .max_concurrent_requests(in_flight)
                    // A new session may be with another server: what it offers is looked at anew.
                    .reinit_on_expired_session(false);
                if let Some(token) = token {
                    config = config.auth_header(token.reveal());
                }
                let (http, unheard) = Http::new(client);
                let transport = StreamableHttpClientTransport::with_client(http, config);
                let session =
                    Ourselves::default().serve(transport).await.map_err(|error| failure::of_start(&error, hush))?;
                Ok(Begun { session, process: None, unheard: Some(unheard) })
            }
        }
    }
}
