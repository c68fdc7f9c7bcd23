//! Freshness: computed from an anchor and a policy. Reads never move it.

use crate::words::{Ages, Freshness, FreshnessRule, Thresholds, Timestamp, Topic};

/// A unit that sets its own aging threshold is stale at this many times it.
const STALE_FACTOR: i64 = 3;

/// The thresholds of a unit: its own, else the longest matching topic rule's,
/// else the brain's, else the default.
pub fn thresholds(
    fresh_for_days: Option<u32>,
    topic: &Topic,
    rules: &[FreshnessRule],
) -> Thresholds {
    if let Some(days) = fresh_for_days {
        let stale = u32::try_from(i64::from(days) * STALE_FACTOR).unwrap_or(u32::MAX);
        return Thresholds::Days { aging: days, stale };
    }
    rules
        .iter()
        .filter(|rule| {
            rule.topic
                .as_ref()
                .is_none_or(|prefix| topic.is_within(prefix))
        })
        .max_by_key(|rule| {
            rule.topic
                .as_ref()
                .map_or(0, |prefix| prefix.as_str().len())
        })
        .map_or(Thresholds::DEFAULT, |rule| rule.thresholds)
}

/// When a unit with this anchor turns aging and stale.
pub fn ages(anchor: Timestamp, thresholds: Thresholds) -> Ages {
    match thresholds {
        Thresholds::Never => Ages {
            aging_at: Timestamp::NEVER,
            stale_at: Timestamp::NEVER,
        },
        Thresholds::Days { aging, stale } => {
            let aging_at = anchor.plus_days(i64::from(aging));
            Ages {
                aging_at,
                stale_at: anchor.plus_days(i64::from(stale)).max(aging_at),
            }
        }
    }
}

/// How fresh a unit of these ages is now.
pub fn freshness(ages: Ages, now: Timestamp) -> Freshness {
    if now >= ages.stale_at {
        Freshness::Stale
    } else if now >= ages.aging_at {
        Freshness::Aging
    } else {
        Freshness::Fresh
    }
}

/// The anchor that a text observed at a moment gets: a moment to come counts
/// as now, and none said means now.
pub fn anchor(observed_at: Option<Timestamp>, now: Timestamp) -> Timestamp {
    observed_at.map_or(now, |at| at.min(now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn topic(text: &str) -> Topic {
        Topic::parse(text).unwrap()
    }

    fn rule(prefix: Option<&str>, aging: u32) -> FreshnessRule {
        FreshnessRule {
            topic: prefix.map(topic),
            thresholds: Thresholds::Days {
                aging,
                stale: aging * 2,
            },
        }
    }

    #[test]
    fn the_nearest_policy_holds() {
        let rules = [
            rule(None, 1),
            rule(Some("clients"), 2),
            rule(Some("clients/meridian"), 3),
        ];
        let aging = |own, at: &str| match thresholds(own, &topic(at), &rules) {
            Thresholds::Days { aging, .. } => aging,
            Thresholds::Never => 0,
        };
        assert_eq!(aging(Some(9), "clients/meridian"), 9);
        assert_eq!(aging(None, "clients/meridian/ceo"), 3);
        assert_eq!(aging(None, "clients/acme"), 2);
        assert_eq!(aging(None, "clients-old"), 1);
        assert_eq!(thresholds(None, &topic("x"), &[]), Thresholds::DEFAULT);
    }

    #[test]
    fn the_default_ages_after_14_days_and_is_stale_after_45() {
        let ages = ages(Timestamp::from_millis(0), Thresholds::DEFAULT);
        let on = |days: i64| freshness(ages, Timestamp::from_millis(0).plus_days(days));
        assert_eq!([on(0), on(13), on(14), on(44), on(45)], {
            use Freshness::{Aging, Fresh, Stale};
            [Fresh, Fresh, Aging, Aging, Stale]
        });
    }

    proptest! {
        #[test]
        fn a_unit_never_grows_younger_by_waiting(anchor in 0i64..4_000_000_000_000, days in 0u32..4000, waits in proptest::collection::vec(0i64..900_000_000_000, 1..8)) {
            let ages = ages(Timestamp::from_millis(anchor), thresholds(Some(days), &topic("x"), &[]));
            let mut now = anchor;
            let mut before = Freshness::Fresh;
            for wait in waits {
                now += wait;
                let after = freshness(ages, Timestamp::from_millis(now));
                prop_assert!(after >= before);
                before = after;
            }
        }

        #[test]
        fn a_moment_to_come_counts_as_now(observed: i64, now: i64) {
            let anchor = anchor(Some(Timestamp::from_millis(observed)), Timestamp::from_millis(now));
            prop_assert!(anchor.millis() <= now);
        }

        #[test]
        fn what_never_ages_is_always_fresh(anchor: i64, now in i64::MIN..i64::MAX) {
            let ages = ages(Timestamp::from_millis(anchor), Thresholds::Never);
            prop_assert_eq!(freshness(ages, Timestamp::from_millis(now)), Freshness::Fresh);
        }
    }
}
