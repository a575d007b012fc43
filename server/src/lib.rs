//! The server host: Postgres, the worker, the sources and models, and the web.

pub mod announce; // word that a task has changed
pub mod assets; // the static files that the program carries
pub mod backend; // what server functions ask for
pub mod config; // what it is told at start
pub mod embedded; // a real Postgres of our own
pub mod faults; // failing on purpose
pub mod library; // where accepted versions go
pub mod model; // who writes drafts
pub mod sources; // where records come from
pub mod store; // who remembers
pub mod withdraw; // taking a save back
pub mod worker; // who acts
