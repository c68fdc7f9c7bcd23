//! Proposals as the person sees and settles them.

use super::{BaseView, ContentView, Who};
use crate::shapes::Moment;
use crate::words::{BrainName, Field, ProposalId, ProposalKind, ProposalReason, UnitId};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// An open proposal, with the unit as it stands now.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProposalView {
    /// The proposal.
    pub id: ProposalId,
    /// A write or a retire.
    pub kind: ProposalKind,
    /// The brain's short name.
    pub brain: BrainName,
    /// The unit; absent: a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<UnitId>,
    /// Its author.
    pub agent: Who,
    /// When it was made.
    pub at: Moment,
    /// Why it waits.
    pub reason: ProposalReason,
    /// Why the agent retires the unit, if it said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What would stand after accepting it as it is; for a retire, what stands.
    pub content: ContentView,
    /// What would change; for a new unit, what is said.
    pub changed: Vec<Field>,
    /// What its author had seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<BaseView>,
    /// The unit's head now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<HeadView>,
    /// Whether the head is not what its author had seen.
    pub moved: bool,
}

/// A unit's head.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HeadView {
    /// Its number.
    pub revision: u32,
    /// What it says; of a retirement, what it retired.
    pub content: ContentView,
    /// Whether the unit is retired.
    pub retired: bool,
    /// Who wrote it.
    pub agent: Who,
    /// When.
    pub at: Moment,
}

/// Accepts a proposal. Fields that are given replace the proposed ones.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptInput {
    /// The proposal.
    pub id: ProposalId,
    /// The head that the person was shown; null: no unit.
    #[serde(deserialize_with = "told")]
    #[schemars(with = "Shown")]
    pub revision: Option<u32>,
    /// Another topic.
    #[serde(default)]
    pub topic: Option<String>,
    /// Another title.
    #[serde(default)]
    pub title: Option<String>,
    /// Another text.
    #[serde(default)]
    pub body: Option<String>,
    /// Other tags.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// Another source.
    #[serde(default)]
    pub source: Option<String>,
    /// Fields that become empty: title, source, `fresh_for_days`.
    #[serde(default)]
    pub clear: Option<Vec<Field>>,
}

/// Reads what must be said, be it null.
fn told<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    Option::deserialize(from)
}

/// A revision's number, or null where there is none.
struct Shown;

impl JsonSchema for Shown {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Shown".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["integer", "null"], "minimum": 1 })
    }
}

/// What an accept did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AcceptOutcome {
    /// It stands now.
    Accepted,
    /// The head is not the one that was shown: nothing changed.
    Moved,
}

/// Reply to an accept.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AcceptReply {
    /// What it did.
    pub outcome: AcceptOutcome,
    /// The unit, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its head now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// The act.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u64>,
}

/// Rejects a proposal.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RejectInput {
    /// The proposal.
    pub id: ProposalId,
    /// Why: for the agent to read in the unit's history. A proposed new unit has
    /// none, so there it stands in the activity alone.
    #[serde(default)]
    pub reason: Option<String>,
}

/// What a reject did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RejectOutcome {
    /// It waits no longer.
    Rejected,
}

/// Reply to a reject.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RejectReply {
    /// What it did.
    pub outcome: RejectOutcome,
    /// The act.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u64>,
}
