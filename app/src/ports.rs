//! What a host must hand over: the server a backend, the browser a device.

#[cfg(feature = "ssr")]
pub mod backend;
