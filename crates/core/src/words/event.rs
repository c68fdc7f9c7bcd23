//! Events: what happened, in the order the store gave.

use super::{Agent, BrainKey, Confirmed, ConnectionName, Field, Timestamp, UnitId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The place of an event in the store's one order, from 1; 0 is before all.
pub type EventId = u64;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A brain was made.
    BrainCreated,
    /// A connection was seen for the first time, or made.
    ConnectionCreated,
    /// A connection was revoked.
    ConnectionRevoked,
    /// A grant changed.
    Granted,
    /// A unit's first revision.
    Created,
    /// A revision that displaced nothing unseen.
    Updated,
    /// A revision that opened a conflict, or joined one.
    Conflicted,
    /// A conflict was settled.
    Resolved,
    /// A unit was taken out of routing.
    Retired,
    /// A retired unit came back.
    Returned,
    /// Someone vouched for the head.
    Confirmed,
    /// An agent saw the same fact at its source.
    Checked,
    /// The person was asked and did not know.
    Noted,
    /// The person put off being asked.
    Later,
    /// An act was taken back.
    Undone,
    /// Another unit was joined into this one, or this one into another.
    Joined,
    /// The person erased text. What stood there is told nowhere.
    Erased,
    /// A decision or a problem was put away.
    Dismissed,
    /// A brain's name or policies changed.
    BrainChanged,
    /// An agent's act waits for the person.
    Proposed,
    /// The person accepted what an agent proposed.
    Accepted,
    /// The person rejected what an agent proposed.
    Rejected,
    /// The person changed their settings.
    SettingsChanged,
    /// A client was connected: it has an entry that starts OzBrain.
    ClientConnected,
    /// A client was disconnected: its entry was taken out.
    ClientDisconnected,
    /// A connection called for the first time since its client was connected.
    ClientCalled,
    /// A client's entry is gone or was changed, and nobody did that from here.
    ClientLost,
}

impl EventKind {
    /// All kinds.
    pub const ALL: [Self; 27] = [
        Self::BrainCreated,
        Self::ConnectionCreated,
        Self::ConnectionRevoked,
        Self::Granted,
        Self::Created,
        Self::Updated,
        Self::Conflicted,
        Self::Resolved,
        Self::Retired,
        Self::Returned,
        Self::Confirmed,
        Self::Checked,
        Self::Noted,
        Self::Later,
        Self::Undone,
        Self::Joined,
        Self::Erased,
        Self::Dismissed,
        Self::BrainChanged,
        Self::Proposed,
        Self::Accepted,
        Self::Rejected,
        Self::SettingsChanged,
        Self::ClientConnected,
        Self::ClientDisconnected,
        Self::ClientCalled,
        Self::ClientLost,
    ];

    /// The kind as it is stored and shown, such as `created`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BrainCreated => "brain_created",
            Self::ConnectionCreated => "connection_created",
            Self::ConnectionRevoked => "connection_revoked",
            Self::Granted => "granted",
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Conflicted => "conflicted",
            Self::Resolved => "resolved",
            Self::Retired => "retired",
            Self::Returned => "returned",
            Self::Confirmed => "confirmed",
            Self::Checked => "checked",
            Self::Noted => "noted",
            Self::Later => "later",
            Self::Undone => "undone",
            Self::Joined => "joined",
            Self::Erased => "erased",
            Self::Dismissed => "dismissed",
            Self::BrainChanged => "brain_changed",
            Self::Proposed => "proposed",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::SettingsChanged => "settings_changed",
            Self::ClientConnected => "client_connected",
            Self::ClientDisconnected => "client_disconnected",
            Self::ClientCalled => "client_called",
            Self::ClientLost => "client_lost",
        }
    }

    /// Reads the word. `None` if it is no kind.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Something that happened, written with the change itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its place in the store's order; 0 until stored.
    pub id: EventId,
    /// What happened.
    pub kind: EventKind,
    /// The brain it happened in.
    pub brain: Option<BrainKey>,
    /// The unit it happened to.
    pub unit: Option<UnitId>,
    /// The revision it made or spoke of.
    pub revision: Option<u32>,
    /// Who did it.
    pub agent: Agent,
    /// When.
    pub at: Timestamp,
    /// What the person decided, why a unit was retired, the other unit of a
    /// join, and the like. Of a client: see [`super::ClientDetail`].
    pub detail: Option<String>,
}

/// What stood before an act on a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Before {
    /// The head; 0 where the act made the unit.
    pub revision: u32,
    /// From when its age counted.
    pub anchor: Timestamp,
    /// The last confirm of the head.
    pub confirmed: Option<Confirmed>,
    /// The sides of the open conflict, oldest first: the revision of each, and
    /// the fields in dispute.
    pub sides: Vec<(u32, Vec<Field>)>,
    /// Until when the person did not want to be asked.
    pub later_until: Option<Timestamp>,
}

/// An event as undo sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Act {
    /// What happened.
    pub event: Event,
    /// The event that it goes with: of an undo the one that it took back, of a
    /// further event of one act the act's first.
    pub of: Option<EventId>,
    /// What stood before it; `None` where it changed no unit, and for what an
    /// older program wrote.
    pub before: Option<Before>,
}

/// An open conflict, by the act that opened it. What joined it later changes
/// nothing here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// The unit.
    pub unit: UnitId,
    /// Its brain.
    pub brain: BrainKey,
    /// The event of the act.
    pub event: EventId,
    /// When.
    pub at: Timestamp,
    /// Whose act it was.
    pub by: ConnectionName,
}

impl Opened {
    /// Whether the person's own act opened it.
    pub fn is_persons(&self) -> bool {
        self.by == ConnectionName::you()
    }
}
