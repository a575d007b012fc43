//! How a browser carries a session: one cookie that scripts cannot read.

use std::sync::Arc;

use async_trait::async_trait;
use tower_sessions::{
    Expiry, SessionManagerLayer, SessionStore,
    cookie::SameSite,
    session::{Id, Record},
    session_store::Result,
};

use super::sessions::LIFE;

/// The cookie's name.
pub const NAME: &str = "mooring_session";

/// The layer that finds a request's session and writes its cookie.
///
/// `Lax`, not `Strict`: a link in a mail must find the learner signed in. What changes anything is a
/// POST, which `Lax` does not send along from other sites and whose origin is checked besides.
pub fn layer(store: Arc<dyn SessionStore>, secure: bool) -> SessionManagerLayer<Shared> {
    SessionManagerLayer::new(Shared(store))
        .with_name(NAME)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(secure)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(LIFE))
}

/// Any store, behind the one type that the layer wants.
#[derive(Clone, Debug)]
pub struct Shared(Arc<dyn SessionStore>);

#[async_trait]
impl SessionStore for Shared {
    async fn create(&self, record: &mut Record) -> Result<()> {
        self.0.create(record).await
    }

    async fn save(&self, record: &Record) -> Result<()> {
        self.0.save(record).await
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        self.0.load(id).await
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.0.delete(id).await
    }
}
