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
            disputed: word(row, revisions::WIDTH, |names| {
                names.split_whitespace().map(Field::parse).collect()
            })?,
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
