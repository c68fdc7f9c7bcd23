//! What the store is told apart by, and the proof that it can write.

use super::{brains, prepare};
use crate::error::{Error, Result, unreadable};
use ozbrain_core::ports::Identity;
use ozbrain_core::words::Timestamp;
use rusqlite::Connection;

pub(crate) const SCHEMA: &str = "
CREATE TABLE meta (
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    id        TEXT NOT NULL,
    secret    BLOB NOT NULL,
    heartbeat INTEGER NOT NULL DEFAULT 0
) STRICT;
";

/// `scrub` is what is left to do after something was erased: see [`Scrub`].
pub(crate) const SCRUB: &str = "
ALTER TABLE meta ADD COLUMN scrub INTEGER NOT NULL DEFAULT 0;
";

/// Gives a new store its identity.
pub(crate) fn create(connection: &Connection) -> Result<()> {
    let mut random = [0; 48];
    getrandom::fill(&mut random)
        .map_err(|error| Error::contradiction(&format!("no random numbers: {error}")))?;
    let (id, secret) = random.split_at(16);
    connection.execute(
        "INSERT INTO meta (one, id, secret) VALUES (1, lower(hex(?1)), ?2)",
        (id, secret),
    )?;
    Ok(())
}

pub(crate) fn identity(connection: &Connection) -> Result<Identity> {
    let mut statement = prepare(connection, "SELECT id, secret FROM meta WHERE one = 1")?;
    Ok(statement.query_row([], |row| {
        Ok(Identity {
            id: row.get(0)?,
            secret: row.get(1)?,
        })
    })?)
}

pub(crate) fn beat(connection: &Connection, at: Timestamp) -> Result<()> {
    prepare(connection, "UPDATE meta SET heartbeat = ?1 WHERE one = 1")?.execute([at.millis()])?;
    Ok(())
}

/// When the last heartbeat was.
pub(crate) fn beaten(connection: &Connection) -> Result<Option<Timestamp>> {
    let mut statement = prepare(connection, "SELECT heartbeat FROM meta WHERE one = 1")?;
    let at: i64 = statement.query_row([], |row| row.get(0))?;
    Ok((at != 0).then_some(Timestamp::from_millis(at)))
}

/// Whether this program may write: another process may have brought the schema
/// or an index up to a newer program's.
pub(crate) fn is_ours(connection: &Connection) -> Result<bool> {
    let schema: i64 =
        prepare(connection, "PRAGMA user_version")?.query_row([], |row| row.get(0))?;
    Ok(schema == super::SCHEMA && !brains::any_newer(connection)?)
}

/// Checks every page, and every index against its table.
pub(crate) fn check(connection: &Connection) -> Result<()> {
    let found: String =
        prepare(connection, "PRAGMA integrity_check(1)")?.query_row([], |row| row.get(0))?;
    if found == "ok" {
        return Ok(());
    }
    Err(unreadable(0, &found).into())
}

/// What is left to do until nothing that was erased stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scrub {
    /// Nothing.
    Done,
    /// The file's free space holds text.
    File,
    /// The write-ahead log does.
    Log,
}

pub(crate) fn scrub(connection: &Connection) -> Result<Scrub> {
    let mut statement = prepare(connection, "SELECT scrub FROM meta WHERE one = 1")?;
    Ok(match statement.query_row([], |row| row.get(0))? {
        0_i64 => Scrub::Done,
        1 => Scrub::File,
        _ => Scrub::Log,
    })
}

pub(crate) fn set_scrub(connection: &Connection, scrub: Scrub) -> Result<()> {
    let value = match scrub {
        Scrub::Done => 0,
        Scrub::File => 1,
        Scrub::Log => 2,
    };
    prepare(connection, "UPDATE meta SET scrub = ?1 WHERE one = 1")?.execute([value])?;
    Ok(())
}
