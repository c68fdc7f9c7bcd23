//! What waits for the person.

use super::Who;
use super::units::{UnitRow, VouchedView};
use crate::shapes::Moment;
use crate::words::{BrainName, EventId, EventKind, Field, ProposalId, Timestamp, Topic, UnitId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a proposal would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Proposed {
    /// A new text.
    Write,
    /// A retirement.
    Retire,
}

/// What an agent did in the person's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Decided {
    /// It settled a conflict.
    Resolved,
    /// It said that the fact still holds.
    Confirmed,
    /// It said that the fact changed, and what holds now.
    Changed,
}

/// One thing that waits for the person.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum InboxItem {
    /// A conflict is open.
    Conflict {
        /// When its head was written.
        at: Moment,
        /// The unit.
        unit: Box<UnitRow>,
        /// What `resolve` must name.
        version: u32,
        /// How many revisions were displaced.
        sides: u32,
        /// The fields in dispute.
        disputed: Vec<Field>,
        /// Who wrote the head.
        head: Who,
        /// Who wrote the newest displaced revision.
        displaced: Who,
        /// The head.
        head_revision: u32,
        /// The newest displaced revision.
        displaced_revision: u32,
        /// The revision that displaced it: the head, or one beneath it.
        displacer_revision: u32,
        /// The head around the first difference; empty for a retirement.
        head_text: String,
        /// The displaced revision around it; empty for a retirement.
        displaced_text: String,
    },
    /// An agent's write waits.
    Proposal {
        /// When it was made.
        at: Moment,
        /// The proposal.
        proposal: u64,
        /// What it would do.
        what: Proposed,
        /// Its brain.
        brain: BrainName,
        /// Its topic.
        topic: Topic,
        /// Its title.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The unit; absent: a new one.
        #[serde(skip_serializing_if = "Option::is_none")]
        unit: Option<UnitId>,
        /// Who proposed it.
        agent: Who,
        /// What it would change.
        changed: Vec<Field>,
        /// The beginning of the proposed body, at most 160 characters.
        text: String,
        /// Whether the head is not what the agent had seen.
        moved: bool,
    },
    /// An agent settled something in the person's name.
    Decision {
        /// When.
        at: Moment,
        /// The unit.
        unit: Box<UnitRow>,
        /// The event: what `undo` and `dismiss` take.
        event: EventId,
        /// Who.
        agent: Who,
        /// What it did in the person's name.
        act: Decided,
        /// What the person said, where the agent quoted it.
        #[serde(skip_serializing_if = "Option::is_none")]
        decision: Option<String>,
    },
    /// Something that the person should know.
    Problem {
        /// When.
        at: Moment,
        /// The event: what `dismiss` takes.
        event: EventId,
        /// Which problem: `new_connection`, or of a client's entry
        /// `client_gone`, `client_outdated`, `client_other_store`.
        code: String,
        /// It in plain words.
        message: String,
        /// The connection it is about.
        #[serde(skip_serializing_if = "Option::is_none")]
        connection: Option<String>,
        /// The client it is about: connecting it again mends it.
        #[serde(skip_serializing_if = "Option::is_none")]
        client: Option<String>,
        /// That client's name for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A fact that agents read while it was aging.
    Aging {
        /// When it turned aging.
        at: Moment,
        /// The unit.
        unit: Box<UnitRow>,
        /// Who last said that it holds; absent: that is not known any more.
        #[serde(skip_serializing_if = "Option::is_none")]
        vouched: Option<VouchedView>,
        /// How often agents read it since.
        reads: u32,
        /// Which connections, most reads first.
        readers: Vec<String>,
    },
}

/// Which part of the Inbox is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum InboxKind {
    /// Open conflicts.
    Conflict,
    /// Open proposals.
    Proposal,
    /// What was settled in the person's name.
    Decision,
    /// Problems.
    Problem,
    /// Aging facts that agents read.
    #[serde(alias = "freshness")]
    Aging,
}

