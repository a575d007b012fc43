//! What the page says while the program is loaded, and when that fails. The boot script runs before
//! there is a program to ask, so the shell hands it these on its tag.

use super::said::Said;

pub const LOADING: Said = Said("Loading Mooring");
/// The script puts the number in the place of the braces.
pub const LOADED: Said = Said("Loading Mooring: {} kB so far");
pub const FAILED: Said = Said("Mooring could not be loaded");
pub const LOST: Said = Said("The connection broke off or gave no answer. Nothing that this device has kept is lost.");
pub const GONE: Said = Said("There is a newer Mooring. Nothing that this device has kept is lost.");
pub const BROKEN: Said = Said("It was loaded, but did not start. Nothing that this device has kept is lost.");
