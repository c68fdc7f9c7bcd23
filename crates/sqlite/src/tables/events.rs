//! Events: the store's one order.

use super::{agents, brains, count, prepare, units, word};
use crate::error::Result;
use ozbrain_core::words::{BrainKey, Event, EventId, EventKind, Timestamp, UnitId};
use rusqlite::{Connection, OptionalExtension, Row};

/// AUTOINCREMENT: a place in the order is never given twice, even after the
/// person erased its event. `sequence` is the place within the brain.
pub(crate) const SCHEMA: &str = "
CREATE TABLE events (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    brain    INTEGER REFERENCES brains (key),
    sequence INTEGER,
    unit     INTEGER REFERENCES units (key),
    revision INTEGER,
    kind     TEXT NOT NULL,
    agent    INTEGER NOT NULL REFERENCES agents (key),
    at       INTEGER NOT NULL,
    detail   TEXT
) STRICT;
CREATE INDEX events_by_unit ON events (unit) WHERE unit IS NOT NULL;
";

/// An event id as the engine counts.
pub(crate) fn place(id: EventId) -> i64 {
    i64::try_from(id).unwrap_or(i64::MAX)
}

/// Reads an event id.
pub(crate) fn id(row: &Row<'_>, column: usize) -> rusqlite::Result<EventId> {
    let id: i64 = row.get(column)?;
    u64::try_from(id).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, id))
}

fn columns() -> String {
    format!(
        "e.id, e.kind, e.brain, u.id, e.revision, e.at, e.detail, {}
         FROM events e JOIN agents a ON a.key = e.agent LEFT JOIN units u ON u.key = e.unit",
        agents::columns("a")
    )
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Event> {
    Ok(Event {
        id: id(row, 0)?,
        kind: word(row, 1, EventKind::parse)?,
        brain: row.get::<_, Option<i64>>(2)?.map(BrainKey),
        unit: match row.get_ref(3)?.as_str_or_null()? {
            Some(_) => Some(word(row, 3, UnitId::parse)?),
            None => None,
        },
        revision: row.get(4)?,
        at: Timestamp::from_millis(row.get(5)?),
        detail: row.get(6)?,
        agent: agents::from_row(row, 7)?,
    })
}

/// Records an event and gives it its place.
pub(crate) fn add(connection: &Connection, event: &Event) -> Result<i64> {
    let sequence = match event.brain {
        Some(brain) => Some(brains::next_sequence(connection, brain)?),
        None => None,
    };
    let unit = match &event.unit {
        Some(unit) => Some(units::key(connection, unit)?),
        None => None,
    };
    let agent = agents::key(connection, &event.agent)?;
    prepare(
        connection,
        "INSERT INTO events (brain, sequence, unit, revision, kind, agent, at, detail)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute((
        event.brain.map(|brain| brain.0),
        sequence,
        unit,
        event.revision,
        event.kind.as_str(),
        agent,
        event.at.millis(),
        &event.detail,
    ))?;
    Ok(connection.last_insert_rowid())
}

/// A unit's events, newest first.
pub(crate) fn of_unit(connection: &Connection, unit: &UnitId, limit: usize) -> Result<Vec<Event>> {
    let sql = format!(
        "SELECT {} WHERE e.unit = (SELECT key FROM units WHERE id = ?1)
         ORDER BY e.id DESC LIMIT ?2",
        columns()
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map((unit.as_str(), count(limit)), from_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Events after a place, oldest first.
pub(crate) fn after(connection: &Connection, after: EventId, limit: usize) -> Result<Vec<Event>> {
    let sql = format!(
        "SELECT {} WHERE e.id > ?1 ORDER BY e.id LIMIT ?2",
        columns()
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map((place(after), count(limit)), from_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The newest event; 0 if there is none.
pub(crate) fn last(connection: &Connection) -> Result<EventId> {
    let mut statement = prepare(connection, "SELECT id FROM events ORDER BY id DESC LIMIT 1")?;
    Ok(statement
        .query_row([], |row| id(row, 0))
        .optional()?
        .unwrap_or(0))
}
