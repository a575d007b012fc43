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
mod serving; // the real server, over HTTP
mod stage;
mod witness; // workers in processes of their own, seen from the other side // a database of its own, and the parts on it

mod bad_input; // a typed refusal, nothing stored, nothing lost
mod calm; // a process that waits costs little
mod cancel; // wins or loses honestly
mod claim; // one worker at a time, two at once, none left behind
mod clock; // a process whose clock is wrong does no harm
mod deaths; // processes that die again and again
mod embedded;
mod growth; // many finished tasks are in nobody's way
mod herd; // many failures in one instant
mod journey; // from start to saved
mod late; // answers after a cancel
mod ledger; // the same operation, the same answer
mod library; // save and withdraw race on one key
mod listener; // hints may stop; work does not
mod newer_build; // what a newer build wrote is left to it
mod odd_bytes; // NULs and megabytes from outside
mod outage; // Postgres dies and comes back
mod promises; // what was begun is finished
mod review; // approval is a value
mod rows; // each row of the list has its test
mod schema; // what the database itself refuses
mod sessions; // opened once, only getting older
mod tidy;
mod web; // over real sockets
