//! What the person chose for this computer, and the clock that it is told by.

use super::{BrainKey, Timestamp};
use jiff::tz::TimeZone;
use std::collections::BTreeSet;

/// A minute of the person's day: 0 is midnight, 1439 is 23:59.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minute(u16);

impl Minute {
    /// Minutes in a day.
    pub const IN_A_DAY: u16 = 24 * 60;

    /// A minute of the day. `None` from 1440 on.
    pub const fn new(minute: u16) -> Option<Self> {
        if minute < Self::IN_A_DAY {
            Some(Self(minute))
        } else {
            None
        }
    }

    /// Minutes since midnight.
    pub const fn number(self) -> u16 {
        self.0
    }
}

/// A moment on the person's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Local {
    /// The calendar day, counted from 1970-01-01.
    pub day: i64,
    /// The minute of that day.
    pub minute: Minute,
}

impl Local {
    /// What the clock of a time zone shows at a moment.
    pub fn at(moment: Timestamp, zone: &TimeZone) -> Self {
        let seconds = moment.millis().div_euclid(1000);
        let offset = jiff::Timestamp::from_millisecond(moment.millis())
            .map_or(0, |moment| i64::from(zone.to_offset(moment).seconds()));
        let shown = seconds.saturating_add(offset);
        let minute = shown.rem_euclid(86_400) / 60;
        Self {
            day: shown.div_euclid(86_400),
            minute: Minute(u16::try_from(minute).unwrap_or_default()),
        }
    }
}

/// Hours of each day in which nothing is told: from a minute until another,
/// over midnight where the second is the earlier one. The two differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    /// The first quiet minute.
    pub from: Minute,
    /// The first minute after them.
    pub until: Minute,
}

/// What the person chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Whether notifications are shown at all.
    pub notifications: bool,
    /// Until when they are held back once.
    pub paused_until: Option<Timestamp>,
    /// When they are held back every day.
    pub quiet: Option<QuietHours>,
    /// When the daily digest comes; `None`: never.
    pub digest_at: Option<Minute>,
    /// Brains of which nothing is told.
    pub muted: BTreeSet<BrainKey>,
}

impl Settings {
    /// When the digest comes unless the person chose: 9:00.
    pub const DIGEST_AT: Minute = Minute(9 * 60);
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            notifications: true,
            paused_until: None,
            quiet: None,
            digest_at: Some(Self::DIGEST_AT),
            muted: BTreeSet::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn zone(hours: i8) -> TimeZone {
        TimeZone::fixed(jiff::tz::offset(hours))
    }

    #[test]
    fn a_clock_shows_its_own_zones_day_and_minute() {
        let moment = Timestamp::parse("2026-12-01T23:30:00Z").unwrap();
        let utc = Local::at(moment, &TimeZone::UTC);
        assert_eq!(utc.minute.number(), 23 * 60 + 30);
        let berlin = Local::at(moment, &zone(1));
        assert_eq!(berlin.minute.number(), 30);
        assert_eq!(berlin.day, utc.day + 1);
        let denver = Local::at(moment, &zone(-7));
        assert_eq!(
            (denver.day, denver.minute.number()),
            (utc.day, 16 * 60 + 30)
        );
    }

    proptest! {
        #[test]
        fn every_moment_has_a_minute_of_a_day(millis: i64, hours in -12i8..=14) {
            let local = Local::at(Timestamp::from_millis(millis), &zone(hours));
            prop_assert!(local.minute.number() < Minute::IN_A_DAY);
        }
    }
}
