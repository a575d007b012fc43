//! One binary for all tests of the server: one file per promise.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed, and says where"
)]

mod contract; // what every adapter of a port keeps
mod doubles; // a source and a model that count
mod processes; // the real program
mod stage; // a database of its own, and the parts on it

mod bad_input; // a typed refusal, nothing stored, nothing lost
mod cancel; // wins or loses honestly
mod claim; // one worker at a time, two at once, none left behind
mod drill; // struck on purpose, and witnessed
mod embedded;
mod journey; // from start to saved
mod ledger; // the same operation, the same answer
mod library; // save and withdraw race on one key
mod listener; // hints may stop; work does not
mod promises; // what was begun is finished
mod review; // approval is a value
mod schema; // what the database itself refuses
mod sessions; // opened once, only getting older
mod tidy;
mod web; // over real sockets
