//! What agents and the person did, and how things stand.

use super::Who;
use super::inbox::WaitingCounts;
use crate::shapes::Moment;
use crate::words::{BrainName, EventId, EventKind, Topic, UnitId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the store stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StateView {
    /// What the store is told apart by.
    pub store: String,
    /// The program's version.
    pub version: String,
    /// The newest event: what the stream of changes goes on from.
    pub event: EventId,
    /// Connections that are not revoked.
    pub connections: u32,
    /// When a test write last succeeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrote_at: Option<Moment>,
    /// How much waits of each kind.
    pub counts: WaitingCounts,
}

/// Input of the activity.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActivityInput {
    /// Only this brain.
    #[serde(default)]
    pub brain: Option<String>,
    /// Only this connection.
    #[serde(default)]
    pub connection: Option<String>,
    /// Only what happened before this event.
    #[serde(default)]
    pub before: Option<EventId>,
    /// 1-200, 50 unless told.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A page of the activity.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ActivityView {
    /// Newest first.
    pub events: Vec<ActivityRow>,
    /// Whether there is more before the last.
    pub more: bool,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ActivityRow {
    /// Its place in the store's order.
    pub event: EventId,
    /// What happened.
    pub kind: EventKind,
    /// When.
    pub at: Moment,
    /// Who.
    pub agent: Who,
    /// The brain it happened in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brain: Option<BrainName>,
    /// The unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<UnitId>,
    /// The topic in which the unit stands now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topic: Option<Topic>,
    /// The title that the unit has now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The revision it made or spoke of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// What the person decided, why a unit was retired, or which connection
    /// or brain it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// The client it is about: its short name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_name: Option<String>,
    /// The connection that a client was given, or that called first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connection: Option<String>,
}
