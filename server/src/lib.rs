//! The server host: Postgres, the worker, the sources and models, and the web.

pub mod accounts; // who somebody is, and how they show it
pub mod announce; // word that a task has changed
pub mod assets; // the static files that the program carries
pub mod backend; // what server functions ask for
pub mod calls; // the other side's own count, for the lab
pub mod config; // what it is told at start
pub mod connections; // who may come in, and how long they may keep a place
pub mod database; // the way to Postgres
pub mod drill; // every boundary, struck and witnessed
pub mod embedded; // a real Postgres of our own
pub mod faults; // failing on purpose
pub mod library; // where accepted versions go
pub mod live; // who is looking at which task right now
pub mod model; // who writes drafts
pub mod neighbours; // other processes on the same database
pub mod outgoing; // requests that Mooring makes
pub mod process; // all of it, put together
pub mod records; // the fixture records, for any MCP client
pub mod secret; // what nobody else may see
pub mod serve; // the web
pub mod sources; // where records come from
pub mod store; // who remembers
pub mod telemetry; // what an operator can see
pub mod withdraw; // taking a save back
pub mod worker; // who acts
