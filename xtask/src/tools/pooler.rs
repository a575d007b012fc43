//! A transaction pooler, for the tests that put a transaction pooler before the database.

use std::path::Path;

use anyhow::Result;

use super::debian;

/// Sees to it that there is one, where it can be installed. Where not, the tests that need it say so.
pub fn ensure() -> Result<()> {
    // The distribution's package starts a service that nobody asked for; the tests run their own.
    if debian::on_path("pgbouncer").is_none() && !Path::new("/usr/sbin/pgbouncer").is_file() {
        debian::install("PgBouncer", &["pgbouncer"])?;
    }
    Ok(())
}
