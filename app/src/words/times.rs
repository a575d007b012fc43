//! Instants, as people say them: the server's, in the zone of the device.

use domain::time::Timestamp;
use time::{Month, OffsetDateTime, UtcOffset, Weekday};

use super::said::{Said, say};

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

    pub fn same_day(self, one: Timestamp, other: Timestamp) -> bool {
        self.local(one).date() == self.local(other).date()
    }
}

/// "today at 10:42", "yesterday at 23:56", "Sat 29 Nov at 12:00", "29 Nov 2025, 12:00". Today is the
/// server's today; while its time is not known, day and year are always named, for a device's clock may be
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
    if today.is_some_and(|today| today.year() == local.year()) {
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
    let said = match day {
        Weekday::Monday => Said("Mon"),
        Weekday::Tuesday => Said("Tue"),
        Weekday::Wednesday => Said("Wed"),
        Weekday::Thursday => Said("Thu"),
        Weekday::Friday => Said("Fri"),
        Weekday::Saturday => Said("Sat"),
        Weekday::Sunday => Said("Sun"),
    };
    said.words()
}

fn month(month: Month) -> &'static str {
    let said = match month {
        Month::January => Said("Jan"),
        Month::February => Said("Feb"),
        Month::March => Said("Mar"),
        Month::April => Said("Apr"),
        Month::May => Said("May"),
        Month::June => Said("Jun"),
        Month::July => Said("Jul"),
        Month::August => Said("Aug"),
        Month::September => Said("Sep"),
        Month::October => Said("Oct"),
        Month::November => Said("Nov"),
        Month::December => Said("Dec"),
    };
    said.words()
}
