//! Requests that Mooring makes: one way to build their client, so that none is without TLS, a deadline for
//! connecting, and rules for redirects.

use std::{sync::Once, time::Duration};

use reqwest::{ClientBuilder, redirect};
use rustls::{ClientConfig, RootCertStore};

/// Nobody who is there takes longer to pick up.
const CONNECT: Duration = Duration::from_secs(10);

/// A client for an address. It follows no redirect: a credential is for the address that was configured and for no other.
pub fn client_for(address: &str) -> ClientBuilder {
    if address.starts_with("http://") { plain() } else { bounded() }
}

/// A client for addresses without TLS. It needs no certificates of the system, and there may be none.
pub fn plain() -> ClientBuilder {
    provider();
    let trusts_nobody = ClientConfig::builder().with_root_certificates(RootCertStore::empty()).with_no_client_auth();
    bounded().tls_backend_preconfigured(trusts_nobody)
}

fn bounded() -> ClientBuilder {
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
