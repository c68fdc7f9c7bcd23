//! Events of the Inbox that were put away, and those that were not.

use super::{count, events, prepare};
use crate::error::Result;
use ozbrain_core::words::{BrainKey, Event, EventId, Timestamp};
use rusqlite::Connection;

pub(crate) const SCHEMA: &str = "
CREATE TABLE dismissed (
    event INTEGER PRIMARY KEY REFERENCES events (id)
) STRICT;
CREATE INDEX events_decided ON events (at) WHERE kind IN ('resolved', 'confirmed');
CREATE INDEX events_of_newcomers ON events (at) WHERE kind = 'connection_created';
";

/// Puts an event away, or back.
pub(crate) fn put(connection: &Connection, event: EventId, away: bool) -> Result<()> {
    let sql = if away {
        "INSERT OR IGNORE INTO dismissed (event) VALUES (?1)"
    } else {
        "DELETE FROM dismissed WHERE event = ?1"
    };
    prepare(connection, sql)?.execute([events::place(event)])?;
    Ok(())
}

/// Forgets that events of a brain were put away: they go.
pub(crate) fn forget(connection: &Connection, brain: BrainKey) -> Result<()> {
    prepare(
        connection,
        "DELETE FROM dismissed WHERE event IN (SELECT id FROM events WHERE brain = ?1)",
    )?
    .execute([brain.0])?;
    Ok(())
}

/// Whether an event was put away.
pub(crate) fn is(connection: &Connection, event: EventId) -> Result<bool> {
    let mut statement = prepare(connection, "SELECT 1 FROM dismissed WHERE event = ?1")?;
    Ok(statement.exists([events::place(event)])?)
}

const LEFT: &str = "NOT EXISTS (SELECT 1 FROM dismissed d WHERE d.event = e.id)";

/// What agents settled or confirmed since a moment, that stands and was not put
/// away: newest first, and how many in all. A resolve stands until another one,
/// or an undo; a confirm until the head is confirmed or changed again.
pub(crate) fn decisions(
    connection: &Connection,
    brains: &[BrainKey],
    since: Timestamp,
    offset: usize,
    limit: usize,
) -> Result<(Vec<Event>, u32)> {
    let conditions = format!(
        "e.kind IN ('resolved', 'confirmed') AND e.at >= ?1 AND e.connection <> 'you'
         AND e.brain IN ({}) AND {LEFT}
         AND CASE e.kind
             WHEN 'confirmed' THEN u.confirmed_at = e.at AND u.confirmed_by = e.agent
             ELSE NOT EXISTS (SELECT 1 FROM events x WHERE x.unit = e.unit AND x.id > e.id
                 AND x.kind IN ('resolved', 'undone'))
             END",
        events::keys(brains)
    );
    waiting(
        connection,
        "events_decided",
        &conditions,
        since,
        offset,
        limit,
    )
}

/// Connections that came by themselves since a moment and are not revoked.
pub(crate) fn newcomers(
    connection: &Connection,
    since: Timestamp,
    offset: usize,
    limit: usize,
) -> Result<(Vec<Event>, u32)> {
    let conditions = format!(
        "e.kind = 'connection_created' AND e.at >= ?1 AND e.connection NOT IN ('you', 'cli')
         AND {LEFT} AND EXISTS (SELECT 1 FROM connections c WHERE c.name = e.detail
             AND c.revoked_at IS NULL)"
    );
    waiting(
        connection,
        "events_of_newcomers",
        &conditions,
        since,
        offset,
        limit,
    )
}

fn waiting(
    connection: &Connection,
    index: &str,
    conditions: &str,
    since: Timestamp,
    offset: usize,
    limit: usize,
) -> Result<(Vec<Event>, u32)> {
    let sql = format!(
        "SELECT count(*) FROM events e INDEXED BY {index} LEFT JOIN units u ON u.key = e.unit
         WHERE {conditions}"
    );
    let total = prepare(connection, &sql)?.query_row([since.millis()], |row| row.get(0))?;
    if limit == 0 || offset >= usize::try_from(total).unwrap_or(usize::MAX) {
        return Ok((Vec::new(), total));
    }
    let sql = format!(
        "SELECT {} WHERE {conditions} ORDER BY e.at DESC, e.id DESC LIMIT {} OFFSET {}",
        events::columns().replace("events e", &format!("events e INDEXED BY {index}")),
        count(limit),
        count(offset)
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map([since.millis()], events::from_row)?;
    Ok((rows.collect::<rusqlite::Result<_>>()?, total))
}
