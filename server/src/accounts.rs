//! Accounts and sessions: who somebody is, and how they show it.
//!
//! Invariant: a passphrase leaves this room only as a hash, a session's token only as a cookie, and
//! a refusal to sign in never says which of the two was wrong, nor by its time.

use std::{net::IpAddr, sync::Arc};

use tower_sessions::Session;

pub mod cookie; // how a browser carries a session
pub mod directory; // where accounts are kept
pub mod limits; // how often somebody may try
pub mod name; // what a name and a passphrase may be
pub mod passphrase; // hashing, a few at once
pub mod sessions; // where sessions are kept
pub mod visitor; // one request's view of all this

use self::{directory::Directory, limits::Limits, passphrase::Passphrases, visitor::Visitor};

/// Where visitors say who they are. One per process.
pub struct Desk {
    directory: Arc<dyn Directory>,
    passphrases: Passphrases,
    limits: Limits,
}

impl Desk {
    pub fn new(directory: Arc<dyn Directory>) -> Self {
        Self { directory, passphrases: Passphrases::new(), limits: Limits::new() }
    }

    /// The visitor behind one request: their session, and the address they call from.
    pub fn receive(self: &Arc<Self>, session: Session, from: IpAddr) -> Visitor {
        Visitor::new(Arc::clone(self), session, from)
    }
}
