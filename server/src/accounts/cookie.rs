//! How a browser carries a session: one cookie that scripts cannot read.

use tower_sessions::{Expiry, SessionManagerLayer, SessionStore, cookie::SameSite};

use super::sessions::LIFE;

/// The cookie's name.
pub const NAME: &str = "mooring_session";

/// The layer that finds a request's session and writes its cookie.
///
/// `Lax`, not `Strict`: a link in a mail must find the learner signed in. What changes anything is a
/// POST, which `Lax` does not send along from other sites and whose origin is checked besides.
pub fn layer<S: SessionStore>(store: S, secure: bool) -> SessionManagerLayer<S> {
    SessionManagerLayer::new(store)
        .with_name(NAME)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(secure)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(LIFE))
}
