//! `cargo xtask bench`: what Mooring costs, seen from outside: through HTTP and signed in, or in a browser.

use anyhow::Result;

mod client; // what a phone downloads and feels
mod connection; // HTTP, thin
mod engine; // many tasks at once, beside bare SQL; recovery; idling
mod journey; // how long one learner waits
mod learner; // somebody made of HTTP
mod machine; // what it was measured on
mod server; // the program that is measured

/// Figures to read, never a test that a busy machine could fail.
pub fn bench(args: &[String]) -> Result<()> {
    match args.split_first() {
        Some((what, rest)) if what == "client" => client::bench(rest),
        Some((what, rest)) if what == "engine" => engine::bench(rest),
        Some((what, rest)) if what == "journey" => journey::bench(rest),
        _ => journey::bench(args),
    }
}
