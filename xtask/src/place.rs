//! Where things lie in this repository.

use std::{env, path::PathBuf};

/// The repository's root. Asked at run time: a checkout may have been moved since xtask was built.
pub fn root() -> PathBuf {
    let xtask =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    xtask.parent().map(PathBuf::from).unwrap_or_default()
}

/// Where cargo builds.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |target| root().join(target))
}

/// What the server embeds. Its path is part of the server's source, so it never moves.
pub fn site() -> PathBuf {
    root().join("target/site")
}

/// The whole program.
pub fn mooring() -> PathBuf {
    target().join("release/mooring")
}
