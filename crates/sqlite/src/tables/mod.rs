//! One module a table: its migration, its row, its reads and its writes.

pub(crate) mod addresses;
pub(crate) mod agents;
pub(crate) mod brains;
pub(crate) mod connections;
mod erase;
pub(crate) mod events;
pub(crate) mod http_sessions;
pub(crate) mod keywords;
pub(crate) mod listing;
pub(crate) mod lost_clients;
pub(crate) mod meta;
pub(crate) mod proposals;
pub(crate) mod revisions;
pub(crate) mod settings;
pub(crate) mod sides;
pub(crate) mod sign_ins;
#[cfg(test)]
mod tests;
pub(crate) mod undecided;
pub(crate) mod units;

use crate::error::{Error, Result, unreadable};
use ozbrain_core::ports::Change;
use ozbrain_core::words::{Event, EventId, ProposalId, ProposalState, UnitId};
use rusqlite::{CachedStatement, Connection, Row};

/// The schema that this program reads and writes.
pub(crate) const SCHEMA: i64 = 5;

/// The tables of the first schema.
const FIRST_SCHEMA: [&str; 10] = [
    meta::SCHEMA,
    brains::SCHEMA,
    connections::SCHEMA,
    agents::SCHEMA,
    units::SCHEMA,
    events::SCHEMA,
    revisions::SCHEMA,
    sides::SCHEMA,
    addresses::SCHEMA,
    http_sessions::SCHEMA,
];

/// What the second schema added.
const SECOND_SCHEMA: [&str; 11] = [
    events::BEFORE,
    units::LATER_AND_JOINED,
    units::GONE,
    revisions::ERASED,
    meta::SCRUB,
    events::SCHEMA_2,
    listing::SCHEMA_2,
    undecided::SCHEMA,
    sign_ins::SCHEMA,
    connections::OWNERS,
    proposals::SCHEMA,
];

/// Brings the schema from `version` (0: nothing yet) to [`SCHEMA`], inside the
/// caller's transaction.
pub(crate) fn migrate(connection: &Connection, version: i64) -> Result<()> {
    if version < 1 {
        for table in FIRST_SCHEMA {
            connection.execute_batch(table)?;
        }
        meta::create(connection)?;
    }
    if version < 2 {
        for step in SECOND_SCHEMA {
            connection.execute_batch(step)?;
        }
    }
    if version < 3 {
        for step in [proposals::REJECTED, events::UNDONE] {
            connection.execute_batch(step)?;
        }
    }
    if version < 4 {
        connection.execute_batch(settings::SCHEMA)?;
    }
    if version < 5 {
        for step in [connections::WAITS, events::CLIENTS, lost_clients::SCHEMA] {
            connection.execute_batch(step)?;
        }
    }
    Ok(())
}

/// What became of a job's changes.
#[derive(Default)]
pub(crate) struct Applied {
    /// Whether anyone has to know of them.
    pub(crate) wakes: bool,
    /// The first of their events.
    pub(crate) first_event: Option<EventId>,
    /// Units that were erased.
    pub(crate) erased: Vec<UnitId>,
    /// What stood before the last change of a unit, until its event is stored.
    stood: Option<(UnitId, events::Stood)>,
    /// The proposal that was just rejected, until its event is stored.
    rejected: Option<ProposalId>,
}

impl Applied {
    /// Stores an event, with what stood before it, and with the event that it
    /// goes with: the given one, else the first.
    fn event(
        &mut self,
        connection: &Connection,
        event: &Event,
        of: Option<EventId>,
    ) -> Result<i64> {
        let stood = match self.stood.take() {
            Some((unit, stood)) if event.unit.as_ref() == Some(&unit) => Some(stood),
            _ => None,
        };
        let of = of.or(self.first_event).map(events::place);
        let id = events::add(connection, event, of, stood.as_ref())?;
        undecided::note(connection, event, id)?;
        if let Some(proposal) = self.rejected.take() {
            proposals::note_rejection(connection, proposal, id)?;
        }
        self.first_event = self.first_event.or_else(|| EventId::try_from(id).ok());
        Ok(id)
    }
}

