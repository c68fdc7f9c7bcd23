//! Brains.

use super::{json, keywords, listing, prepare, to_json, word};
use crate::error::{Error, Result};
use ozbrain_core::ports::NewBrain;
use ozbrain_core::text::ANALYSIS_VERSION;
use ozbrain_core::words::{Brain, BrainKey, BrainKind, BrainName, WritePolicy};
use rusqlite::{Connection, OptionalExtension};

/// `sequence` is the last sequence number given in the brain. `analysis` is
/// the version of the text analysis that its keyword index was written with.
/// AUTOINCREMENT: a key names an index and is never given twice.
pub(crate) const SCHEMA: &str = "
CREATE TABLE brains (
    key             INTEGER PRIMARY KEY AUTOINCREMENT,
    name            TEXT NOT NULL UNIQUE,
    name_tokens     INTEGER NOT NULL,
    title           TEXT NOT NULL,
    kind            TEXT NOT NULL,
    write_policy    TEXT NOT NULL,
    freshness_rules TEXT NOT NULL DEFAULT '[]',
    sequence        INTEGER NOT NULL DEFAULT 0,
    analysis        INTEGER NOT NULL
) STRICT;
";

/// All brains, by name.
pub(crate) fn all(connection: &Connection) -> Result<Vec<Brain>> {
    let mut statement = prepare(
        connection,
        "SELECT key, name, name_tokens, title, kind, write_policy, freshness_rules
         FROM brains ORDER BY name",
    )?;
    let brains = statement.query_map([], |row| {
        Ok(Brain {
            key: BrainKey(row.get(0)?),
            name: word(row, 1, |name| BrainName::parse(name).ok())?,
            name_tokens: row.get(2)?,
            title: row.get(3)?,
            kind: word(row, 4, BrainKind::parse)?,
            write_policy: word(row, 5, WritePolicy::parse)?,
            freshness_rules: json(row, 6)?,
        })
    })?;
    Ok(brains.collect::<rusqlite::Result<_>>()?)
}

/// Makes a brain with an empty keyword index.
pub(crate) fn create(connection: &Connection, brain: &NewBrain) -> Result<()> {
    connection.execute(
        "INSERT INTO brains (name, name_tokens, title, kind, write_policy, analysis)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (
            brain.name.as_str(),
            brain.name_tokens,
            &brain.title,
            brain.kind.as_str(),
            brain.write_policy.as_str(),
            ANALYSIS_VERSION,
        ),
    )?;
    keywords::create(connection, BrainKey(connection.last_insert_rowid()))
}

/// Stores a brain's name for people and its policies; its units' ages follow
/// from them.
pub(crate) fn put(connection: &Connection, brain: &Brain) -> Result<()> {
    let rules = to_json(&brain.freshness_rules)?;
    let aged: Option<bool> = prepare(
        connection,
        "SELECT freshness_rules IS ?2 FROM brains WHERE key = ?1",
    )?
    .query_row((brain.key.0, &rules), |row| row.get(0))
    .optional()?;
    let Some(aged) = aged else {
        return Err(Error::contradiction(
            "a change of a brain that is not there",
        ));
    };
    prepare(
        connection,
        "UPDATE brains SET title = ?2, write_policy = ?3, freshness_rules = ?4 WHERE key = ?1",
    )?
    .execute((
        brain.key.0,
        &brain.title,
        brain.write_policy.as_str(),
        rules,
    ))?;
    if aged {
        Ok(())
    } else {
        listing::age(connection, brain)
    }
}

/// The next sequence number of a brain.
pub(crate) fn next_sequence(connection: &Connection, brain: BrainKey) -> Result<i64> {
    let mut statement = prepare(
        connection,
        "UPDATE brains SET sequence = sequence + 1 WHERE key = ?1 RETURNING sequence",
    )?;
    statement
        .query_row([brain.0], |row| row.get(0))
        .optional()?
        .ok_or_else(|| Error::contradiction("an event in a brain that is not there"))
}

/// The brains and the version of the text analysis of each one's index.
pub(crate) fn analyses(connection: &Connection) -> Result<Vec<(BrainKey, u32)>> {
    let mut statement = prepare(connection, "SELECT key, analysis FROM brains")?;
    let rows = statement.query_map([], |row| Ok((BrainKey(row.get(0)?), row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Whether a newer program wrote an index.
pub(crate) fn any_newer(connection: &Connection) -> Result<bool> {
    let mut statement = prepare(connection, "SELECT 1 FROM brains WHERE analysis > ?1")?;
    Ok(statement.exists([ANALYSIS_VERSION])?)
}

/// Notes that the brain's index was written with this program's analysis.
pub(crate) fn analysed(connection: &Connection, brain: BrainKey) -> Result<()> {
    connection.execute(
        "UPDATE brains SET analysis = ?2 WHERE key = ?1",
        (brain.0, ANALYSIS_VERSION),
    )?;
    Ok(())
}

/// Removes a brain in which nothing is left.
pub(crate) fn remove(connection: &Connection, brain: BrainKey) -> Result<()> {
    prepare(connection, "DELETE FROM brains WHERE key = ?1")?.execute([brain.0])?;
    Ok(())
}
