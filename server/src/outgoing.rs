//! Requests that Mooring makes: one way to build their client, so that none is without TLS, a deadline for
//! connecting, and rules for redirects.

use std::{sync::Once, time::Duration};

use reqwest::{ClientBuilder, redirect};

/// Nobody who is there takes longer to pick up.
const CONNECT: Duration = Duration::from_secs(10);

/// A client that follows no redirect: a credential is for the address that was configured and for no other.
pub fn client() -> ClientBuilder {
    provider();
    ClientBuilder::new().connect_timeout(CONNECT).redirect(redirect::Policy::none())
}

/// Names the cryptography that TLS uses, once for the process.
pub fn provider() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Only refused where one was named before, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
