//! What is on the screen. Components take values and emit wishes; none of them decides, asks the
//! server or touches storage. Sentences come from [`crate::words`].
//!
//! Cards end in `into_any`: a page whose type spells out every element in it takes minutes to
//! compile and is larger to download.

#[cfg(feature = "screens")]
pub mod account_form; // name and passphrase
#[cfg(feature = "screens")]
pub mod bar; // the one next step, at the bottom
#[cfg(feature = "screens")]
pub mod copy; // a text to the clipboard
#[cfg(feature = "screens")]
pub mod diagram; // the states and the ways between them
pub mod difference; // two texts, and what is different
#[cfg(feature = "screens")]
pub mod draft; // the text, its versions, and the field to change it
pub mod evidence; // what was seen at the source
pub mod fold; // what is folded away until it is wanted
pub mod header; // brand, connection, account
pub mod icon; // pictures beside words
#[cfg(feature = "screens")]
pub mod kept; // a typed text whose field is not on the screen
pub mod language; // the languages to choose from
#[cfg(feature = "screens")]
pub mod library; // saved explanations
#[cfg(feature = "screens")]
pub mod notice; // something to know beside the state
#[cfg(feature = "screens")]
pub mod others; // texts that were typed elsewhere
#[cfg(feature = "screens")]
pub mod outbox; // what waits on this device
pub mod progress; // the four steps
#[cfg(feature = "screens")]
pub mod resume; // the current task, at home
pub mod said; // sentences, on the screen
#[cfg(feature = "screens")]
pub mod settle; // a person says what they found out
pub mod show; // what is there while something is true
#[cfg(feature = "screens")]
pub mod start; // the form for a new task
pub mod status; // how a task stands
#[cfg(feature = "screens")]
pub mod sure; // asks once before what cannot be taken back
#[cfg(feature = "screens")]
pub mod task_list; // all tasks
#[cfg(feature = "screens")]
pub mod timeline; // what happened
