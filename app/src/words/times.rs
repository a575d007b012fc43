//! Instants, as people say them: the server's, in the zone of the device.

use domain::time::Timestamp;
use time::{Month, OffsetDateTime, UtcOffset, Weekday};

use super::said::say;

/// How far local time is ahead of UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    pub offset_minutes: i32,
}

impl Zone {
    fn local(self, at: Timestamp) -> OffsetDateTime {
        let offset = UtcOffset::from_whole_seconds(self.offset_minutes * 60).unwrap_or(UtcOffset::UTC);
        at.into_inner().to_offset(offset)
    }
}

/// "today at 10:42", "yesterday at 23:56", "Sat 29 Nov at 12:00", "29 Nov 2025, 12:00". Today is the
/// server's today; while its time is not known, the day is always named, for a device's clock may be
/// years off.
pub fn at(at: Timestamp, now: Option<Timestamp>, zone: Zone) -> String {
    let local = zone.local(at);
    let clock = clock(local);
    let today = now.map(|now| zone.local(now).date());
    if today == Some(local.date()) {
        return say!("today at {}", clock);
    }
    if today.and_then(time::Date::previous_day) == Some(local.date()) {
        return say!("yesterday at {}", clock);
    }
    let (day, month) = (local.day(), month(local.month()));
    if today.is_none_or(|today| today.year() == local.year()) {
        say!("{} {} {} at {}", weekday(local.weekday()), day, month, clock)
    } else {
        say!("{} {} {}, {}", day, month, local.year(), clock)
    }
}

/// The same where there is little room and the day goes without saying if it is today: "10:42".
pub fn since(since: Timestamp, now: Option<Timestamp>, zone: Zone) -> String {
    let local = zone.local(since);
    let is_today = now.is_some_and(|now| zone.local(now).date() == local.date());
    if is_today { clock(local) } else { at(since, now, zone) }
}

fn clock(local: OffsetDateTime) -> String {
    format!("{:02}:{:02}", local.hour(), local.minute())
}

fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => say!("Mon"),
        Weekday::Tuesday => say!("Tue"),
        Weekday::Wednesday => say!("Wed"),
        Weekday::Thursday => say!("Thu"),
        Weekday::Friday => say!("Fri"),
        Weekday::Saturday => say!("Sat"),
        Weekday::Sunday => say!("Sun"),
    }
}

fn month(month: Month) -> &'static str {
    match month {
        Month::January => say!("Jan"),
        Month::February => say!("Feb"),
        Month::March => say!("Mar"),
        Month::April => say!("Apr"),
        Month::May => say!("May"),
        Month::June => say!("Jun"),
        Month::July => say!("Jul"),
        Month::August => say!("Aug"),
        Month::September => say!("Sep"),
        Month::October => say!("Oct"),
        Month::November => say!("Nov"),
        Month::December => say!("Dec"),
    }
}
