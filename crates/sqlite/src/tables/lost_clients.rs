//! Clients whose entry is lost, with the event that tells of it.

use super::{events, prepare};
use crate::error::Result;
use ozbrain_core::words::EventId;
use rusqlite::Connection;

pub(crate) const SCHEMA: &str = "
CREATE TABLE lost_clients (
    client TEXT PRIMARY KEY,
    event  INTEGER NOT NULL UNIQUE REFERENCES events (id)
) STRICT, WITHOUT ROWID;
";

/// Notes that a client's entry is lost, by its event.
pub(crate) fn put(connection: &Connection, client: &str, event: i64) -> Result<()> {
    prepare(
        connection,
        "INSERT INTO lost_clients (client, event) VALUES (?1, ?2)
             ON CONFLICT (client) DO UPDATE SET event = excluded.event",
    )?
    .execute((client, event))?;
    Ok(())
}

/// Forgets that it was lost. Gives the event that told of it.
pub(crate) fn remove(connection: &Connection, client: &str) -> Result<Option<EventId>> {
    let mut statement = prepare(
        connection,
        "DELETE FROM lost_clients WHERE client = ?1 RETURNING event",
    )?;
    let mut rows = statement.query([client])?;
    let event = match rows.next()? {
        Some(row) => Some(events::id(row, 0)?),
        None => None,
    };
    // The row goes when the statement is done.
    while rows.next()?.is_some() {}
    Ok(event)
}

/// Their short names.
pub(crate) fn all(connection: &Connection) -> Result<Vec<String>> {
    let mut statement = prepare(
        connection,
        "SELECT client FROM lost_clients ORDER BY client",
    )?;
    let rows = statement.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
