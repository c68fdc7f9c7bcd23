//! What the person chose, and what they are told outside the screens.

use super::Who;
use crate::shapes::Moment;
use crate::words::{BrainName, Timestamp, Topic, UnitId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the person chose. Minutes are those of their day: 0 is midnight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SettingsView {
    /// Whether notifications are shown at all.
    pub notifications: bool,
    /// Until when they are paused, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused_until: Option<Moment>,
    /// The first minute of the quiet hours; absent: there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet_from: Option<u16>,
    /// The first minute after them; before `quiet_from`, they last over midnight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet_until: Option<u16>,
    /// The minute of the daily digest; absent: it never comes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest_at: Option<u16>,
    /// Brains of which nothing is told, by name.
    pub muted: Vec<BrainName>,
}

/// How long notifications are paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pause {
    /// For an hour.
    Hour,
    /// Until 8:00 of the next morning: after midnight, of the same day.
    Tomorrow,
}

/// A setting that can be taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingsPart {
    /// The pause.
    Pause,
    /// The quiet hours.
    Quiet,
    /// The daily digest.
    Digest,
}

/// Input of a change of the settings: what is left out stays.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingsInput {
    /// Whether notifications are shown at all.
    #[serde(default)]
    pub notifications: Option<bool>,
    /// Pauses them from now.
    #[serde(default)]
    pub pause: Option<Pause>,
    /// The first minute of the quiet hours, 0-1439; with `quiet_until`.
    #[serde(default)]
    pub quiet_from: Option<u32>,
    /// The first minute after them, 0-1439; with `quiet_from`.
    #[serde(default)]
    pub quiet_until: Option<u32>,
    /// The minute of the daily digest, 0-1439.
    #[serde(default)]
    pub digest_at: Option<u32>,
    /// A brain of which nothing is told from now on.
    #[serde(default)]
    pub mute: Option<String>,
    /// A brain of which is told again.
    #[serde(default)]
    pub unmute: Option<String>,
    /// What is taken away.
    #[serde(default)]
    pub clear: Option<Vec<SettingsPart>>,
}

/// An open conflict as a notice names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConflictNotice {
    /// The unit.
    pub unit: UnitId,
    /// Its title.
    pub title: Option<String>,
    /// Its topic.
    pub topic: Topic,
    /// The name of its brain that people read.
    pub brain: String,
    /// Who displaced what was displaced last, without having seen it.
    pub by: Who,
    /// Who wrote that.
    pub displaced: Who,
    /// Whether it was displaced by a retirement.
    pub by_retired: bool,
    /// Whether what was displaced is one.
    pub displaced_retired: bool,
}

/// A daily digest: what became stale since the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    /// When that was, or when the counting began.
    pub since: Timestamp,
    /// How many calendar days ago, on the person's clock; 0: today.
    pub days: i64,
    /// How many units did.
    pub total: u32,
    /// Some of them, the latest first.
    pub units: Vec<DigestUnit>,
}

/// A unit as a digest names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigestUnit {
    /// Its title.
    pub title: Option<String>,
    /// Its topic.
    pub topic: Topic,
    /// The name of its brain that people read.
    pub brain: String,
}
