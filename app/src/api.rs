//! Server functions: who asks, what, and hand over. Thin on purpose.

pub mod error;
