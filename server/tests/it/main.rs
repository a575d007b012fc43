//! One binary for all tests of the server: one file per promise.

mod embedded;
mod tidy;
