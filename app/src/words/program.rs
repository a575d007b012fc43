//! The program itself: whether it opens without a connection, and when there is a newer one.

pub const READY: &str = "Ready without a connection";

pub const NEWER: &str = "A new version of Mooring is ready. What you wrote is kept on this device first.";

pub const USE_NEWER: &str = "Use it now";

pub const NOT_ALL_KEPT: &str = "Something that you wrote could not be kept on this device and would be lost with this \
                                page. Send it or copy it first.";

pub const USE_NEWER_ANYWAY: &str = "Use the new version all the same";

pub const BUILD_TITLE: &str = "This program";

/// Which build it is.
pub fn build(name: &str) -> String {
    format!("Build {name}")
}

/// Whether it opens without a connection.
pub fn kept(all: bool) -> &'static str {
    if all {
        "Ready without a connection: this device has kept all of the program’s files. It keeps nobody’s data with them."
    } else {
        "This device has not kept the program’s files (yet): opening Mooring needs a connection."
    }
}
