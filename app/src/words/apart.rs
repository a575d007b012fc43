//! What stands in the place of a screen that is loaded when it is wanted.

use super::said::Said;

pub const LOADING: Said = Said("Loading this part of Mooring.");
pub const TITLE: Said = Said("This part has not arrived");
/// The browser does not tell which of the two it was.
pub const MISSED: Said = Said(
    "The connection broke off, or a newer Mooring has taken its place. Nothing that this device has kept is lost. If trying again does not help, reload.",
);
