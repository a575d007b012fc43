//! What has to be installed, and where it comes from.

pub mod browser; // Chromium and its driver
pub mod npm; // packages from lock files
pub mod postgres; // server programs
pub mod wasm; // the target, wasm-bindgen, wasm-opt
