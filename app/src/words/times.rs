//! Instants, as people say them: the server's, in the zone of the device.

use domain::time::Timestamp;
use time::{Month, OffsetDateTime, UtcOffset};

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

/// "10:42" today, "yesterday, 10:42", "12 Dec, 10:42". Today is the server's today; while its time
/// is not known, the day is always named, for a device's clock may be years off.
pub fn at(at: Timestamp, now: Option<Timestamp>, zone: Zone) -> String {
    let local = zone.local(at);
    let clock = format!("{:02}:{:02}", local.hour(), local.minute());
    let today = now.map(|now| zone.local(now).date());
    if today == Some(local.date()) {
        return clock;
    }
    if today.and_then(time::Date::previous_day) == Some(local.date()) {
        return format!("yesterday, {clock}");
    }
    let day = format!("{} {}", local.day(), month(local.month()));
    if today.is_none_or(|today| today.year() == local.year()) {
        format!("{day}, {clock}")
    } else {
        format!("{day} {}, {clock}", local.year())
    }
}

fn month(month: Month) -> &'static str {
    match month {
        Month::January => "Jan",
        Month::February => "Feb",
        Month::March => "Mar",
        Month::April => "Apr",
        Month::May => "May",
        Month::June => "Jun",
        Month::July => "Jul",
        Month::August => "Aug",
        Month::September => "Sep",
        Month::October => "Oct",
        Month::November => "Nov",
        Month::December => "Dec",
    }
}
