//! The server host: Postgres, the worker, the sources and models, and the web.

pub mod accounts; // who somebody is, and how they show it
pub mod config; // what it is told at start
pub mod library;
pub mod live; // who is looking at which task right now
pub mod model;
pub mod serve; // the web
pub mod sources;
pub mod store;
pub mod telemetry; // what an operator can see
