//! What the page says while the program is loaded, and when that fails. The boot script runs before
//! there is a program to ask, so the shell hands it these on its tag.

pub const LOADING: &str = "Loading Mooring";
/// The script puts the number in the place of the braces.
pub const LOADED: &str = "Loading Mooring: {} kB so far";
pub const FAILED: &str = "Mooring could not be loaded";
pub const LOST: &str = "The connection broke off or gave no answer. Nothing that this device has kept is lost.";
pub const GONE: &str = "There is a newer Mooring. Nothing that this device has kept is lost.";
pub const BROKEN: &str = "It was loaded, but did not start. Nothing that this device has kept is lost.";
