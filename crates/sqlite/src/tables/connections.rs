//! Connections and what was granted to them.

use super::{prepare, word};
use crate::error::{Error, Result};
use ozbrain_core::words::{
    BrainKey, Connection as Caller, ConnectionName, Grant, Granted, Timestamp,
};
use rusqlite::{Connection, OptionalExtension, Row};
use std::collections::HashMap;

pub(crate) const SCHEMA: &str = "
CREATE TABLE connections (
    key        INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    key_hash   BLOB UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
CREATE TABLE grants (
    connection INTEGER NOT NULL REFERENCES connections (key),
    brain      INTEGER NOT NULL REFERENCES brains (key),
    allows     TEXT NOT NULL,
    PRIMARY KEY (connection, brain)
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_by_brain ON grants (brain);
";

/// Version 2: `owner` marks who writes where the write policy is `owners`.
pub(crate) const OWNERS: &str = "
ALTER TABLE grants ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
";

/// Version 4: since when the person waits for a connection's first call.
pub(crate) const WAITS: &str = "
ALTER TABLE connections ADD COLUMN waits_since INTEGER;
";

const COLUMNS: &str = "name, key_hash, created_at, revoked_at, waits_since";

pub(crate) fn name(row: &Row<'_>, column: usize) -> rusqlite::Result<ConnectionName> {
    word(row, column, |name| ConnectionName::parse(name).ok())
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Caller> {
    Ok(Caller {
        name: name(row, 0)?,
        key_hash: row.get(1)?,
        created_at: Timestamp::from_millis(row.get(2)?),
        revoked_at: row.get::<_, Option<i64>>(3)?.map(Timestamp::from_millis),
        waits_since: row.get::<_, Option<i64>>(4)?.map(Timestamp::from_millis),
    })
}

pub(crate) fn get(connection: &Connection, name: &ConnectionName) -> Result<Option<Caller>> {
    let sql = format!("SELECT {COLUMNS} FROM connections WHERE name = ?1");
    let mut statement = prepare(connection, &sql)?;
    Ok(statement.query_row([name.as_str()], from_row).optional()?)
}

pub(crate) fn with_key(connection: &Connection, hash: &[u8; 32]) -> Result<Option<Caller>> {
    let sql = format!("SELECT {COLUMNS} FROM connections WHERE key_hash = ?1");
    let mut statement = prepare(connection, &sql)?;
    Ok(statement.query_row([hash], from_row).optional()?)
}

pub(crate) fn all(connection: &Connection) -> Result<Vec<Caller>> {
    let sql = format!("SELECT {COLUMNS} FROM connections ORDER BY name");
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map([], from_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Makes or replaces a connection.
pub(crate) fn put(connection: &Connection, caller: &Caller) -> Result<()> {
    prepare(
        connection,
        "INSERT INTO connections (name, key_hash, created_at, revoked_at, waits_since)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (name) DO UPDATE SET key_hash = excluded.key_hash,
                 created_at = excluded.created_at, revoked_at = excluded.revoked_at,
                 waits_since = excluded.waits_since",
    )?
    .execute((
        caller.name.as_str(),
        &caller.key_hash,
        caller.created_at.millis(),
        caller.revoked_at.map(Timestamp::millis),
        caller.waits_since.map(Timestamp::millis),
    ))?;
    Ok(())
}

/// What was granted expressly, by brain.
pub(crate) fn grants(
    connection: &Connection,
    name: &ConnectionName,
) -> Result<HashMap<BrainKey, Granted>> {
    let mut statement = prepare(
        connection,
        "SELECT brain, allows, owner FROM grants
         WHERE connection = (SELECT key FROM connections WHERE name = ?1)",
    )?;
    let rows = statement.query_map([name.as_str()], |row| {
        let granted = Granted {
            grant: word(row, 1, Grant::parse)?,
            owner: row.get(2)?,
        };
        Ok((BrainKey(row.get(0)?), granted))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Sets what a connection may do in a brain.
pub(crate) fn grant(
    connection: &Connection,
    name: &ConnectionName,
    brain: BrainKey,
    granted: Granted,
) -> Result<()> {
    let set = prepare(
        connection,
        "INSERT INTO grants (connection, brain, allows, owner)
             SELECT key, ?2, ?3, ?4 FROM connections WHERE name = ?1
             ON CONFLICT (connection, brain) DO UPDATE SET allows = excluded.allows,
                 owner = excluded.owner",
    )?
    .execute((
        name.as_str(),
        brain.0,
        granted.grant.as_str(),
        granted.owner,
    ))?;
    if set == 0 {
        return Err(Error::contradiction(
            "a grant to a connection that is not there",
        ));
    }
    Ok(())
}

/// Removes what was granted to a connection in a brain.
pub(crate) fn ungrant(
    connection: &Connection,
    name: &ConnectionName,
    brain: BrainKey,
) -> Result<()> {
    prepare(
        connection,
        "DELETE FROM grants
             WHERE brain = ?2 AND connection = (SELECT key FROM connections WHERE name = ?1)",
    )?
    .execute((name.as_str(), brain.0))?;
    Ok(())
}

/// Removes what was granted in a brain.
pub(crate) fn forget(connection: &Connection, brain: BrainKey) -> Result<()> {
    prepare(connection, "DELETE FROM grants WHERE brain = ?1")?.execute([brain.0])?;
    Ok(())
}
