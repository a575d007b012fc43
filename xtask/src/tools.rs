//! What has to be installed, and where it comes from.

pub mod browser; // Chromium and its driver
pub mod debian; // what only the distribution has
pub mod firefox; // the second engine
pub mod npm; // packages from lock files
pub mod pooler; // PgBouncer, for the tests
pub mod postgres; // server programs
pub mod wasm; // the target, wasm-bindgen, wasm-opt
pub mod webkit; // the third
