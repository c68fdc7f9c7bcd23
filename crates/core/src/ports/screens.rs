//! What the screens ask of a view, beside what tools do.

use super::Card;
use crate::refusal::Result;
use crate::shapes::Need;
use crate::views::units::UnitOrder;
use crate::words::{
    Act, Agent, BrainKey, Confirmed, ConnectionName, Event, EventId, Timestamp, Topic, UnitId,
};

/// A unit in a list: its card, and who changed it last.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The card.
    pub card: Card,
    /// When its head was written.
    pub updated_at: Timestamp,
    /// Who wrote the head.
    pub agent: Agent,
    /// The last confirm of the head.
    pub confirmed: Option<Confirmed>,
}

/// Which units a list shows, and how it is ordered.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing<'a> {
    /// Only this topic and what lies below it.
    pub topic: Option<&'a Topic>,
    /// Only the topic itself, nothing below.
    pub exact: bool,
    /// Only what needs this.
    pub needs: Option<Need>,
    /// The retired ones instead of the routed ones.
    pub retired: bool,
    /// The order.
    pub order: UnitOrder,
    /// The moment that freshness is told at.
    pub now: Timestamp,
}

/// How a connection read a revision, by the read log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reads {
    /// The connection.
    pub connection: ConnectionName,
    /// The revision.
    pub revision: u32,
    /// How often.
    pub times: u32,
    /// First.
    pub first_at: Timestamp,
    /// Last.
    pub last_at: Timestamp,
}

/// An aging or stale unit that agents read since it turned aging.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgingRead {
    /// The unit.
    pub unit: UnitId,
    /// How often they did.
    pub reads: u32,
    /// Which connections, most reads first.
    pub readers: Vec<ConnectionName>,
}

/// Which events an activity shows.
#[derive(Debug, Clone, Copy)]
pub struct Happened<'a> {
    /// In these brains.
    pub brains: &'a [BrainKey],
    /// And what happened in none.
    pub elsewhere: bool,
    /// Only by this connection.
    pub connection: Option<&'a ConnectionName>,
    /// Only before this event.
    pub before: Option<EventId>,
}

/// What the screens ask. Lists of brains are the ones that the caller may read.
pub trait ScreenRecords {
    /// When a heartbeat was last written.
    ///
    /// # Errors
    /// `busy` or `unavailable`, as everywhere here.
    fn wrote_at(&self) -> Result<Option<Timestamp>>;

    /// A page of units, and how many there are in all.
    fn list(
        &self,
        brains: &[BrainKey],
        listing: Listing<'_>,
        offset: usize,
        limit: usize,
    ) -> Result<(Vec<Listed>, u32)>;

    /// A unit as it stands in lists, retired or not: the survivor, where it was
    /// joined into another; none, where it was erased.
    fn listed(&self, brains: &[BrainKey], id: &UnitId) -> Result<Option<Listed>>;

    /// How many retired units a brain has.
    fn retired(&self, brain: BrainKey) -> Result<u32>;

    /// As [`super::Records::by_keywords`], where one more term may be the
    /// beginning of a word.
    fn by_beginning(
        &self,
        brains: &[BrainKey],
        terms: &[String],
        beginning: &str,
        narrow: super::Narrow<'_>,
        limit: usize,
    ) -> Result<Vec<super::Candidate>>;

    /// Units with an open conflict, the latest change first, and how many
    /// there are in all.
    fn conflicts(
        &self,
        brains: &[BrainKey],
        offset: usize,
        limit: usize,
    ) -> Result<(Vec<UnitId>, u32)>;

    /// Aging and stale units that the person may be asked about (not retired,
    /// in conflict or put off), oldest anchor first, but for those in `without`.
    fn aging(
        &self,
        brains: &[BrainKey],
        now: Timestamp,
        without: &[UnitId],
        offset: usize,
        limit: usize,
    ) -> Result<Vec<UnitId>>;

    /// How many [`ScreenRecords::aging`] units there are.
    fn aging_count(&self, brains: &[BrainKey], now: Timestamp) -> Result<u32>;

    /// Of these, the ones that agents, not the person, read since they turned
    /// aging: most reads first, then the oldest anchor.
    fn aging_read(&self, brains: &[BrainKey], now: Timestamp) -> Result<Vec<AgingRead>>;

    /// How a unit was read, by connection and revision.
    fn reads_of(&self, unit: &UnitId) -> Result<Vec<Reads>>;

    /// When a connection last called, or did anything.
    fn last_seen(&self, connection: &ConnectionName) -> Result<Option<Timestamp>>;

    /// An event.
    fn event(&self, id: EventId) -> Result<Option<Event>>;

    /// Events, newest first.
    fn happened(&self, happened: Happened<'_>, limit: usize) -> Result<Vec<Event>>;

    /// A unit's events before one, newest first.
    fn unit_events_before(
        &self,
        unit: &UnitId,
        before: Option<EventId>,
        limit: usize,
    ) -> Result<Vec<Event>>;

    /// What a connection did in these brains, or in none, since a moment, newest
    /// first: of several events of one act the first, and every undo.
    fn done_since(
        &self,
        brains: &[BrainKey],
        connection: &ConnectionName,
        since: Timestamp,
    ) -> Result<Vec<Act>>;

    /// What agents, not the person, settled or confirmed, that stands and was
    /// not put away, of units that are there: newest first, and how many in all.
    fn decisions(
        &self,
        brains: &[BrainKey],
        offset: usize,
        limit: usize,
    ) -> Result<(Vec<Event>, u32)>;

    /// Problems whose event was not put away: connections that came by
    /// themselves and are not revoked, and clients whose entry is lost. Newest
    /// first, and how many in all.
    fn problems(&self, offset: usize, limit: usize) -> Result<(Vec<Event>, u32)>;

    /// The clients whose entry is lost, by short name.
    fn lost_clients(&self) -> Result<Vec<String>>;

    /// What a connection last read: the unit and when.
    fn last_read(&self, connection: &ConnectionName) -> Result<Option<(UnitId, Timestamp)>>;

    /// The newest revision that a connection wrote: its event.
    fn last_written(&self, connection: &ConnectionName) -> Result<Option<Event>>;

    /// A connection's newest [`crate::words::EventKind::ClientCalled`].
    fn first_call(&self, connection: &ConnectionName) -> Result<Option<Event>>;

    /// Whether an event waits until the person puts it away.
    fn waits_for_person(&self, event: EventId) -> Result<bool>;

    /// Whether an event would be among the [`ScreenRecords::decisions`] or the
    /// [`ScreenRecords::problems`], had nobody put it away.
    fn stands_for_person(&self, brains: &[BrainKey], event: EventId) -> Result<bool>;
}
