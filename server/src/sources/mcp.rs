//! Any MCP server with read-only tools as a source: over stdio, as a child process, or over streamable HTTP.
//!
//! Which tools are asked, with what, and where in their answers things stand is configuration ([`map::Map`]). Every
//! call is bounded in time, size and number. What another side says goes through [`Hush`] before it is kept or logged.

pub mod map; // which tools, and where their answers stand
pub mod way; // how the server is reached

mod failure; // what the protocol's failures mean
mod http; // the way to an address, bounded
mod lines; // a child's messages, bounded
mod process; // a child: started, watched, ended
mod reply; // from a tool's answer to a record
mod said; // what a child writes to its error stream
mod session; // one shared session, begun again when it ends
mod unheard; // what a server asks of us

use std::{borrow::Cow, sync::Arc, time::Duration};

use async_trait::async_trait;
use domain::{
    id::RecordId,
    record::{Observation, RecordList},
};
use rmcp::model::JsonObject;

use self::{map::Map, reply::Reply, session::Session, way::Way};
use super::{Source, SourceError};
use crate::secret::Hush;

/// What one message of a server may have, in bytes. A record is at most 64 kB; as JSON, and twice, it is more.
const MESSAGE_LIMIT: usize = 1_000_000;

/// All that an MCP source needs to know.
#[derive(Clone, Debug)]
pub struct Settings {
    pub way: Way,
    pub map: Map,
    /// Tools that may be called although they are not marked read-only.
    pub allowed: Vec<String>,
    /// How long one call may take, with everything that it needs.
    pub patience: Duration,
    /// Calls at once; further ones wait.
    pub in_flight: usize,
}

/// An MCP server as a source.
#[derive(Clone)]
pub struct McpSource {
    session: Arc<Session>,
    map: Arc<Map>,
    hush: Hush,
    adapter: &'static str,
}

impl McpSource {
    /// Nothing is started before the first call.
    pub fn new(settings: Settings) -> Self {
        let hush = settings.way.hush();
        let adapter = settings.way.adapter();
        let map = Arc::new(settings.map.clone());
        Self { session: Arc::new(Session::new(settings, hush.clone())), map, hush, adapter }
    }

    /// Ends the session, and the child with it. After those who call: a call that breaks off looks like a failed try.
    pub async fn end(&self) {
        self.session.end().await;
    }

    async fn ask(&self, tool: &str, arguments: JsonObject) -> Result<Reply, SourceError> {
        Ok(Reply::of(self.session.call(tool, arguments).await?, self.hush.clone()))
    }
}

#[async_trait]
impl Source for McpSource {
    fn name(&self) -> Cow<'_, str> {
        // Evidence comes from a server that was met.
        self.session.server_name().map_or(Cow::Borrowed("mcp"), |name| Cow::Owned(name.to_string()))
    }

    fn adapter(&self) -> &'static str {
        self.adapter
    }

    async fn list(&self) -> Result<RecordList, SourceError> {
        let Some(list) = &self.map.list else { return Ok(RecordList::default()) };
        let reply = self.ask(&list.tool, list.arguments.clone()).await?;
        reply.list(list)
    }

    async fn look_up(&self, record: &RecordId) -> Result<Observation, SourceError> {
        let get = &self.map.get;
        if climbs(record) {
            return Err(SourceError::Missing);
        }
        let reply = self.ask(&get.tool, get.arguments_for(record)).await?;
        reply.observation(get, record)
    }
}

/// A learner may write the ID, and a map may make a path or an address of it: it names nothing outside of where the map
/// looks.
fn climbs(record: &RecordId) -> bool {
    record.as_str().starts_with('/') || record.as_str().split('/').any(|step| step == "..")
}
