//! Who may send a POST: our own pages, and scripts. Other sites may not.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use app::api::error::ApiError;
use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, Uri, header},
    middleware::Next,
    response::Response,
};
use domain::fault::Code;

use super::answer;
use crate::config::web::PublicUrl;

/// The addresses that learners come by.
#[derive(Clone, Debug)]
pub struct Origins {
    ours: Vec<String>,
    https: bool,
    /// Any address of this machine: listening on all of them, with no public address given.
    any_address: bool,
}

impl Origins {
    /// The public addresses; without any, the address itself. The loopback names of a port that we
    /// listen on are ours in any case: whoever is behind them is on this machine.
    pub fn new(public: &[PublicUrl], bound: SocketAddr) -> Self {
        let port = bound.port();
        let mut ours: Vec<String> = public.iter().map(|url| url.origin().to_owned()).collect();
        if bound.ip().is_loopback() || bound.ip().is_unspecified() {
            ours.extend(["localhost", "127.0.0.1", "[::1]"].map(|host| written("http", host, port)));
        }
        if public.is_empty() {
            ours.push(written("http", &bound.ip().to_string(), port));
        }
        Self {
            ours,
            https: !public.is_empty() && public.iter().all(PublicUrl::is_https),
            any_address: public.is_empty() && bound.ip().is_unspecified(),
        }
    }

    /// Whether cookies may insist on https.
    pub fn are_https(&self) -> bool {
        self.https
    }

    /// Whether a request that changes something may come from where its headers say.
    pub fn allow(&self, headers: &HeaderMap) -> bool {
        let said = |name| headers.get(name).map(|value: &axum::http::HeaderValue| value.to_str().unwrap_or("?"));
        if said("sec-fetch-site").is_some_and(|site| site == "cross-site") {
            return false;
        }
        let Some(origin) = said(header::ORIGIN.as_str()) else {
            // Browsers always send it with a POST to another site, so this is a script.
            return true;
        };
        self.ours.iter().any(|ours| ours.eq_ignore_ascii_case(origin))
            || (self.any_address && is_the_address_asked(origin, said(header::HOST.as_str())))
    }
}

/// Refuses what another site sent, wherever it goes.
pub async fn refuse_foreign(State(origins): State<Arc<Origins>>, request: Request, next: Next) -> Response {
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if only_reads || origins.allow(request.headers()) {
        return next.run(request).await;
    }
    metrics::counter!("mooring_foreign_origins_total").increment(1);
    answer::refusal(&ApiError::from(Code::ForeignOrigin))
}

/// A page that was fetched from an address in digits posts back to the same. Digits, because a name
/// could be made to point here by somebody else.
fn is_the_address_asked(origin: &str, host: Option<&str>) -> bool {
    let Ok(uri) = origin.parse::<Uri>() else { return false };
    let Some(authority) = uri.authority() else { return false };
    let digits = authority.host().trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    digits && host.is_some_and(|host| host.eq_ignore_ascii_case(authority.as_str()))
}

fn written(scheme: &str, host: &str, port: u16) -> String {
    let host = if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host.to_owned() };
    if port == 80 { format!("{scheme}://{host}") } else { format!("{scheme}://{host}:{port}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::web::public_url;

    fn origins(public: &[&str], bound: &str) -> Origins {
        let public: Vec<_> = public.iter().map(|raw| public_url(raw).unwrap()).collect();
        Origins::new(&public, bound.parse().unwrap())
    }

    #[track_caller]
    fn check(origins: &Origins, said: &[(&'static str, &str)], allowed: bool) {
        let headers = said.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        assert_eq!(origins.allow(&headers), allowed, "{said:?}");
    }

    #[test]
    fn by_default_the_address_and_localhost_may_post_and_scripts_too() {
        let local = origins(&[], "127.0.0.1:3000");
        check(&local, &[], true);
        check(&local, &[("origin", "http://127.0.0.1:3000")], true);
        check(&local, &[("origin", "http://localhost:3000"), ("sec-fetch-site", "same-origin")], true);
        check(&local, &[("origin", "http://localhost:3001")], false);
        check(&local, &[("origin", "https://localhost:3000")], false);
        check(&local, &[("origin", "https://evil.example")], false);
        check(&local, &[("origin", "null")], false);
        check(&local, &[("sec-fetch-site", "cross-site")], false);
        check(&local, &[("origin", "http://localhost:3000"), ("sec-fetch-site", "cross-site")], false);
    }

    #[test]
    fn a_public_address_takes_the_place_of_the_one_listened_on() {
        let public = origins(&["https://mooring.example"], "10.0.0.7:3000");
        check(&public, &[("origin", "https://mooring.example")], true);
        check(&public, &[("origin", "http://10.0.0.7:3000")], false);
        check(&public, &[("origin", "https://mooring.example.evil.example")], false);
        assert!(public.are_https());
        assert!(!origins(&["https://a.example", "http://b.example"], "127.0.0.1:1").are_https());
    }

    #[test]
    fn listening_everywhere_means_any_address_in_digits() {
        let everywhere = origins(&[], "0.0.0.0:3000");
        check(&everywhere, &[("origin", "http://192.168.1.5:3000"), ("host", "192.168.1.5:3000")], true);
        check(&everywhere, &[("origin", "http://192.168.1.6:3000"), ("host", "192.168.1.5:3000")], false);
        check(&everywhere, &[("origin", "http://rebound.example:3000"), ("host", "rebound.example:3000")], false);
    }
}
