//! What a host must hand over: the server a backend, the browser a device and a way to ask.

#[cfg(feature = "ssr")]
pub mod backend;
pub mod device; // storage, time, identity, triggers: a browser tab, or a test's
pub mod server; // the server as the screens see it: real calls, or a test's script
