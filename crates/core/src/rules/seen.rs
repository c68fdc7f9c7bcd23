//! Seen: what a writer knew of a unit when it wrote.

use crate::words::{Agent, Base, EventId, Revision};

/// What a writer had seen of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// Its head.
    Head(Base),
    /// An older revision, with what it said.
    Older(Base, Box<Revision>),
    /// Nothing that can be told.
    Unknown,
}

impl Seen {
    /// The base, where it is known.
    pub fn base(&self) -> Option<Base> {
        match self {
            Self::Head(base) | Self::Older(base, _) => Some(*base),
            Self::Unknown => None,
        }
    }

    /// Whether the head was seen.
    pub fn head(&self) -> bool {
        matches!(self, Self::Head(_))
    }
}

/// Whether a writer of whom nothing is known to be seen still knows this head:
/// its own session wrote it, or its own connection before this session began.
/// What the connection wrote since then, another session wrote.
pub fn own(head: &Revision, writer: &Agent, began: EventId) -> bool {
    head.agent.connection == writer.connection
        && (head.agent.session == writer.session || head.event <= began)
}
