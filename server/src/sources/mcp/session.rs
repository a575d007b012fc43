//! One session that all calls share, begun when it is first needed and again when it has ended.
//!
//! Invariants: at most one start is under way; a start that follows a failed one waits a little longer each time; who
//! waited for a start that failed is told so and does not start another.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{
            AtomicU32, AtomicU64,
            Ordering::{Relaxed, SeqCst},
        },
    },
    time::Duration,
};

use rmcp::model::{CallToolRequestParams, CallToolResult, JsonObject, PaginatedRequestParams, Tool};
use tokio::{
    sync::{Mutex, Semaphore},
    time::{Instant, sleep_until, timeout},
};

use super::{
    Settings, failure,
    process::Process,
    way::{self, Way},
};
use crate::{
    secret::Hush,
    sources::{SourceError, one_line},
};

/// After a first failed start; each further one doubles it.
const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// A session that ended sooner counts as a start that failed.
const SHORT_LIFE: Duration = Duration::from_secs(5);

/// So many calls without an answer, one after another, and the session is taken for dead.
const UNANSWERED: u32 = 2;

/// A server with more pages of tools is not understood.
const PAGES: usize = 50;

/// The session, whether there is one now or not.
pub struct Session {
    settings: Settings,
    hush: Hush,
    slots: Semaphore,
    state: Mutex<State>,
    /// Starts that have ended, well or badly.
    rounds: AtomicU64,
    unanswered: AtomicU32,
    name: OnceLock<String>,
}

struct State {
    live: Option<Arc<Live>>,
    /// Failed starts in a row, and why the last one failed.
    failed: u32,
    error: Option<SourceError>,
    not_before: Instant,
    closed: bool,
}

/// A session that was begun.
struct Live {
    service: way::Session,
    process: Option<Process>,
    tools: Vec<Tool>,
    since: Instant,
}

impl Session {
    pub fn new(settings: Settings, hush: Hush) -> Self {
        let state = State { live: None, failed: 0, error: None, not_before: Instant::now(), closed: false };
        Self {
            slots: Semaphore::new(settings.in_flight),
            settings,
            hush,
            state: Mutex::new(state),
            rounds: AtomicU64::new(0),
            unanswered: AtomicU32::new(0),
            name: OnceLock::new(),
        }
    }

    /// What the server called itself when it was first met.
    pub fn server_name(&self) -> Option<&str> {
        self.name.get().map(String::as_str)
    }

    /// Calls a tool that may be called.
    pub async fn call(self: &Arc<Self>, tool: &str, arguments: JsonObject) -> Result<CallToolResult, SourceError> {
        let mut used = None;
        let called = async {
            let _slot = self.slots.acquire().await.map_err(|_| closed())?;
            let live = used.insert(self.live().await?);
            self.may_call(&live.tools, tool)?;
            let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
            let answer = live.service.peer().call_tool(call).await;
            answer.map_err(|error| failure::of_call(&error, &self.hush))
        };
        let answer = timeout(self.settings.patience, called).await.unwrap_or(Err(SourceError::TimedOut));
        let is_dead = match &answer {
            Err(SourceError::TimedOut) => UNANSWERED <= self.unanswered.fetch_add(1, Relaxed) + 1,
            // Whether the session is good still is not known then, and a new one costs little.
            Err(SourceError::ConnectionLost(_) | SourceError::Unreachable(_) | SourceError::Refused(_)) => true,
            _ => {
                self.unanswered.store(0, Relaxed);
                false
            }
        };
        if let Some(live) = used.filter(|_| is_dead) {
            self.give_up(&live).await;
        }
        answer
    }

    /// Ends it for good, and the child with it.
    pub async fn end(&self) {
        let live = {
            let mut state = self.state.lock().await;
            state.closed = true;
            state.live.take()
        };
        if let Some(live) = live {
            live.end().await;
        }
    }

    /// The session as it is, or a new one. Starting goes on where nobody waits for it any more: a slow start would
    /// otherwise never come to its end.
    async fn live(self: &Arc<Self>) -> Result<Arc<Live>, SourceError> {
        let session = Arc::clone(self);
        let asked_in = self.rounds.load(SeqCst);
        tokio::spawn(async move { session.live_now(asked_in).await }).await.map_err(|_| closed())?
    }

