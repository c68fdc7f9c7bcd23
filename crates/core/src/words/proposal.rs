//! Proposals: acts of agents that wait for the person.

use super::{Agent, Base, BrainKey, Timestamp, UnitId};
use crate::rules::wanted::Wanted;
use serde::{Deserialize, Serialize};

/// What a store tells proposals apart by, from 1; 0 until stored.
pub type ProposalId = u64;

/// An act of an agent that waits for the person. Accepted, it is the agent's
/// revision; until then no reader is shown it.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// Its id.
    pub id: ProposalId,
    /// The brain it is for.
    pub brain: BrainKey,
    /// The unit it is about.
    pub target: Target,
    /// What it asks for. A settled one keeps no text, which is the revision's or
    /// gone; a rejected one keeps it until the person erases it, so that the
    /// rejection can be undone.
    pub asks: Asks,
    /// What its author had seen of the unit, where that is known.
    pub base: Option<Base>,
    /// Its author.
    pub agent: Agent,
    /// When it was made.
    pub at: Timestamp,
    /// Why it waits.
    pub reason: ProposalReason,
    /// What became of it.
    pub state: ProposalState,
    /// The revision that it became.
    pub became: Option<u32>,
}

/// The unit that a proposal is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// One that was there.
    Unit(UnitId),
    /// A new one, with the id that it gets.
    New(UnitId),
}

impl Target {
    /// The unit that was there.
    pub fn unit(&self) -> Option<&UnitId> {
        match self {
            Self::Unit(id) => Some(id),
            Self::New(_) => None,
        }
    }

    /// The unit's id, be it there or to come.
    pub fn id(&self) -> &UnitId {
        match self {
            Self::Unit(id) | Self::New(id) => id,
        }
    }
}

/// What a proposal asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asks {
    /// A write of these fields. For a new unit, `topic` and `title` are its
    /// address.
    Write(Wanted),
    /// To take the unit out of routing.
    Retire {
        /// Why, if the agent said.
        why: Option<String>,
    },
}

impl Asks {
    /// The kind.
    pub fn kind(&self) -> ProposalKind {
        match self {
            Self::Write(_) => ProposalKind::Write,
            Self::Retire { .. } => ProposalKind::Retire,
        }
    }
}

/// What kind of act waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalKind {
    /// A write.
    Write,
    /// A retire.
    Retire,
}

impl ProposalKind {
    /// `write` or `retire`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Retire => "retire",
        }
    }

    /// Reads the word. `None` if it is neither.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Write, Self::Retire]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// Why an act waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalReason {
    /// The brain's write policy is `review`.
    Review,
}

impl ProposalReason {
    /// `review`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Review => "review",
        }
    }

    /// Reads the word. `None` if it is no reason.
    pub fn parse(text: &str) -> Option<Self> {
        (text == Self::Review.as_str()).then_some(Self::Review)
    }
}

/// What became of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProposalState {
    /// It waits.
    Open,
    /// The person accepted it.
    Accepted,
    /// The person rejected it. Its text is kept.
    Rejected,
    /// The person rejected it, and erased its text.
    Erased,
    /// Its author proposed anew for the same unit.
    Replaced,
}

impl ProposalState {
    /// The state's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Erased => "erased",
            Self::Replaced => "replaced",
        }
    }

    /// Reads the word. `None` if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        [
            Self::Open,
            Self::Accepted,
            Self::Rejected,
            Self::Erased,
            Self::Replaced,
        ]
        .into_iter()
        .find(|state| state.as_str() == text)
    }
}
