//! Policies of a brain, as the person sets them.

use crate::refusal::{Refusal, Result};
use crate::rules::wanted::{FRESH_FOR_DAYS, given};
use crate::views::brains::FreshnessRuleView;
use crate::words::{FreshnessRule, Thresholds, Topic};

/// The most freshness policies of a brain.
const MOST: usize = 200;

/// Checks freshness policies: days of aging below those of stale, each 1 to
/// [`FRESH_FOR_DAYS`], or never; one for each topic. The whole brain's comes
/// first, then by topic.
///
/// # Errors
/// `invalid` for what is not so; `too_large` past 200 policies; those of a
/// topic.
pub fn freshness_rules(given: &[FreshnessRuleView]) -> Result<Vec<FreshnessRule>> {
    if given.len() > MOST {
        return Err(Refusal::too_large(format!(
            "freshness has more than {MOST} policies."
        )));
    }
    let mut rules = given.iter().map(rule).collect::<Result<Vec<_>>>()?;
    rules.sort_by(|a, b| a.topic.cmp(&b.topic));
    if let Some([first, _]) = rules.windows(2).find(|pair| pair[0].topic == pair[1].topic) {
        let what = first
            .topic
            .as_ref()
            .map_or("the whole brain".to_owned(), |topic| format!("`{topic}`"));
        return Err(Refusal::invalid(format!(
            "freshness has two policies for {what}. Keep one."
        )));
    }
    Ok(rules)
}

/// Whether new policies say of something that it never ages, of which the old
/// did not.
pub fn says_never(old: &[FreshnessRule], new: &[FreshnessRule]) -> bool {
    new.iter()
        .any(|rule| rule.thresholds == Thresholds::Never && !old.contains(rule))
}

fn rule(rule: &FreshnessRuleView) -> Result<FreshnessRule> {
    let topic = given(rule.topic.as_deref()).map(Topic::parse).transpose()?;
    let never = rule.never == Some(true);
    let thresholds = match (rule.aging, rule.stale) {
        (None, None) if never => Thresholds::Never,
        (Some(aging), Some(stale)) if !never => {
            let days = 1..=FRESH_FOR_DAYS;
            if !days.contains(&aging) || !days.contains(&stale) || aging >= stale {
                return Err(Refusal::invalid(format!(
                    "A freshness policy has fewer days until aging than until stale, each 1 to \
                     {FRESH_FOR_DAYS}."
                )));
            }
            Thresholds::Days { aging, stale }
        }
        _ => {
            return Err(Refusal::invalid(
                "A freshness policy has `aging` and `stale` in days, or `never: true`.",
            ));
        }
    };
    Ok(FreshnessRule { topic, thresholds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;
    use proptest::prelude::*;

    fn days(topic: Option<&str>, aging: u32, stale: u32) -> FreshnessRuleView {
        FreshnessRuleView {
            topic: topic.map(Into::into),
            aging: Some(aging),
            stale: Some(stale),
            never: None,
        }
    }

    #[test]
    fn the_whole_brain_comes_first_and_each_topic_once() {
        let never = FreshnessRuleView {
            topic: Some("Voice".into()),
            aging: None,
            stale: None,
            never: Some(true),
        };
        let rules = freshness_rules(&[never.clone(), days(None, 7, 30)]).unwrap();
        assert_eq!(rules[0].topic, None);
        assert_eq!(rules[1].thresholds, Thresholds::Never);
        let twice = freshness_rules(&[never, days(Some("voice"), 1, 2)]).unwrap_err();
        assert_eq!(twice.code, Code::Invalid);
        assert!(twice.message.contains("`voice`"));
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        let half = FreshnessRuleView {
            stale: None,
            ..days(None, 1, 2)
        };
        let both = FreshnessRuleView {
            never: Some(true),
            ..days(None, 1, 2)
        };
        let neither = FreshnessRuleView {
            aging: None,
            stale: None,
            ..days(None, 1, 2)
        };
        for bad in [half, both, neither, days(None, 2, 2), days(None, 0, 9)] {
            assert_eq!(freshness_rules(&[bad]).unwrap_err().code, Code::Invalid);
        }
    }

    proptest! {
        #[test]
        fn what_is_accepted_reads_back(aging in 0_u32..4000, stale in 0_u32..4000) {
            let rule = days(Some("a/b"), aging, stale);
            match freshness_rules(std::slice::from_ref(&rule)) {
                Ok(rules) => {
                    prop_assert!(0 < aging && aging < stale && stale <= FRESH_FOR_DAYS);
                    prop_assert_eq!(FreshnessRuleView::from(&rules[0]), rule);
                }
                Err(_) => prop_assert!(aging == 0 || aging >= stale || stale > FRESH_FOR_DAYS),
            }
        }
    }
}
