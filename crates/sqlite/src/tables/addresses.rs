//! Addresses that units have left.

use super::{folded, prepare, units};
use crate::error::Result;
use ozbrain_core::words::{BrainKey, Topic, UnitId};
use rusqlite::{Connection, OptionalExtension};

pub(crate) const SCHEMA: &str = "
CREATE TABLE addresses (
    brain        INTEGER NOT NULL REFERENCES brains (key),
    topic        TEXT NOT NULL,
    title_folded TEXT NOT NULL,
    unit         INTEGER NOT NULL REFERENCES units (key),
    PRIMARY KEY (brain, topic, title_folded)
) STRICT, WITHOUT ROWID;
CREATE INDEX addresses_by_unit ON addresses (unit);
";

/// The unit that stood here last and moved.
pub(crate) fn get(
    connection: &Connection,
    brain: BrainKey,
    topic: &Topic,
    title: Option<&str>,
) -> Result<Option<i64>> {
    let mut statement = prepare(
        connection,
        "SELECT unit FROM addresses WHERE brain = ?1 AND topic = ?2 AND title_folded = ?3",
    )?;
    let unit = statement.query_row((brain.0, topic.as_str(), folded(title)), |row| row.get(0));
    Ok(unit.optional()?)
}

/// From now on the address leads to this unit.
pub(crate) fn put(
    connection: &Connection,
    brain: BrainKey,
    topic: &Topic,
    title: Option<&str>,
    unit: &UnitId,
) -> Result<()> {
    let unit = units::key(connection, unit)?;
    prepare(
        connection,
        "INSERT INTO addresses (brain, topic, title_folded, unit) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (brain, topic, title_folded) DO UPDATE SET unit = excluded.unit",
    )?
    .execute((brain.0, topic.as_str(), folded(title), unit))?;
    Ok(())
}

/// An address of a unit leads nowhere any more.
pub(crate) fn drop(
    connection: &Connection,
    unit: i64,
    topic: &str,
    title_folded: &str,
) -> Result<()> {
    prepare(
        connection,
        "DELETE FROM addresses WHERE unit = ?1 AND topic = ?2 AND title_folded = ?3",
    )?
    .execute((unit, topic, title_folded))?;
    Ok(())
}

/// No address leads to a unit any more.
pub(crate) fn remove(connection: &Connection, unit: i64) -> Result<()> {
    prepare(connection, "DELETE FROM addresses WHERE unit = ?1")?.execute([unit])?;
    Ok(())
}