/// Input of the Inbox.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InboxInput {
    /// Only this kind; `freshness` is another word for `aging`.
    #[serde(default)]
    pub kind: Option<InboxKind>,
    /// How many to pass over.
    #[serde(default)]
    pub offset: u32,
    /// 1-200, 50 unless told.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// How much waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Waiting")]
pub struct WaitingCounts {
    /// Open conflicts.
    pub conflicts: u32,
    /// Open proposals.
    pub proposals: u32,
    /// What was settled in the person's name and not put away.
    pub decisions: u32,
    /// Problems that were not put away.
    pub problems: u32,
    /// Aging facts that the Inbox shows today.
    pub aging: u32,
    /// All aging and stale units that are not put off.
    pub review: u32,
}

impl InboxItem {
    /// Since when it waits.
    pub fn at(&self) -> Timestamp {
        let (Self::Conflict { at, .. }
        | Self::Proposal { at, .. }
        | Self::Decision { at, .. }
        | Self::Problem { at, .. }
        | Self::Aging { at, .. }) = self;
        at.0
    }
}

/// A page of the Inbox.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InboxView {
    /// The page: conflicts, proposals, decisions, problems, aging facts.
    pub items: Vec<InboxItem>,
    /// How many there are without paging, of the kind that was asked for.
    pub total: u32,
    /// How much waits of each kind.
    pub counts: WaitingCounts,
    /// What the person did today, newest first, at most 20. An act of today that
    /// was undone is one line with its undo.
    pub settled: Vec<Settled>,
}

/// What waits, at a glance.
#[derive(Debug, Clone, PartialEq)]
pub struct NewestView {
    /// How much waits of each kind.
    pub counts: WaitingCounts,
    /// The newest of all kinds together, newest first.
    pub items: Vec<InboxItem>,
}

/// Something that the person did today.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Settled {
    /// The event: what `undo` takes.
    pub event: EventId,
    /// What they did.
    pub kind: EventKind,
    /// When.
    pub at: Moment,
    /// The unit, as it stands now. Absent for what changed none that is there: a
    /// rejected new unit, and what was done about a connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<UnitRow>,
    /// Of a rejected proposal: its text is kept, and `erase` takes this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<ProposalId>,
    /// Of a rejected new unit: the brain that it was proposed for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brain: Option<BrainName>,
    /// Of a rejected new unit, while its text is kept: its topic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topic: Option<Topic>,
    /// Of a rejected new unit, while its text is kept: its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The connection that it was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connection: Option<String>,
    /// The revision it made or spoke of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Of an undo: the event that it took back, of an earlier day or by another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undid: Option<EventId>,
    /// When it was undone, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_at: Option<Moment>,
    /// Whether `undo` of this event would be carried out now.
    pub undoable: bool,
}

/// Input of the review deck.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewInput {
    /// How many to pass over.
    #[serde(default)]
    pub offset: u32,
    /// 1-200, 50 unless told.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A part of the review deck.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReviewView {
    /// Most read since they turned aging first, then the oldest anchor.
    pub cards: Vec<ReviewCard>,
    /// How many there are without paging.
    pub total: u32,
}

/// A card of the review deck.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReviewCard {
    /// The unit.
    #[serde(flatten)]
    pub unit: UnitRow,
    /// How often agents read it since it turned aging.
    pub reads: u32,
    /// Which connections, most reads first.
    pub readers: Vec<String>,
}

/// Input of `dismiss`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DismissInput {
    /// The decision's or problem's event.
    pub event: EventId,
}

/// What a dismiss did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum DismissOutcome {
    /// It is put away.
    Dismissed,
}

/// Reply of `dismiss`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DismissReply {
    /// What it did.
    pub outcome: DismissOutcome,
    /// The event that put it away. Absent where it was put away before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<EventId>,
}
