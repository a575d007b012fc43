//! The visitor behind one request: implements the port that the server functions ask.

use std::{net::IpAddr, sync::Arc, time::Duration};

use app::{api::error::ApiError, ports::backend::Accounts};
use async_trait::async_trait;
use domain::{
    fault::{Code, Fault},
    snapshot::Who,
};
use tower_sessions::{Session, SessionStore, session::Id};

use super::{
    Desk,
    directory::DirectoryError,
    name::{Name, Passphrase},
    passphrase::Busy,
    sessions::{DUE, WHO, who},
};
use crate::telemetry::numbers::label;

/// One request's session, and where it came from.
pub struct Visitor {
    desk: Arc<Desk>,
    session: Session,
    from: IpAddr,
}

impl Visitor {
    pub(super) fn new(desk: Arc<Desk>, session: Session, from: IpAddr) -> Self {
        Self { desk, session, from }
    }

    /// Refuses a try that comes too soon after many others.
    fn may_try(&self, name: &Name) -> Result<(), ApiError> {
        self.desk.limits.charge(self.from).map_err(too_fast)?;
        self.desk.limits.open(name.key()).map_err(too_fast)
    }

    /// A try that failed counts against its name.
    fn failed(&self, name: &Name, code: Code) -> ApiError {
        self.desk.limits.failed(name.key());
        refused(code).into()
    }

    /// Opens a session under a token that nobody can have planted before.
    async fn open(&self, who: Who) -> Result<Who, ApiError> {
        self.session.cycle_id().await.map_err(|e| not_kept(&e))?;
        self.session.insert(WHO, &who).await.map_err(|e| not_kept(&e))?;
        Ok(who)
    }
}

#[async_trait]
impl Accounts for Visitor {
    async fn sign_up(&self, name: String, passphrase: String) -> Result<Who, ApiError> {
        let name = Name::parse(&name)?;
        let passphrase = Passphrase::choose(&passphrase)?;
        self.may_try(&name)?;
        let hash = self.desk.passphrases.hash(passphrase).await.map_err(|e| busy(&e))?;
        match self.desk.directory.add(&name, &hash).await.map_err(|e| not_read(&e))? {
            Some(user_id) => self.open(Who { user_id, name: name.as_str().to_owned() }).await,
            None => Err(self.failed(&name, Code::NameTaken)),
        }
    }

    async fn sign_in(&self, name: String, passphrase: String) -> Result<Who, ApiError> {
        let name = Name::parse(&name)?;
        let passphrase = Passphrase::claim(&passphrase)?;
        self.may_try(&name)?;
        let account = self.desk.directory.find(&name).await.map_err(|e| not_read(&e))?;
        let hash = account.as_ref().map(|account| account.passphrase_hash.clone());
        let right = self.desk.passphrases.is(passphrase, hash).await.map_err(|e| busy(&e))?;
        self.desk.limits.open(name.key()).map_err(too_fast)?;
        match account {
            Some(account) if right => self.open(Who { user_id: account.user_id, name: account.name }).await,
            _ => Err(self.failed(&name, Code::WrongPassphrase)),
        }
    }

    async fn sign_out(&self) -> Result<(), ApiError> {
        self.session.flush().await.map_err(|e| not_kept(&e))
    }

    async fn who(&self) -> Result<Option<Who>, ApiError> {
        let who = self.session.get(WHO).await.map_err(|e| not_kept(&e))?;
        // Slid at most once a day, and only by somebody who is signed in: never a write per request.
        if who.is_some() && self.session.get::<bool>(DUE).await.map_err(|e| not_kept(&e))?.is_some() {
            self.session.remove::<bool>(DUE).await.map_err(|e| not_kept(&e))?;
        }
        Ok(who)
    }
}

/// Who is signed in under a token right now: asked anew, unlike a request's own view.
pub async fn holder(store: &dyn SessionStore, token: &Id) -> Result<Option<Who>, ApiError> {
    let record = store.load(token).await.map_err(|e| not_kept(&e.into()))?;
    Ok(record.as_ref().and_then(who))
}

fn too_fast(wait: Duration) -> ApiError {
    let ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1);
    let fault = Fault::new(refused(Code::TooFast)).with("seconds", ms.div_ceil(1000));
    ApiError::from(fault).retry_after(ms)
}

fn refused(code: Code) -> Code {
    metrics::counter!("mooring_sign_ins_refused_total", "code" => label(code)).increment(1);
    code
}

fn busy(error: &Busy) -> ApiError {
    tracing::warn!(%error, "a passphrase was not hashed in time");
    ApiError::from(Code::Unavailable).retry_after(1000)
}

fn not_read(error: &DirectoryError) -> ApiError {
    tracing::error!(%error, "accounts cannot be asked");
    Code::Unavailable.into()
}

fn not_kept(error: &tower_sessions::session::Error) -> ApiError {
    tracing::error!(%error, "a session cannot be read or kept");
    Code::Unavailable.into()
}
