//! Brains.

use super::Topic;
use crate::refusal::{Refusal, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a store tells brains apart, inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BrainKey(pub i64);

/// The short name used as an argument everywhere (`personal`, `team`): 1 to 40
/// of lower-case letters, digits and `-`.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
#[schemars(inline)]
pub struct BrainName(String);

impl BrainName {
    /// The brain that a first start makes.
    pub fn personal() -> Self {
        Self("personal".into())
    }

    /// Checks a name for a new brain.
    ///
    /// # Errors
    /// `invalid` if it is not a short name.
    pub fn parse(text: &str) -> Result<Self> {
        let plain = text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if !plain || text.is_empty() || text.len() > 40 || text.starts_with('-') {
            return Err(Refusal::invalid(
                "A brain's name has 1 to 40 characters: a-z, 0-9 and `-`, not `-` first. \
                 For example: team, q3-launch.",
            ));
        }
        Ok(Self(text.into()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BrainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whose knowledge a brain holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BrainKind {
    /// One person's; it stays on this computer.
    Personal,
    /// A team's.
    Shared,
}

impl BrainKind {
    /// `personal` or `shared`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Personal => "personal",
            Self::Shared => "shared",
        }
    }

    /// Reads the word. `None` if it is neither.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Personal, Self::Shared]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// Who may write a shared brain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WritePolicy {
    /// Whoever has a write grant.
    Open,
    /// The person, and connections that they mark.
    Owners,
    /// Agents' writes wait as proposals.
    Review,
}

impl WritePolicy {
    /// `open`, `owners` or `review`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Owners => "owners",
            Self::Review => "review",
        }
    }

    /// Reads the word. `None` if it is none of them.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Open, Self::Owners, Self::Review]
            .into_iter()
            .find(|policy| policy.as_str() == text)
    }
}

/// After how many days a unit ages and goes stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thresholds {
    /// It ages after `aging` days and is stale after `stale` days.
    Days {
        /// Days until aging.
        aging: u32,
        /// Days until stale.
        stale: u32,
    },
    /// It never ages. Only the person sets this.
    Never,
}

impl Thresholds {
    /// Aging after 14 days, stale after 45.
    pub const DEFAULT: Self = Self::Days {
        aging: 14,
        stale: 45,
    };
}

/// A brain's freshness policy for a topic and what lies below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreshnessRule {
    /// The topic; `None` means the whole brain.
    pub topic: Option<Topic>,
    /// What holds there.
    pub thresholds: Thresholds,
}

/// A named store of units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brain {
    /// The store's key.
    pub key: BrainKey,
    /// The short name.
    pub name: BrainName,
    /// Tokens of the short name, for budgets.
    pub name_tokens: u32,
    /// The name that people read.
    pub title: String,
    /// Personal or shared.
    pub kind: BrainKind,
    /// Who may write.
    pub write_policy: WritePolicy,
    /// Freshness policies by topic.
    pub freshness_rules: Vec<FreshnessRule>,
}
