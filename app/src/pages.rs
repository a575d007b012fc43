//! One file per route: what is read, what is asked, and which components show it.

pub mod about; // how recovery works
pub mod account; // sign in, sign up
pub mod apart; // what is loaded when it is wanted
pub mod entry; // one saved explanation
pub mod frame; // what every page has: header, warnings, who may see it
pub mod home; // start a task; the current one
pub mod library; // all saved explanations
pub mod loaded; // something that is asked for, and how far it has come
pub mod missing; // an address that leads nowhere
pub mod program; // ready without a connection; a newer build
pub mod standing; // how the task on the screen stands, for its status
pub mod task; // one task
pub mod tasks; // all tasks
