//! Mooring's one application: screens, server functions, and what a device remembers.
//!
//! It runs in two hosts: `server` hands it a [`ports::backend::Backend`], `frontend` hands it a
//! [`ports::device::Device`]. It knows neither Postgres nor the browser's storage.

pub mod api; // who asks what: the server functions
#[cfg(feature = "screens")]
pub mod app; // the screens as one program
pub mod cache; // what a device remembers of the server
pub mod components; // what is on the screen
pub mod connectivity; // the way to the server, and when to try again
pub mod json; // what arrives and what was kept, read
pub mod outbox; // what waits on this device
#[cfg(feature = "screens")]
pub mod pages; // one file per route
pub mod ports; // what a host must hand over
#[cfg(feature = "ssr")]
pub mod shell; // the one document
pub mod signal; // signals of all types by one machine
pub mod slots; // storage keys, in one place
pub mod sync; // keeps a device and the server in step
pub mod words; // every sentence that a person sees
