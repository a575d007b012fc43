//! Who asks, and whom the host provides to answer.

use std::sync::Arc;

use domain::{
    fault::{Code, Fault},
    id::UserId,
    task::SCHEMA,
};
use leptos::prelude::use_context;

use super::error::ApiError;
use crate::ports::backend::{Accounts, Backend};

/// Refuses a form of request that is newer than this build. Left out means the one it knows.
pub fn known(schema: Option<u32>) -> Result<(), ApiError> {
    match schema {
        None | Some(SCHEMA) => Ok(()),
        Some(other) => Err(Fault::new(Code::Malformed).with("schema", other).into()),
    }
}

/// The learner whose session this is. A request that says who made it is refused if that is
/// somebody else: what A wrote in an open tab must not be stored as B's.
pub async fn actor(as_user: Option<UserId>) -> Result<UserId, ApiError> {
    let who = accounts()?.who().await?.ok_or(Code::SignedOut)?;
    match as_user {
        Some(user) if user != who.user_id => Err(Code::OtherUser.into()),
        _ => Ok(who.user_id),
    }
}

/// The accounts that the host put into the context of this request.
pub fn accounts() -> Result<Arc<dyn Accounts>, ApiError> {
    use_context().ok_or_else(|| Code::Unavailable.into())
}

/// The backend that the host put into the context of this request.
pub fn backend() -> Result<Arc<dyn Backend>, ApiError> {
    use_context().ok_or_else(|| Code::Unavailable.into())
}