/// Applies changes in their order, inside the caller's transaction.
pub(crate) fn apply(connection: &Connection, changes: &[Change]) -> Result<Applied> {
    let mut applied = Applied::default();
    let mut changes = changes.iter();
    while let Some(change) = changes.next() {
        applied.wakes |= !matches!(
            change,
            Change::Heartbeat(_)
                | Change::PutHttpSession(_)
                | Change::DropHttpSession(_)
                | Change::PutSignIn(_)
                | Change::DropSignIn(_)
                | Change::PutTab(_)
                | Change::DropTab(_)
                | Change::Told { .. }
                | Change::Unread { .. }
                | Change::Digested(_)
        );
        match change {
            Change::NewBrain(brain) => brains::create(connection, brain)?,
            Change::PutBrain(brain) => brains::put(connection, brain)?,
            Change::PutAway { event, away } => undecided::put(connection, *event, *away)?,
            Change::PutConnection(it) => connections::put(connection, it)?,
            Change::PutGrant {
                connection: name,
                brain,
                granted,
            } => connections::grant(connection, name, *brain, *granted)?,
            Change::DropGrant {
                connection: name,
                brain,
            } => connections::ungrant(connection, name, *brain)?,
            Change::NewHead { unit, keywords } => {
                let (event, of) = match changes.next() {
                    Some(Change::Event(event)) => (event, None),
                    Some(Change::Undo(event, of)) => (event, Some(*of)),
                    _ => return Err(Error::contradiction("a revision without its event")),
                };
                let (key, stood) = units::put(connection, unit, Some(keywords))?;
                applied.stood = Some((unit.id.clone(), stood));
                let event = applied.event(connection, event, of)?;
                revisions::add(connection, key, &unit.head, event)?;
                listing::changed(connection, key, event)?;
                sides::put(connection, key, unit)?;
            }
            Change::SameHead(unit) => {
                let (key, stood) = units::put(connection, unit, None)?;
                applied.stood = Some((unit.id.clone(), stood));
                sides::put(connection, key, unit)?;
            }
            Change::LeadsTo {
                brain,
                topic,
                title,
                unit,
            } => addresses::put(connection, *brain, topic, title.as_deref(), unit)?,
            Change::Event(event) => {
                applied.event(connection, event, None)?;
            }
            Change::Undo(event, of) => {
                applied.event(connection, event, Some(*of))?;
            }
            Change::LostClient { client, event } => {
                let event = applied.event(connection, event, None)?;
                lost_clients::put(connection, client, event)?;
            }
            Change::FoundClient(client) => {
                if let Some(event) = lost_clients::remove(connection, client)? {
                    undecided::put(connection, event, true)?;
                }
            }
            Change::Lead { unit, to } => units::lead(connection, unit, to.as_ref())?,
            Change::EraseRevision { unit, number } => {
                erase::revision(connection, unit, *number)?;
            }
            Change::EraseUnit(unit) => {
                applied.erased.extend(erase::unit(connection, unit)?);
            }
            Change::EraseBrain(brain) => {
                applied.erased.extend(erase::brain(connection, *brain)?);
            }
            Change::NewProposal(proposal) => proposals::add(connection, proposal)?,
            Change::SettleProposal { id, state, became } => {
                proposals::settle(connection, *id, *state, became.as_ref())?;
                if matches!(state, ProposalState::Rejected | ProposalState::Erased) {
                    applied.rejected = Some(*id);
                }
            }
            Change::PutSettings(chosen) => settings::put(connection, chosen)?,
            Change::Told { brain, event } => settings::told(connection, *brain, *event)?,
            Change::Unread { unit, unread } => settings::unread(connection, unit, *unread)?,
            Change::Digested(at) => settings::digested(connection, *at)?,
            Change::ReopenProposal(id) => proposals::turn(connection, *id, true)?,
            Change::RejectAgain(id) => proposals::turn(connection, *id, false)?,
            Change::EraseProposal(id) => proposals::erase(connection, *id)?,
            Change::PutHttpSession(session) => http_sessions::put(connection, session)?,
            Change::DropHttpSession(id) => http_sessions::remove(connection, id)?,
            Change::PutSignIn(sign_in) => sign_ins::put(connection, sign_in)?,
            Change::DropSignIn(token_hash) => sign_ins::remove(connection, token_hash)?,
            Change::PutTab(tab) => sign_ins::put_tab(connection, tab)?,
            Change::DropTab(bearer_hash) => sign_ins::remove_tab(connection, bearer_hash)?,
            Change::Heartbeat(at) => meta::beat(connection, *at)?,
        }
    }
    Ok(applied)
}

/// Prepares a statement, or takes it from the connection's cache. Every query
/// comes by here, so that a test can look at each one's plan.
fn prepare<'a>(connection: &'a Connection, sql: &str) -> rusqlite::Result<CachedStatement<'a>> {
    #[cfg(test)]
    crate::plans::note(connection, sql)?;
    connection.prepare_cached(sql)
}

/// Reads one of the words that the contract fixes.
pub(crate) fn word<T>(
    row: &Row<'_>,
    column: usize,
    parse: fn(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    parse(text).ok_or_else(|| unreadable(column, text))
}

/// Reads what was stored as JSON.
fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text = row.get_ref(column)?.as_str()?;
    serde_json::from_str(text).map_err(|_| unreadable(column, text))
}

/// Writes as JSON.
fn to_json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| Error::contradiction(&format!("a value without JSON: {error}")))
}

/// A number of rows as the engine counts.
fn count(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}

/// A folded title as its column holds it: an untitled unit has the empty one,
/// so that a topic has room for one of them.
fn folded(title: Option<&str>) -> &str {
    title.unwrap_or_default()
}
