//! One binary for all tests of the server: one file per promise.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed, and says where"
)]

mod contract; // what every adapter of a port keeps
mod doubles; // a source and a model that count
mod learner; // somebody with a browser, at real servers
mod processes; // the real program
mod stage; // a database of its own, and the parts on it
mod witness; // what is stored, and how often the library was asked

mod bad_input; // a typed refusal, nothing stored, nothing lost
mod cancel; // wins or loses honestly
mod claim; // two at once, each task done once
mod crash; // dead between an effect and its record
mod door; // asked once more before a save
mod embedded;
mod fence; // only the newest attempt is heard
mod heartbeat; // slow is not dead
mod journey; // from start to saved
mod ledger; // the same operation, the same answer
mod library; // save and withdraw race on one key
mod listener; // hints may stop; work does not
mod neighbours; // a death is noticed, a life is left alone
mod pooler; // nothing prepared, nothing listened to
mod orphans; // what the dead leave behind is found
mod pause; // whole when it is seen
mod oracle; // the same answers as the rules alone
mod promises; // what was begun is finished
mod reopen; // a later look at the source
mod review; // approval is a value
mod rolling; // one leaves while another comes
mod schema; // what the database itself refuses
mod sessions; // opened once, only getting older
mod settle; // a person says what is so
mod tidy;
mod tries; // as often as it makes sense
mod web; // over real sockets
