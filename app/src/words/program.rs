//! The program itself: whether it opens without a connection, and when there is a newer one.

use super::said::{Said, say};

pub const READY: Said = Said("Ready without a connection");

pub const NEWER: Said = Said("A new version of Mooring is ready. What you wrote is kept on this device first.");

pub const USE_NEWER: Said = Said("Use it now");

pub const NOT_ALL_KEPT: Said = Said(
    "Something that you wrote could not be kept on this device and would be lost with this \
     page. Send it or copy it first.",
);

pub const USE_NEWER_ANYWAY: Said = Said("Use the new version all the same");

pub const BUILD_TITLE: Said = Said("This program");

/// Which build it is.
pub fn build(name: &str) -> String {
    say!("Build {}", name)
}

/// Whether it opens without a connection.
pub fn kept(all: bool) -> &'static str {
    if all {
        say!(
            "Ready without a connection: this device has kept all of the program’s files. It keeps nobody’s data with them."
        )
    } else {
        say!("This device has not kept the program’s files (yet): opening Mooring needs a connection.")
    }
}
