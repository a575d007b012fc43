//! The time that rules go by is the database's: a process whose own clock is wrong does no harm,
//! because nothing asks it.

use super::{Source, rust};

/// Where rules and the server live. A browser's clock is the business of its device.
const ROOMS: [&str; 3] = ["server/src/", "app/domain/src/", "migrations/"];
/// Where a database's own clock is read: for the rules, and for the library, which may live in
/// another database.
/// A drill writes the day on its report before there is a database with rules.
const CLOCKS: [&str; 3] = ["_clock.sql", "migrations/library/1001_library.sql", "server/src/drill/postgres/cluster.rs"];

/// Durations may be measured: `Instant` knows no hour.
const OF_THE_PROCESS: [&str; 7] = [
    "SystemTime::now",
    "UNIX_EPOCH.elapsed",
    "OffsetDateTime::now",
    "UtcDateTime::now",
    "Utc::now",
    "Local::now",
    "clock_gettime",
];
const OF_THE_DATABASE: [&str; 6] =
    ["now()", "clock_timestamp", "current_timestamp", "localtimestamp", "transaction_timestamp", "statement_timestamp"];

pub(super) fn own(source: &Source) -> Vec<String> {
    if !ROOMS.iter().any(|room| source.path.starts_with(room))
        || CLOCKS.iter().any(|clock| source.path.ends_with(clock))
    {
        return Vec::new();
    }
    let code = rust::code(&source.text);
    let process = OF_THE_PROCESS.into_iter().filter(|clock| source.is(&["rs"]) && code.contains(clock));
    // Statements stand in strings, so the whole text is read.
    let database = OF_THE_DATABASE.into_iter().filter(|clock| is_called(&source.text, clock));
    process
        .chain(database)
        .map(|clock| format!("`{clock}` is not the clock of the rules: `mooring_now()` is"))
        .collect()
}

/// Not as the end of another name, such as `mooring_now()` or `Instant::now()`.
fn is_called(text: &str, clock: &str) -> bool {
    text.match_indices(clock).any(|(at, _)| {
        let before = text[..at].chars().next_back().unwrap_or(' ');
        !before.is_alphanumeric() && !"_.:`".contains(before)
    })
}