    async fn live_now(&self, asked_in: u64) -> Result<Arc<Live>, SourceError> {
        let mut state = self.state.lock().await;
        if state.closed {
            return Err(closed());
        }
        if let Some(live) = state.live.take() {
            if !live.service.is_closed() {
                state.live = Some(Arc::clone(&live));
                return Ok(live);
            }
            self.lose(&mut state, live);
        } else if let Some(error) = state.error.as_ref().filter(|_| asked_in < self.rounds.load(SeqCst)) {
            return Err(error.clone());
        }
        sleep_until(state.not_before).await;
        let begun = timeout(self.settings.patience, self.begin()).await.unwrap_or(Err(SourceError::TimedOut));
        self.rounds.fetch_add(1, SeqCst);
        match begun {
            Ok(live) => {
                let live = Arc::new(live);
                state.error = None;
                state.live = Some(Arc::clone(&live));
                Ok(live)
            }
            Err(error) => {
                state.fail(error.clone());
                Err(error)
            }
        }
    }

    async fn begin(&self) -> Result<Live, SourceError> {
        let (service, process) = self.settings.way.begin(&self.hush, self.settings.in_flight).await?;
        let tools = tools(&service).await.map_err(|error| failure::of_call(&error, &self.hush))?;
        if let Some(server) = service.peer().peer_info().and_then(|info| info.server_info.clone()) {
            self.name.get_or_init(|| one_line(&self.hush.hide(&server.name)));
        }
        if matches!(self.settings.way, Way::Http { .. }) {
            tracing::info!("a session with the MCP server was begun");
        }
        Ok(Live { service, process, tools, since: Instant::now() })
    }

    fn may_call(&self, tools: &[Tool], name: &str) -> Result<(), SourceError> {
        let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
            return Err(SourceError::ToolUnknown(name.to_owned()));
        };
        let read_only = tool.annotations.as_ref().and_then(|hints| hints.read_only_hint) == Some(true);
        if read_only || self.settings.allowed.iter().any(|allowed| allowed == name) {
            Ok(())
        } else {
            Err(SourceError::ToolNotReadOnly(name.to_owned()))
        }
    }

    /// Unless others have begun a new one meanwhile.
    async fn give_up(&self, used: &Arc<Live>) {
        let mut state = self.state.lock().await;
        if let Some(live) = state.live.take_if(|live| Arc::ptr_eq(live, used)) {
            self.unanswered.store(0, Relaxed);
            self.lose(&mut state, live);
        }
    }

    fn lose(&self, state: &mut State, live: Arc<Live>) {
        let adapter = self.settings.way.adapter();
        tracing::warn!(adapter, "the session with the MCP server is lost, and begun anew when it is needed");
        // A process that dies young is not started over and over.
        if live.process.is_some() && live.since.elapsed() < SHORT_LIFE {
            state.fail(SourceError::ConnectionLost("the session was short".to_owned()));
        } else {
            state.failed = 0;
        }
        tokio::spawn(live.end());
    }
}

impl State {
    fn fail(&mut self, error: SourceError) {
        let wait = FIRST_WAIT.saturating_mul(1 << self.failed.min(10)).min(LONGEST_WAIT);
        self.failed += 1;
        self.not_before = Instant::now() + wait;
        tracing::warn!(failed = self.failed, error = &error as &dyn std::error::Error, "the MCP server is not there");
        self.error = Some(error);
    }
}

impl Live {
    /// Calls that are under way still hold it; the last one lets it go.
    async fn end(self: Arc<Self>) {
        let token = self.service.cancellation_token();
        token.cancel();
        if let Some(Live { service, process: Some(process), .. }) = Arc::into_inner(self) {
            // Its input is closed with the service.
            let _ = service.cancel().await;
            process.end().await;
        }
    }
}

/// All tools of a server, and no endless number of pages.
async fn tools(service: &way::Session) -> Result<Vec<Tool>, rmcp::ServiceError> {
    let mut tools = Vec::new();
    let mut page = None;
    for _ in 0..PAGES {
        let listed = service.peer().list_tools(page).await?;
        tools.extend(listed.tools);
        match listed.next_cursor {
            Some(cursor) => page = Some(PaginatedRequestParams::default().with_cursor(Some(cursor))),
            None => return Ok(tools),
        }
    }
    Err(rmcp::ServiceError::UnexpectedResponse)
}

fn closed() -> SourceError {
    SourceError::ConnectionLost("the source is closed".to_owned())
}
