//! The server host: Postgres, the worker, the sources and models, and the web.

pub mod assets; // the static files inside the binary
pub mod config; // what it is told at start
pub mod embedded; // a Postgres of our own
pub mod library;
pub mod model;
pub mod sources;
pub mod store;
