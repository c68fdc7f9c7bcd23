//! Revisions: everything that units ever said.

use super::{agents, count, events, json, prepare, to_json, word};
use crate::error::Result;
use ozbrain_core::words::{Base, Content, Outcome, Revision, Timestamp, Topic, UnitId};
use rusqlite::{Connection, OptionalExtension, Row};

/// The body stands last: what comes before it is read without it.
pub(crate) const SCHEMA: &str = "
CREATE TABLE revisions (
    key               INTEGER PRIMARY KEY,
    unit              INTEGER NOT NULL REFERENCES units (key),
    number            INTEGER NOT NULL,
    event             INTEGER NOT NULL REFERENCES events (id),
    agent             INTEGER NOT NULL REFERENCES agents (key),
    at                INTEGER NOT NULL,
    outcome           TEXT NOT NULL,
    retired           INTEGER NOT NULL,
    whole             INTEGER NOT NULL,
    base_revision     INTEGER,
    base_delivered_at INTEGER,
    parents           TEXT NOT NULL,
    observed_at       INTEGER,
    tokens            INTEGER NOT NULL,
    topic             TEXT NOT NULL,
    title             TEXT,
    tags              TEXT NOT NULL,
    source            TEXT,
    fresh_for_days    INTEGER,
    body              TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX revisions_by_number ON revisions (unit, number);
";

pub(crate) const ERASED: &str = "
ALTER TABLE revisions ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
";

/// How many columns a revision has.
pub(crate) const WIDTH: usize = 18 + agents::WIDTH;

/// The columns that [`from_row`] reads, of revisions `r` by agents `a`.
pub(crate) fn columns() -> String {
    format!(
        "r.number, r.event, r.at, r.outcome, r.retired, r.whole, r.base_revision,
         r.base_delivered_at, r.parents, r.observed_at, r.tokens, r.topic, r.title, r.tags,
         r.source, r.fresh_for_days, r.body, r.erased, {}",
        agents::columns("a")
    )
}

/// Reads what a writer had seen from two columns, the revision and when it was
/// delivered.
pub(crate) fn base(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<Base>> {
    let revision: Option<u32> = row.get(first)?;
    let delivered_at: Option<i64> = row.get(first + 1)?;
    Ok(revision.map(|revision| Base {
        revision,
        delivered_at: delivered_at.map(Timestamp::from_millis).unwrap_or_default(),
    }))
}

/// Reads a revision from the columns that start at `first`.
pub(crate) fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Revision> {
    let moment = |column: usize| -> rusqlite::Result<Option<Timestamp>> {
        Ok(row
            .get::<_, Option<i64>>(first + column)?
            .map(Timestamp::from_millis))
    };
    Ok(Revision {
        number: row.get(first)?,
        event: events::id(row, first + 1)?,
        at: Timestamp::from_millis(row.get(first + 2)?),
        outcome: word(row, first + 3, Outcome::parse)?,
        retired: row.get(first + 4)?,
        whole: row.get(first + 5)?,
        base: base(row, first + 6)?,
        parents: json(row, first + 8)?,
        observed_at: moment(9)?,
        tokens: row.get(first + 10)?,
        content: Content {
            topic: Topic::from_stored(row.get(first + 11)?),
            title: row.get(first + 12)?,
            tags: json(row, first + 13)?,
            source: row.get(first + 14)?,
            fresh_for_days: row.get(first + 15)?,
            body: row.get(first + 16)?,
        },
        erased: row.get(first + 17)?,
        agent: agents::from_row(row, first + 18)?,
    })
}

/// Stores a revision.
pub(crate) fn add(
    connection: &Connection,
    unit: i64,
    revision: &Revision,
    event: i64,
) -> Result<()> {
    let agent = agents::key(connection, &revision.agent)?;
    let content = &revision.content;
    prepare(
        connection,
        "INSERT INTO revisions (unit, number, event, agent, at, outcome, retired, whole,
                 base_revision, base_delivered_at, parents, observed_at, tokens, topic, title,
                 tags, source, fresh_for_days, body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?18, ?19)",
    )?
    .execute(rusqlite::params![
        unit,
        revision.number,
        event,
        agent,
        revision.at.millis(),
        revision.outcome.as_str(),
        revision.retired,
        revision.whole,
        revision.base.map(|base| base.revision),
        revision.base.map(|base| base.delivered_at.millis()),
        to_json(&revision.parents)?,
        revision.observed_at.map(Timestamp::millis),
        revision.tokens,
        content.topic.as_str(),
        content.title,
        to_json(&content.tags)?,
        content.source,
        content.fresh_for_days,
        content.body,
    ])?;
    Ok(())
}

/// A unit's revision of this number.
pub(crate) fn get(connection: &Connection, unit: &UnitId, number: u32) -> Result<Option<Revision>> {
    let sql = format!(
        "SELECT {} FROM revisions r JOIN agents a ON a.key = r.agent
         WHERE r.unit = (SELECT key FROM units WHERE id = ?1) AND r.number = ?2",
        columns()
    );
    let mut statement = prepare(connection, &sql)?;
    let revision = statement.query_row((unit.as_str(), number), |row| from_row(row, 0));
    Ok(revision.optional()?)
}

/// A unit's revisions, newest first.
pub(crate) fn of_unit(
    connection: &Connection,
    unit: &UnitId,
    limit: usize,
) -> Result<Vec<Revision>> {
    let sql = format!(
        "SELECT {} FROM revisions r JOIN agents a ON a.key = r.agent
         WHERE r.unit = (SELECT key FROM units WHERE id = ?1)
         ORDER BY r.number DESC LIMIT ?2",
        columns()
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map((unit.as_str(), count(limit)), |row| from_row(row, 0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A unit's revisions whose text was seen to hold, or was written, at this
/// moment, oldest first.
pub(crate) fn dated(
    connection: &Connection,
    unit: &UnitId,
    at: Timestamp,
) -> Result<Vec<Revision>> {
    let sql = format!(
        "SELECT {} FROM revisions r JOIN agents a ON a.key = r.agent
         WHERE r.unit = (SELECT key FROM units WHERE id = ?1)
             AND coalesce(r.observed_at, r.at) = ?2
         ORDER BY r.number",
        columns()
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map((unit.as_str(), at.millis()), |row| from_row(row, 0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// How many revisions a unit has, and the tokens of their bodies.
pub(crate) fn totals(connection: &Connection, unit: &UnitId) -> Result<(u32, u64)> {
    let mut statement = prepare(
        connection,
        "SELECT count(*), total(tokens) FROM revisions
         WHERE unit = (SELECT key FROM units WHERE id = ?1)",
    )?;
    Ok(statement.query_row([unit.as_str()], |row| {
        Ok((row.get(0)?, row.get::<_, f64>(1)? as u64))
    })?)
}

/// Takes away what a revision said. `topic` stands in for its own.
pub(crate) fn erase(connection: &Connection, unit: i64, number: u32, topic: &str) -> Result<()> {
    prepare(
        connection,
        "UPDATE revisions SET topic = ?3, title = NULL, tags = '[]', source = NULL, body = '',
             tokens = 0, erased = 1 WHERE unit = ?1 AND number = ?2",
    )?
    .execute((unit, number, topic))?;
    Ok(())
}

/// The addresses that a unit's revisions name: topic and title.
pub(crate) fn addresses(
    connection: &Connection,
    unit: i64,
) -> Result<Vec<(u32, String, Option<String>)>> {
    let mut statement = prepare(
        connection,
        "SELECT number, topic, title FROM revisions WHERE unit = ?1",
    )?;
    let rows = statement.query_map([unit], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Removes all revisions of a unit.
pub(crate) fn remove(connection: &Connection, unit: i64) -> Result<()> {
    prepare(connection, "DELETE FROM revisions WHERE unit = ?1")?.execute([unit])?;
    Ok(())
}
