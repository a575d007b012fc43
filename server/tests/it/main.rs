//! One binary for all tests of the server: one file per promise.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed, and says where"
)]

mod chat_server; // a model's server that does what a script says
mod contract; // what every adapter of a port keeps
mod doubles; // a source and a model that count
mod learner; // somebody with a browser, at real servers
mod processes; // the real program
mod serving; // the real server, over HTTP
mod stage; // a database of its own, and the parts on it
mod tool_server; // an MCP server with a mind to misbehave
mod witness; // what is stored, and how often the library was asked
mod witnessed; // workers in processes of their own, seen from the other side

mod adapters; // the engine's boundaries with real sources and models
mod bad_input; // a typed refusal, nothing stored, nothing lost
mod calm; // a process that waits costs little
mod cancel; // wins or loses honestly
mod claim; // two at once, each task done once
mod clock; // a process whose clock is wrong does no harm
mod crash; // dead between an effect and its record
mod deaths; // processes that die again and again
mod door; // asked once more before a save
mod drill; // struck on purpose, and witnessed
mod embedded;
mod fence; // only the newest attempt is heard
mod growth; // many finished tasks are in nobody's way
mod heartbeat; // slow is not dead
mod herd; // many failures in one instant
mod journey; // from start to saved
mod late; // answers after a cancel
mod ledger; // the same operation, the same answer
mod library; // save and withdraw race on one key
mod listener; // hints may stop; work does not
mod model; // what a model's server answers, and what becomes of it
mod neighbours; // a death is noticed, a life is left alone
mod newer_build; // what a newer build wrote is left to it
mod odd_bytes; // NULs and megabytes from outside
mod operators; // how the work stands, in numbers and without words
mod oracle; // the same answers as the rules alone
mod orphans; // what the dead leave behind is found
mod others; // servers that others wrote
mod outage; // Postgres dies and comes back
mod pause; // whole when it is seen
mod pooler; // nothing prepared, nothing listened to
mod promises; // what was begun is finished
mod records; // the records, driven by a client of others
mod reopen; // a later look at the source
mod review; // approval is a value
mod rolling; // one leaves while another comes
mod rows; // each row of the list has its test
mod schema; // what the database itself refuses
mod secrets; // a credential is nowhere
mod sessions; // opened once, only getting older
mod settle; // a person says what is so
mod tidy;
mod tools; // each way that somebody else's tool can fail
mod tries; // as often as it makes sense
mod web; // over real sockets
