//! Accounts: sign up, sign in, sign out, who am I.

use leptos::{prelude::*, server_fn::codec::Json};

#[cfg(feature = "ssr")]
use super::actor::{accounts, known};
use super::{error::ApiError, reply::WhoReply};
#[cfg(feature = "ssr")]
use domain::fault::Code;

/// Makes an account and signs it in.
#[server(name = SignUp, prefix = "/api/v1", endpoint = "sign-up", input = Json, output = Json)]
pub async fn sign_up(schema: Option<u32>, name: String, passphrase: String) -> Result<WhoReply, ApiError> {
    known(schema)?;
    Ok(accounts()?.sign_up(name, passphrase).await?.into())
}

/// Signs in.
#[server(name = SignIn, prefix = "/api/v1", endpoint = "sign-in", input = Json, output = Json)]
pub async fn sign_in(schema: Option<u32>, name: String, passphrase: String) -> Result<WhoReply, ApiError> {
    known(schema)?;
    Ok(accounts()?.sign_in(name, passphrase).await?.into())
}

/// Ends the session and says whose it was; `signed_out` if there was none.
#[server(name = SignOut, prefix = "/api/v1", endpoint = "sign-out", input = Json, output = Json)]
pub async fn sign_out(schema: Option<u32>) -> Result<WhoReply, ApiError> {
    known(schema)?;
    let accounts = accounts()?;
    let who = accounts.who().await?.ok_or(Code::SignedOut)?;
    accounts.sign_out().await?;
    Ok(who.into())
}

/// Who is signed in; `signed_out` if nobody is.
#[server(name = WhoAmI, prefix = "/api/v1", endpoint = "who-am-i", input = Json, output = Json)]
pub async fn who_am_i(schema: Option<u32>) -> Result<WhoReply, ApiError> {
    known(schema)?;
    Ok(accounts()?.who().await?.ok_or(Code::SignedOut)?.into())
}
