//! Moments.

use std::fmt;

/// A moment: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Timestamp(i64);

/// Milliseconds in a day.
const DAY: i64 = 86_400_000;

impl Timestamp {
    /// Later than every moment: when something never happens.
    pub const NEVER: Self = Self(i64::MAX);

    /// A moment from milliseconds since 1970.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// This moment moved by whole days, held within what can be counted.
    pub const fn plus_days(self, days: i64) -> Self {
        Self(self.0.saturating_add(days.saturating_mul(DAY)))
    }

    /// This moment moved by milliseconds, held within what can be counted.
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Days (with their fraction) from `earlier` to this moment.
    pub fn days_since(self, earlier: Self) -> f64 {
        (self.0.saturating_sub(earlier.0)) as f64 / DAY as f64
    }

    /// Reads RFC 3339 with any offset, or a date alone (midnight UTC). `None`
    /// for anything else, a time without an offset included: it names no
    /// moment.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(moment) = text.parse::<jiff::Timestamp>() {
            return Some(Self(moment.as_millisecond()));
        }
        if text.len() != "2026-07-28".len() {
            return None;
        }
        let midnight = format!("{text}T00:00:00Z")
            .parse::<jiff::Timestamp>()
            .ok()?;
        Some(Self(midnight.as_millisecond()))
    }
}

/// RFC 3339 in UTC with `Z`, milliseconds only where they are not zero.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => write!(f, "{moment}"),
            Err(_) => f.write_str(if self.0 < 0 {
                "-009999-01-02T01:59:59Z"
            } else {
                "9999-12-30T22:00:00Z"
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn offsets_are_read_and_utc_is_written() {
        let moment = Timestamp::parse("2026-07-28T14:00:00+02:00").unwrap();
        assert_eq!(moment.to_string(), "2026-07-28T12:00:00Z");
        assert_eq!(
            Timestamp::parse("2026-07-28").unwrap().to_string(),
            "2026-07-28T00:00:00Z"
        );
    }

    #[test]
    fn a_time_without_an_offset_is_no_moment() {
        for text in [
            "2026-07-28T14:00:00",
            "14:00",
            "yesterday",
            "",
            "2026-13-01",
            "1751328000",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(millis in -62_135_596_800_000i64..253_402_207_200_000) {
            let moment = Timestamp::from_millis(millis);
            prop_assert_eq!(Timestamp::parse(&moment.to_string()), Some(moment));
        }

        #[test]
        fn any_moment_can_be_written(millis: i64) {
            prop_assert!(!Timestamp::from_millis(millis).to_string().is_empty());
        }
    }
}
