//! WebKit for the tests: Debian's `WebKitGTK`, its driver, what opens a window around it, and a screen.

use std::path::Path;

use anyhow::{Result, bail};

use super::debian::{self, on_path};

const PROGRAMS: [&str; 3] = ["WebKitWebDriver", "gjs", "Xvfb"];
const PACKAGES: [&str; 4] = ["webkit2gtk-driver", "gjs", "gir1.2-webkit2-4.1", "xvfb"];

/// Finds or installs it; false where there is none for this kind of machine.
pub fn ensure() -> Result<bool> {
    if cfg!(target_os = "macos") {
        return Ok(false);
    }
    if is_there() || debian::install("WebKitGTK and its driver", &PACKAGES)? && is_there() {
        return Ok(true);
    }
    bail!(
        "there is no WebKit to test with. Install it (on Debian: apt-get install {}) and try again.",
        PACKAGES.join(" ")
    )
}

fn is_there() -> bool {
    PROGRAMS.iter().all(|name| on_path(name).is_some()) && describes_webkit()
}

/// Without the description of its interface, gjs does not find the library.
fn describes_webkit() -> bool {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    folders.iter().any(|folder| Path::new(folder).join("girepository-1.0/WebKit2-4.1.typelib").is_file())
}
