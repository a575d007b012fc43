//! How single values are read: each refusal is a sentence that says what would be right.

use std::{path::PathBuf, time::Duration};

use reqwest::Url;

pub use crate::secret::Secret;

/// Takes any text, so that no error of the parser can repeat it.
pub fn secret(raw: &str) -> Result<Secret, String> {
    Ok(Secret::from(raw.to_owned()))
}

/// The folder of records, if one is given, is one.
pub fn folder(records: Option<&PathBuf>) -> Result<(), String> {
    match records {
        Some(dir) if !dir.is_dir() => {
            Err(format!("the records (--records, MOORING_RECORDS) are not a folder: {}", dir.display()))
        }
        _ => Ok(()),
    }
}

/// A secret that is there: an empty variable is how a shell unsets.
pub fn given(secret: Option<&Secret>) -> Option<&Secret> {
    secret.filter(|secret| !secret.reveal().trim().is_empty())
}

/// An address that may be logged. No sentence repeats it: there may be a password in it.
pub fn web_address(raw: &str, what: &str) -> Result<String, String> {
    let url = Url::parse(raw.trim()).map_err(|why| format!("{what} is none: {why}"))?;
    if !["http", "https"].contains(&url.scheme()) || !url.has_host() {
        return Err(format!("{what} begins with http:// or https://"));
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
        return Err(format!(
            "{what} holds a password or a query: addresses are logged, credentials have variables of their own"
        ));
    }
    Ok(url.into())
}

/// A credential as it goes into a header.
pub fn header(secret: &Secret, what: &str) -> Result<Secret, String> {
    let trimmed = secret.reveal().trim();
    if trimmed.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(Secret::from(trimmed.to_owned()))
    } else {
        Err(format!("{what} has characters that no credential has"))
    }
}

/// A switch that an environment variable can turn too. Empty is off: that is how a shell unsets.
pub fn switch(raw: &str) -> Result<bool, String> {
    match raw.to_ascii_lowercase().as_str() {
        "" | "0" | "false" | "no" | "off" => Ok(false),
        "1" | "true" | "yes" | "on" => Ok(true),
        _ => Err("use 1 or 0, true or false, yes or no, on or off".to_owned()),
    }
}

/// A time of at least 10 ms and at most an hour: for waits between looks.
pub fn wait(raw: &str) -> Result<Duration, String> {
    between(raw, Duration::from_millis(10), Duration::from_hours(1), "10ms", "1h")
}

/// How long a lease lives: long enough for a heartbeat to arrive, short enough for a crash to be noticed.
pub fn lease(raw: &str) -> Result<Duration, String> {
    between(raw, Duration::from_millis(200), Duration::from_hours(1), "200ms", "1h")
}

/// A delay, possibly none.
pub fn delay(raw: &str) -> Result<Duration, String> {
    between(raw, Duration::ZERO, Duration::from_hours(1), "0s", "1h")
}

/// A wait in milliseconds, as tasks store it.
pub fn millis(raw: &str) -> Result<u32, String> {
    let time = between(raw, Duration::from_millis(1), Duration::from_hours(1), "1ms", "1h")?;
    u32::try_from(time.as_millis()).map_err(|_| "use at most 1h".to_owned())
}

/// A time in whole seconds, as tasks store it; possibly none.
pub fn seconds(raw: &str) -> Result<u32, String> {
    let ten_years = Duration::from_hours(10 * 366 * 24);
    let time = between(raw, Duration::ZERO, ten_years, "0s", "10years")?;
    if time.subsec_nanos() > 0 {
        return Err("use whole seconds, such as 90s, 2m or 30days".to_owned());
    }
    u32::try_from(time.as_secs()).map_err(|_| "use at most 10years".to_owned())
}

fn between(raw: &str, least: Duration, most: Duration, from: &str, to: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(raw)
        .map_err(|_| "write a time with its unit, such as 500ms, 10s, 2m, 24h or 30days".to_owned())?;
    if time < least || time > most { Err(format!("use a time from {from} to {to}")) } else { Ok(time) }
}
