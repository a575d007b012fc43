//! One session that all calls share, begun when it is first needed and again when it has ended.
//!
//! Invariants: at most one start is under way; a start that follows a failed one waits a little longer each time; who
//! waited for a start that failed is told so and does not start another.

use std::{
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{
            AtomicU32, AtomicU64,
            Ordering::{Relaxed, SeqCst},
        },
    },
    time::Duration,
};

use rmcp::{
    ServiceError,
    model::{
        CallToolRequestParams, CallToolResult, ErrorData, JsonObject, PaginatedRequestParams, ProtocolVersion, Tool,
    },
};
use tokio::{
    sync::{Mutex, Semaphore},
    time::{Instant, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    Settings,
    failure::{self, Meant},
    process::Process,
    unheard::Unheard,
    way::{self, Begun, Way},
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

/// How long a session may take to close once it is over.
const GOODBYE: Duration = Duration::from_secs(1);

/// So many calls without an answer, one after another, and the session is taken for dead.
const UNANSWERED: u32 = 2;

/// No more pages of tools are read: some servers never come to an end.
const PAGES: usize = 50;

/// The session, whether there is one now or not.
pub struct Session {
    settings: Settings,
    hush: Hush,
    slots: Semaphore,
    state: Mutex<State>,
    /// Starts that have ended, well or badly.
    rounds: AtomicU64,
    /// Ends a start that is under way, too: whoever stops us does not wait for it.
    closed: CancellationToken,
    name: RwLock<Option<Arc<str>>>,
    meant: Meant,
}

/// What a server says to a call: what the tool gives, or an error of the protocol in place of it.
pub enum Answer {
    Given(CallToolResult),
    Refused(ErrorData),
}

struct State {
    live: Option<Arc<Live>>,
    /// Failed starts in a row, and why the last one failed.
    failed: u32,
    error: Option<SourceError>,
    not_before: Instant,
}

/// A session that was begun.
struct Live {
    service: way::Session,
    process: Option<Process>,
    unheard: Option<Arc<Unheard>>,
    tools: RwLock<Vec<Offered>>,
    since: Instant,
    /// Calls without an answer, one after another.
    unanswered: AtomicU32,
}

impl Session {
    pub fn new(settings: Settings, hush: Hush) -> Self {
        let state = State { live: None, failed: 0, error: None, not_before: Instant::now() };
        Self {
            slots: Semaphore::new(settings.in_flight),
            settings,
            hush,
            state: Mutex::new(state),
            rounds: AtomicU64::new(0),
            closed: CancellationToken::new(),
            name: RwLock::new(None),
            meant: Meant::default(),
        }
    }

    /// What the server called itself when it was last met.
    pub fn server_name(&self) -> Option<Arc<str>> {
        self.name.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Calls a tool that may be called.
    pub async fn call(self: &Arc<Self>, tool: &str, arguments: JsonObject) -> Result<Answer, SourceError> {
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let called = async {
            let _slot = self.slots.acquire().await.map_err(|_| closed())?;
            let begun = Instant::now();
            match self.call_once(&call, Some(begun)).await {
                // A look changes nothing and may be repeated: by whoever is there now, and only what that one promises.
                Err(Failed::Expired(_)) => {
                    let again = self.call_once(&call, None).await;
                    if matches!(&again, Ok(Answer::Refused(refused)) if failure::may_be_expired(refused)) {
                        self.meant.its_tool();
                    }
                    again
                }
                other => other,
            }
            .map_err(Failed::into_error)
        };
        timeout(self.settings.patience, called).await.unwrap_or(Err(SourceError::TimedOut))
    }

    /// In a session from before `asked`, what may mean that the server has forgotten it does.
    async fn call_once(
        self: &Arc<Self>,
        call: &CallToolRequestParams,
        asked: Option<Instant>,
    ) -> Result<Answer, Failed> {
        let live = self.live().await.map_err(Failed::With)?;
        let waiting = Waiting { unanswered: &live.unanswered, answered: false };
        let is_old = asked.is_some_and(|asked| live.since < asked && !self.meant.is_its_tool(asked))
            && matches!(self.settings.way, Way::Http { .. });
        let answer = match self.call_in(&live, call).await {
            Ok(Answer::Refused(refused)) if is_old && failure::may_be_expired(&refused) => {
                Err(Failed::Expired(failure::of_error(&refused, &self.hush)))
            }
            other => other,
        };
        waiting.end();
        // Whether the session is good still is not known then, and a new one costs little. What the server refuses by a
        // status says nothing against it.
        if let Err(Failed::Expired(_) | Failed::With(SourceError::ConnectionLost(_))) = &answer {
            self.give_up(&live).await;
        }
        live.release();
        answer
    }

    async fn call_in(&self, live: &Live, call: &CallToolRequestParams) -> Result<Answer, Failed> {
        let failed = |error: ServiceError| {
            let why = failure::of_call(&error, &self.hush);
            if failure::is_expired(&error) { Failed::Expired(why) } else { Failed::With(why) }
        };
        if live.service.service().has_changed() {
            // At once: whoever asks for the new list may not get it.
            live.tools.write().unwrap_or_else(PoisonError::into_inner).clear();
        }
        if self.may_call(live, &call.name).is_err() {
            // What it offers may also have changed without a word.
            let listed = tools(&live.service).await.map_err(failed)?;
            *live.tools.write().unwrap_or_else(PoisonError::into_inner) = listed;
        }
        self.may_call(live, &call.name).map_err(Failed::With)?;
        match live.service.peer().call_tool(call.clone()).await {
            Ok(given) => Ok(Answer::Given(given)),
            Err(ServiceError::McpError(refused)) => Ok(Answer::Refused(refused)),
            Err(error) => Err(failed(error)),
        }
    }

    /// Ends it for good, and the child with it, also one that is only being started.
    pub async fn end(&self) {
        self.closed.cancel();
        let live = self.state.lock().await.live.take();
        if let Some(live) = live {
            // Calls that are under way break off with it.
            live.service.cancellation_token().cancel();
            if let Some(live) = Arc::into_inner(live) {
                live.end().await;
            }
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
        if self.closed.is_cancelled() {
            return Err(closed());
        }
        if let Some(live) = state.live.take() {
            if !live.is_dead() {
                state.live = Some(Arc::clone(&live));
                return Ok(live);
            }
            self.lose(&mut state, live);
        } else if let Some(error) = state.error.as_ref().filter(|_| asked_in < self.rounds.load(SeqCst)) {
            return Err(error.clone());
        }
        let start = async {
            sleep_until(state.not_before).await;
            timeout(self.settings.patience, self.begin()).await.unwrap_or(Err(SourceError::TimedOut))
        };
        let begun = self.closed.run_until_cancelled(start).await.ok_or_else(closed)?;
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
        let Begun { session: service, process, unheard } =
            self.settings.way.begin(&self.hush, self.settings.in_flight).await?;
        let tools = tools(&service).await.map_err(|error| failure::of_call(&error, &self.hush))?;
        let info = service.peer().peer_info();
        if let Some(info) = &info
            && !ProtocolVersion::KNOWN_VERSIONS.contains(&info.protocol_version)
        {
            let version = one_line(&self.hush.hide(info.protocol_version.as_str()));
            return Err(SourceError::HandshakeRefused(format!("it speaks the protocol of {version}")));
        }
        if let Some(server) = info.and_then(|info| info.server_info.clone()) {
            let name = one_line(&self.hush.hide(&server.name));
            *self.name.write().unwrap_or_else(PoisonError::into_inner) = Some(name.into());
        }
        if matches!(self.settings.way, Way::Http { .. }) {
            tracing::info!("a session with the MCP server was begun");
        }
        let tools = RwLock::new(tools);
        Ok(Live { service, process, unheard, tools, since: Instant::now(), unanswered: AtomicU32::new(0) })
    }

    /// Where a name is listed more than once, each of them must be harmless: which one is meant is not known.
    fn may_call(&self, live: &Live, name: &str) -> Result<(), SourceError> {
        let tools = live.tools.read().unwrap_or_else(PoisonError::into_inner);
        let mut named = tools.iter().filter(|tool| tool.name == name).peekable();
        if named.peek().is_none() {
            return Err(SourceError::ToolUnknown(name.to_owned()));
        }
        if named.all(|tool| tool.is_read_only) || self.settings.allowed.iter().any(|allowed| allowed == name) {
            Ok(())
        } else {
            Err(SourceError::ToolNotReadOnly(name.to_owned()))
        }
    }

    /// Unless others have begun a new one meanwhile.
    async fn give_up(&self, used: &Arc<Live>) {
        let mut state = self.state.lock().await;
        if let Some(live) = state.live.take_if(|live| Arc::ptr_eq(live, used)) {
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
        live.release();
    }
}

/// What is kept of a tool: a server may describe it at any length.
struct Offered {
    name: String,
    is_read_only: bool,
}

impl From<Tool> for Offered {
    fn from(tool: Tool) -> Self {
        let hint = tool.annotations.and_then(|hints| hints.read_only_hint);
        Self { name: tool.name.into_owned(), is_read_only: hint == Some(true) }
    }
}

/// Why a call in one session has no answer.
enum Failed {
    /// The server has forgotten the session.
    Expired(SourceError),
    With(SourceError),
}

impl Failed {
    fn into_error(self) -> SourceError {
        match self {
            Self::Expired(error) | Self::With(error) => error,
        }
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
    fn is_dead(&self) -> bool {
        let asks_too_much = self.unheard.as_ref().is_some_and(|unheard| unheard.is_too_much());
        self.service.is_closed() || asks_too_much || UNANSWERED <= self.unanswered.load(Relaxed)
    }

    /// Whoever holds it last ends it: calls that are under way may still be answered, also after it was given up.
    fn release(self: Arc<Self>) {
        if let Some(live) = Arc::into_inner(self) {
            tokio::spawn(live.end());
        }
    }

    async fn end(self) {
        // Its input is closed with the service. A child that reads nothing more can keep that from happening.
        let is_closed = timeout(GOODBYE, self.service.cancel()).await.is_ok();
        match self.process {
            Some(process) if is_closed => process.end().await,
            // Dropped, it is killed.
            other => drop(other),
        }
    }
}

/// A call that is under way. Dropped, it was not answered, whoever lost patience with it.
struct Waiting<'a> {
    unanswered: &'a AtomicU32,
    answered: bool,
}

impl Waiting<'_> {
    fn end(mut self) {
        self.answered = true;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.answered {
            self.unanswered.store(0, Relaxed);
        } else {
            self.unanswered.fetch_add(1, Relaxed);
        }
    }
}

/// All tools of a server, and no endless number of pages.
async fn tools(service: &way::Session) -> Result<Vec<Offered>, ServiceError> {
    let mut tools = Vec::new();
    let mut page = None;
    for _ in 0..PAGES {
        let listed = service.peer().list_tools(page).await?;
        tools.extend(listed.tools.into_iter().map(Offered::from));
        match listed.next_cursor {
            Some(cursor) => page = Some(PaginatedRequestParams::default().with_cursor(Some(cursor))),
            None => return Ok(tools),
        }
    }
    tracing::warn!(pages = PAGES, "the MCP server lists more pages of tools than are read");
    Ok(tools)
}

fn closed() -> SourceError {
    SourceError::ConnectionLost("the source is closed".to_owned())
}
