//! The records, offered to MCP clients.

use std::{net::SocketAddr, path::PathBuf};

use super::{values, web};

/// Without an address, the server speaks with whoever started it, over standard input and output.
#[derive(Debug, clap::Args)]
pub struct RecordsArgs {
    /// Listen here for streamable HTTP, in place of standard input and output. A loopback address: who asks by another
    /// name is refused, so that no page in a browser can read along.
    #[arg(long, value_name = "IP:PORT", value_parser = web::address)]
    pub http: Option<SocketAddr>,

    /// A folder of records to use in place of those that Mooring carries.
    #[arg(long, env = "MOORING_RECORDS", value_name = "DIR")]
    records: Option<PathBuf>,
}

impl RecordsArgs {
    /// The folder of records, if one is given.
    pub fn records(&self) -> Option<&PathBuf> {
        self.records.as_ref().filter(|dir| !dir.as_os_str().is_empty())
    }

    pub(super) fn check(&self) -> Result<(), String> {
        if self.http.is_some_and(|addr| !addr.ip().is_loopback()) {
            return Err("the records are served to programs on this machine alone: use a loopback address such as \
                        127.0.0.1:8080 (--http), and a proxy of your own for others"
                .to_owned());
        }
        values::folder(self.records())
    }
}
