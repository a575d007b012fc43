//! What is on the screen. Components take values and emit wishes; none of them decides, asks the
//! server or touches storage. Sentences come from [`crate::words`].
//!
//! Cards end in `into_any`: a page whose type spells out every element in it takes minutes to
//! compile and is larger to download.

pub mod account_form; // name and passphrase
pub mod bar; // the one next step, at the bottom
pub mod difference; // two texts, and what is different
pub mod draft; // the text, its versions, and the field to change it
pub mod evidence; // what was seen at the source
pub mod header; // brand, connection, account
pub mod icon; // pictures beside words
pub mod library; // saved explanations
pub mod notice; // something to know beside the state
pub mod outbox; // what waits on this device
pub mod progress; // the four steps
pub mod resume; // the current task, at home
pub mod settle; // a person says what they found out
pub mod start; // the form for a new task
pub mod status; // how a task stands
pub mod task_list; // all tasks
pub mod timeline; // what happened
