//! Signing in: how long a link and a tab are good for.

use crate::ports::{SignIn, Tab};
use crate::words::Timestamp;

/// How long a link can be exchanged, in milliseconds.
pub const LINK_LASTS: i64 = 2 * 60 * 1000;

/// Days without a call after which a tab is signed out.
pub const TAB_LASTS_DAYS: i64 = 30;

/// After so many milliseconds a tab's last call is written down again: often
/// enough for a limit of days, and seldom enough to cost nothing.
const RENEWED_EVERY: i64 = 60 * 60 * 1000;

/// Whether a link can still be exchanged. A moment to come counts as now.
pub fn link_holds(sign_in: &SignIn, now: Timestamp) -> bool {
    now.millis().saturating_sub(sign_in.at.millis()) < LINK_LASTS
}

/// Until when a tab is signed in, if nothing is called from it.
pub fn tab_ends(tab: &Tab) -> Timestamp {
    tab.used_at.plus_days(TAB_LASTS_DAYS)
}

/// Whether a tab is still signed in.
pub fn tab_holds(tab: &Tab, now: Timestamp) -> bool {
    now < tab_ends(tab)
}

/// Whether a call from a tab has to be written down.
pub fn tab_is_renewed(tab: &Tab, now: Timestamp) -> bool {
    now.millis().saturating_sub(tab.used_at.millis()) >= RENEWED_EVERY
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn later(millis: i64) -> Timestamp {
        Timestamp::from_millis(NOW.millis() + millis)
    }

    #[test]
    fn a_link_lasts_two_minutes() {
        let link = SignIn {
            token_hash: [0; 32],
            at: NOW,
        };
        for (passed, holds) in [(-5_000, true), (0, true), (119_999, true), (120_000, false)] {
            assert_eq!(link_holds(&link, later(passed)), holds, "{passed}");
        }
    }

    #[test]
    fn a_tab_lasts_thirty_days_after_its_last_call() {
        let tab = Tab {
            id: "tab".into(),
            bearer_hash: [0; 32],
            began: 0,
            created_at: NOW,
            used_at: NOW,
        };
        assert!(tab_holds(&tab, later(30 * 24 * 60 * 60 * 1000 - 1)));
        assert!(!tab_holds(&tab, NOW.plus_days(30)));
        assert!(!tab_is_renewed(&tab, later(3_599_999)));
        assert!(tab_is_renewed(&tab, later(3_600_000)));
    }
}
