//! What stands in the place of a screen that is loaded when it is wanted.

pub const LOADING: &str = "Loading this part of Mooring.";
pub const TITLE: &str = "This part has not arrived";
/// The browser does not tell which of the two it was.
pub const MISSED: &str = "The connection broke off, or a newer Mooring has taken its place. Nothing that this device has kept is lost. If trying again does not help, reload.";
