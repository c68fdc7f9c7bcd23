//! A unit's history.

use super::Who;
use crate::shapes::Moment;
use crate::words::{EventId, EventKind, Field, ProposalId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Input of a unit's history.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitHistoryInput {
    /// Only what happened before this event.
    #[serde(default)]
    pub before: Option<EventId>,
    /// 1-100, 50 unless told.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A page of a unit's history.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HistoryView {
    /// Newest first.
    pub entries: Vec<HistoryEntry>,
    /// Whether there is more before the last.
    pub more: bool,
}

/// Which of two texts was erased.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ErasedText {
    /// That of the revision which the event made.
    Its,
    /// That of the one before.
    Before,
}

/// One line of a unit's history.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HistoryEntry {
    /// The event: what `undo` takes.
    pub event: EventId,
    /// When.
    pub at: Moment,
    /// Who.
    pub agent: Who,
    /// Who wrote the revision that it made, where that is someone else: the
    /// agent whose proposal was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<Who>,
    /// What happened.
    pub kind: EventKind,
    /// The revision it made or spoke of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// What the person decided, or why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// What the revision it made changed against the one before; empty where
    /// it made none, and where nobody can know.
    pub changed: Vec<Field>,
    /// Which text was erased, so that nobody can know what it changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erased: Option<ErasedText>,
    /// Of a rejected proposal: its text is kept, and `erase` takes this. The
    /// person alone is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ProposalId>,
    /// Where the tags changed: those that came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags_added: Vec<String>,
    /// Where the tags changed: those that went.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags_removed: Vec<String>,
    /// Where the body changed: the old one around the first difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Where the body changed: the new one around the first difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Whether `undo` of this event would be carried out now.
    pub undoable: bool,
}
