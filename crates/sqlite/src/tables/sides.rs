//! The displaced revisions of open conflicts.

use super::{count, prepare, revisions, word};
use crate::error::Result;
use ozbrain_core::words::{Field, Side, Unit};
use rusqlite::Connection;

/// `disputed` holds the names of fields with a space between.
pub(crate) const SCHEMA: &str = "
CREATE TABLE sides (
    unit     INTEGER NOT NULL REFERENCES units (key),
    place    INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    disputed TEXT NOT NULL,
    PRIMARY KEY (unit, place)
) STRICT, WITHOUT ROWID;
";

/// A unit's sides, oldest first.
pub(crate) fn of_unit(connection: &Connection, unit: i64) -> Result<Vec<Side>> {
    let sql = format!(
        "SELECT {}, s.disputed FROM sides s
         JOIN revisions r ON r.unit = s.unit AND r.number = s.revision
         JOIN agents a ON a.key = r.agent WHERE s.unit = ?1 ORDER BY s.place",
        revisions::columns()
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map([unit], |row| {
        Ok(Side {
            revision: revisions::from_row(row, 0)?,
            disputed: word(row, revisions::WIDTH, fields)?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Stores the sides as they now are.
pub(crate) fn put(connection: &Connection, key: i64, unit: &Unit) -> Result<()> {
    prepare(connection, "DELETE FROM sides WHERE unit = ?1")?.execute([key])?;
    for (place, side) in unit.sides.iter().enumerate() {
        let disputed: Vec<&str> = side.disputed.iter().map(|field| field.as_str()).collect();
        prepare(
            connection,
            "INSERT INTO sides (unit, place, revision, disputed) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute((key, count(place), side.revision.number, disputed.join(" ")))?;
    }
    Ok(())
}

fn fields(names: &str) -> Option<Vec<Field>> {
    names.split_whitespace().map(Field::parse).collect()
}

/// A unit's sides in one text, for an event to keep: `3 body tags;5 body`.
pub(crate) fn noted(connection: &Connection, unit: i64) -> Result<String> {
    let mut statement = prepare(
        connection,
        "SELECT revision, disputed FROM sides WHERE unit = ?1 ORDER BY place",
    )?;
    let rows = statement.query_map([unit], |row| {
        let (revision, disputed): (u32, String) = (row.get(0)?, row.get(1)?);
        Ok(format!("{revision} {disputed}"))
    })?;
    let sides: Vec<String> = rows.collect::<rusqlite::Result<_>>()?;
    Ok(sides.join(";"))
}

/// Reads what [`noted`] wrote.
pub(crate) fn parse(text: &str) -> Option<Vec<(u32, Vec<Field>)>> {
    let sides = text.split(';').filter(|side| !side.is_empty());
    sides
        .map(|side| {
            let (revision, disputed) = side.split_once(' ')?;
            Some((revision.parse().ok()?, fields(disputed)?))
        })
        .collect()
}

/// Removes a unit's sides.
pub(crate) fn remove(connection: &Connection, unit: i64) -> Result<()> {
    prepare(connection, "DELETE FROM sides WHERE unit = ?1")?.execute([unit])?;
    Ok(())
}
