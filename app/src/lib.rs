//! Mooring's one application: screens, server functions, and what a device remembers.
//!
//! It runs in two hosts: `server` hands it a [`ports::backend::Backend`], `frontend` hands it a
//! [`ports::device::Device`]. It knows neither Postgres nor the browser's storage.

pub mod api; // who asks what: the server functions
pub mod ports; // what a host must hand over
