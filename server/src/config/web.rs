//! Where to listen, and under which address learners come.

use std::{fmt, net::SocketAddr};

use axum::http::Uri;

/// The web server's place in the network.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Web")]
pub struct WebArgs {
    /// The address to listen on.
    #[arg(long, env = "MOORING_ADDR", value_name = "IP:PORT", default_value = "127.0.0.1:3000", value_parser = address)]
    pub addr: SocketAddr,

    /// The address that learners type, such as `https://mooring.example`: decides Secure cookies and
    /// which origins may ask. Several are parted by commas [default: the address and localhost].
    #[arg(long, env = "MOORING_PUBLIC_URL", value_name = "URL", value_delimiter = ',', value_parser = public_url)]
    public_url: Vec<PublicUrl>,

    /// Whether devices keep the page and the static files (never anybody's data), to start without a
    /// connection. `off` makes those that have kept them give them up at their next visit.
    #[arg(long, env = "MOORING_SERVICE_WORKER", value_name = "on|off", value_enum, default_value = "on")]
    service_worker: ServiceWorker,
}

/// Whether devices keep the page and the static files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ServiceWorker {
    On,
    Off,
}

impl WebArgs {
    /// Whether devices keep the page and the static files.
    pub fn devices_keep(&self) -> bool {
        self.service_worker == ServiceWorker::On
    }

    /// The public addresses that were given.
    pub fn public_urls(&self) -> Vec<PublicUrl> {
        self.public_url.iter().filter(|url| !url.0.is_empty()).cloned().collect()
    }
}

/// Scheme, host and port, in the form that browsers send as `Origin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// As browsers write it: `https://mooring.example`, without a port that the scheme implies.
    pub fn origin(&self) -> &str {
        &self.0
    }

    /// Whether cookies may insist on https.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads a public address. An empty one counts as not given.
pub fn public_url(raw: &str) -> Result<PublicUrl, String> {
    let wanted = || "write scheme, host and port alone, such as https://mooring.example".to_owned();
    let raw = raw.trim();
    if raw.is_empty() {
        return Ok(PublicUrl(String::new()));
    }
    let uri: Uri = raw.parse().map_err(|_| wanted())?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(wanted()) };
    let bare = matches!(uri.path(), "" | "/") && uri.query().is_none() && !authority.as_str().contains('@');
    let implied = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return Err(wanted()),
    };
    if !bare || authority.host().is_empty() {
        return Err(wanted());
    }
    let host = authority.host().to_ascii_lowercase();
    Ok(PublicUrl(match authority.port_u16() {
        Some(port) if port != implied => format!("{scheme}://{host}:{port}"),
        _ => format!("{scheme}://{host}"),
    }))
}

pub(super) fn address(raw: &str) -> Result<SocketAddr, String> {
    let numbers = raw.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    numbers
        .as_deref()
        .unwrap_or(raw)
        .parse()
        .map_err(|_| "write an IP address and a port, such as 127.0.0.1:3000 or [::1]:3000".to_owned())
}
