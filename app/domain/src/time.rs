//! Instants, always given, never taken: the server's come from the database's clock.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, UtcOffset, format_description::well_known::Rfc3339};

/// An instant in UTC, to the microsecond (what Postgres keeps). On the wire: RFC 3339.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(#[serde(with = "time::serde::rfc3339")] OffsetDateTime);

impl Timestamp {
    /// The beginning of 1970.
    pub const EPOCH: Self = Self(OffsetDateTime::UNIX_EPOCH);

    /// Cuts below the microsecond, so that a stored instant equals the one in memory.
    pub fn new(at: OffsetDateTime) -> Self {
        let at = at.to_offset(UtcOffset::UTC);
        Self(at.replace_microsecond(at.microsecond()).unwrap_or(at))
    }

    /// Milliseconds since 1970.
    pub fn from_unix_millis(millis: i64) -> Option<Self> {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000).ok().map(Self::new)
    }

    /// The instant as the `time` crate knows it.
    pub fn into_inner(self) -> OffsetDateTime {
        self.0
    }

    /// Later by `d`; unchanged if that cannot be written.
    #[must_use]
    pub fn plus(self, d: Duration) -> Self {
        time::Duration::try_from(d).ok().and_then(|d| self.0.checked_add(d)).map_or(self, Self::new)
    }

    /// How long after `earlier` this is; zero if it is not after.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::try_from(self.0 - earlier.0).unwrap_or_default()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.format(&Rfc3339).map_err(|_| fmt::Error)?)
    }
}
