//! Brains and their policies.

use crate::words::{self, BrainKind, BrainName, Grant, Thresholds, Topic, WritePolicy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The brains that the caller may read.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BrainsView {
    /// By name.
    pub brains: Vec<BrainView>,
}

/// A brain, with what its settings show.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BrainView {
    /// The short name: the argument.
    pub brain: BrainName,
    /// The name that people read.
    pub name: String,
    /// Personal or shared.
    pub kind: BrainKind,
    /// What the caller may do.
    pub grant: Grant,
    /// Who may write.
    pub write_policy: WritePolicy,
    /// Units that are not retired.
    pub units: u32,
    /// Of these, aging.
    pub aging: u32,
    /// Of these, stale.
    pub stale: u32,
    /// Units with an open conflict.
    pub conflicted: u32,
    /// Retired units.
    pub retired: u32,
    /// Open proposals.
    pub proposals: u32,
    /// The freshness policies, the whole brain's first, then by topic.
    pub freshness: Vec<FreshnessRuleView>,
    /// What holds in the whole brain, where no topic's policy and no unit says
    /// otherwise: its own policy, or what holds where there is none.
    pub ages: FreshnessRuleView,
}

/// After how many days the units of a brain, or of a topic and what lies below
/// it, age and go stale; or that they never do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FreshnessRule")]
pub struct FreshnessRuleView {
    /// The topic; absent: the whole brain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// Days until aging, 1-3650.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aging: Option<u32>,
    /// Days until stale, more than `aging`, at most 3650.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale: Option<u32>,
    /// True instead of days: they never age.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub never: Option<bool>,
}

impl From<&words::FreshnessRule> for FreshnessRuleView {
    fn from(rule: &words::FreshnessRule) -> Self {
        let topic = rule.topic.as_ref().map(Topic::to_string);
        match rule.thresholds {
            Thresholds::Days { aging, stale } => Self {
                topic,
                aging: Some(aging),
                stale: Some(stale),
                never: None,
            },
            Thresholds::Never => Self {
                topic,
                aging: None,
                stale: None,
                never: Some(true),
            },
        }
    }
}

/// Input of a change of a brain's settings: what is left out stays.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateBrainInput {
    /// The name that people read.
    #[serde(default)]
    pub name: Option<String>,
    /// Who may write.
    #[serde(default)]
    pub write_policy: Option<WritePolicy>,
    /// The freshness policies, all of them.
    #[serde(default)]
    pub freshness: Option<Vec<FreshnessRuleView>>,
}
