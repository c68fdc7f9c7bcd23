//! Units and their revisions.

use super::{Agent, BrainKey, EventId, Timestamp, Topic, UnitId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A field that a write can supply.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// The topic (with an id: a move).
    Topic,
    /// The title (with an id: a move).
    Title,
    /// The body.
    Body,
    /// The tags.
    Tags,
    /// Where to ask again.
    Source,
    /// The unit's own aging threshold.
    FreshForDays,
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 6] = [
        Self::Topic,
        Self::Title,
        Self::Body,
        Self::Tags,
        Self::Source,
        Self::FreshForDays,
    ];

    /// The field's name in the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Topic => "topic",
            Self::Title => "title",
            Self::Body => "body",
            Self::Tags => "tags",
            Self::Source => "source",
            Self::FreshForDays => "fresh_for_days",
        }
    }

    /// Reads a field's name. `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.as_str() == text)
    }
}

/// What a revision says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Where it stands.
    pub topic: Topic,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Markdown, NFC, `\n` line ends, trimmed.
    pub body: String,
    /// Labels and words that someone may ask with, each once.
    pub tags: Vec<String>,
    /// Where to ask again.
    pub source: Option<String>,
    /// Days until it ages (stale at three times that).
    pub fresh_for_days: Option<u32>,
}

/// What a writer had seen when it wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Base {
    /// The revision.
    pub revision: u32,
    /// When it was delivered to the writer.
    pub delivered_at: Timestamp,
}

/// How a revision came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The unit's first revision.
    Created,
    /// It displaced nothing unseen.
    Updated,
    /// It displaced something its writer had never seen.
    Conflicted,
    /// It settled a conflict.
    Resolved,
    /// It took the unit out of routing.
    Retired,
    /// It took an act back.
    Undone,
    /// It is what another unit said that was joined into this one.
    Joined,
    /// It was a proposal that the person accepted.
    Accepted,
}

impl Outcome {
    /// The outcome's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Conflicted => "conflicted",
            Self::Resolved => "resolved",
            Self::Retired => "retired",
            Self::Undone => "undone",
            Self::Joined => "joined",
            Self::Accepted => "accepted",
        }
    }

    /// Reads the word. `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        [
            Self::Created,
            Self::Updated,
            Self::Conflicted,
            Self::Resolved,
            Self::Retired,
            Self::Undone,
            Self::Joined,
            Self::Accepted,
        ]
        .into_iter()
        .find(|outcome| outcome.as_str() == text)
    }
}

/// One immutable version of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// 1, 2, 3… within the unit.
    pub number: u32,
    /// What it says. A retirement keeps what it retired.
    pub content: Content,
    /// Tokens of the body as a JSON string.
    pub tokens: u32,
    /// Whether it takes the unit out of routing.
    pub retired: bool,
    /// How it came to be.
    pub outcome: Outcome,
    /// Who wrote it.
    pub agent: Agent,
    /// When.
    pub at: Timestamp,
    /// The event that recorded it: its place in the store's order. 0 until
    /// stored.
    pub event: EventId,
    /// What its writer had seen, where that is known.
    pub base: Option<Base>,
    /// Whether its writer knew the whole body: it wrote it, or had seen the
    /// revision beneath. A re-tag of an unread unit does not.
    pub whole: bool,
    /// The revisions it settles, for a resolve; else empty.
    pub parents: Vec<u32>,
    /// When the fact was seen to hold, if the writer said.
    pub observed_at: Option<Timestamp>,
    /// Whether the person erased what it said: then it says nothing.
    pub erased: bool,
}

/// A displaced revision on an open conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// The revision that was displaced.
    pub revision: Revision,
    /// The fields in which it was displaced unseen.
    pub disputed: Vec<Field>,
}

/// The last confirm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmed {
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: Agent,
}

/// When a unit turns aging and stale. [`Timestamp::NEVER`] where it never does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ages {
    /// From when it is aging.
    pub aging_at: Timestamp,
    /// From when it is stale.
    pub stale_at: Timestamp,
}

/// How far a unit can be trusted by its age.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Freshness {
    /// It was confirmed or written lately.
    Fresh,
    /// It should be confirmed.
    Aging,
    /// It may no longer hold.
    Stale,
}

impl Freshness {
    /// The freshness's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Aging => "aging",
            Self::Stale => "stale",
        }
    }
}

/// Token counts made at write time, so that reading loads no tokeniser.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Measures {
    /// Tokens of the id.
    pub id: u32,
    /// Tokens of the topic as a JSON string.
    pub topic: u32,
    /// Tokens of the title as a JSON string (0 without one).
    pub title: u32,
    /// The body's snippets, cut and counted.
    pub pieces: Vec<crate::text::Piece>,
}

/// A unit as it stands: its head, its open conflict, its age.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its id.
    pub id: UnitId,
    /// The brain it lives in.
    pub brain: BrainKey,
    /// When its first revision was written.
    pub created_at: Timestamp,
    /// The current revision.
    pub head: Revision,
    /// Counts every change of head or sides; never repeats within the unit.
    pub version: u32,
    /// The displaced revisions of the open conflict, oldest first; empty
    /// without one.
    pub sides: Vec<Side>,
    /// From when its age counts.
    pub anchor: Timestamp,
    /// When it turns aging and stale, from the anchor and the policies.
    pub ages: Ages,
    /// The last confirm of the head.
    pub confirmed: Option<Confirmed>,
    /// Until when the person does not want to be asked whether it holds.
    pub later_until: Option<Timestamp>,
    /// Token counts of the head.
    pub measures: Measures,
}

impl Unit {
    /// Whether a conflict is open.
    pub fn conflicted(&self) -> bool {
        !self.sides.is_empty()
    }

    /// The number of the revision that displaced the newest side: the one that
    /// came after it. The head may be a later one, which displaced nothing.
    pub fn displacer(&self) -> Option<u32> {
        self.sides.last().map(|side| side.revision.number + 1)
    }

    /// Whether routing leads to it: a retired unit has no pointer, unless its
    /// conflict must still be seen.
    pub fn routed(&self) -> bool {
        !self.head.retired || self.conflicted()
    }
}
