//! Requests that Mooring makes: one way to build their client, so that none is without TLS, a deadline for
//! connecting, and rules for redirects.

use std::{error::Error, sync::Once, time::Duration};

use reqwest::{
    ClientBuilder,
    header::{DATE, HeaderMap, RETRY_AFTER},
    redirect,
};
use rustls::{ClientConfig, RootCertStore};
use time::{OffsetDateTime, format_description::well_known::Rfc2822};

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

/// An error and what it came from, without saying anything twice.
pub fn chain(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        let said = source.to_string();
        if !words.contains(&said) {
            words = format!("{words}: {said}");
        }
        cause = source.source();
    }
    words
}

/// How long `Retry-After` asks to wait, where it says it in seconds.
pub fn seconds(retry_after: &str) -> Option<Duration> {
    retry_after.trim().parse().ok().map(Duration::from_secs)
}

/// The same of a whole answer. A day and an hour are compared with the answer's own: no clock of ours is asked, and
/// none of theirs has to be right.
pub fn asked_to_wait(headers: &HeaderMap) -> Option<Duration> {
    let said = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let at = |raw: &str| OffsetDateTime::parse(raw.trim(), &Rfc2822).ok();
    let retry_after = said(RETRY_AFTER)?;
    seconds(retry_after).or_else(|| Some((at(retry_after)? - at(said(DATE)?)?).try_into().unwrap_or_default()))
}

/// Names the cryptography that TLS uses, once for the process.
pub fn provider() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Only refused where one was named before, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn a_wait_is_asked_for_in_seconds_or_as_a_day_and_an_hour() {
        let said = |retry_after: &'static str, date: Option<&'static str>| {
            let mut headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(retry_after))]);
            headers.extend(date.map(|date| (DATE, HeaderValue::from_static(date))));
            asked_to_wait(&headers).map(|wait| wait.as_secs())
        };
        let now = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(said(" 7 ", None), Some(7));
        assert_eq!(said("Sun, 06 Nov 1994 08:50:00 GMT", now), Some(23));
        assert_eq!(said("Sun, 06 Nov 1994 08:49:00 GMT", now), Some(0), "the time has passed");
        assert_eq!(said("Sun, 06 Nov 1994 08:50:00 GMT", None), None);
        assert_eq!(said("soon", now), None);
    }
}
