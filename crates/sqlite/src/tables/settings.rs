//! What the person chose, and what they were told.

use super::{events, prepare, word};
use crate::error::Result;
use ozbrain_core::ports::TellingSoFar;
use ozbrain_core::words::{
    BrainKey, ConnectionName, EventId, Minute, Opened, QuietHours, Settings, Timestamp, UnitId,
};
use rusqlite::{Connection, Row};

/// Minutes are those of the person's day. `digested` is when the last digest
/// was made. `notices` has a row for a brain that was muted once or of which a
/// conflict was told: `told` is the newest event of that moment. `unread` has the
/// ids of units whose conflict was told in a notice that nobody saw to.
pub(crate) const SCHEMA: &str = "
CREATE TABLE settings (
    one           INTEGER PRIMARY KEY CHECK (one = 1),
    notifications INTEGER NOT NULL DEFAULT 1,
    paused_until  INTEGER,
    quiet_from    INTEGER,
    quiet_until   INTEGER,
    digest_at     INTEGER DEFAULT 540,
    digested      INTEGER
) STRICT;
INSERT INTO settings (one) VALUES (1);
CREATE TABLE notices (
    brain INTEGER PRIMARY KEY REFERENCES brains (key),
    muted INTEGER NOT NULL DEFAULT 0,
    told  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE unread (unit TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
";

/// What the person chose.
pub(crate) fn get(connection: &Connection) -> Result<Settings> {
    let mut statement = prepare(
        connection,
        "SELECT notifications, paused_until, quiet_from, quiet_until, digest_at
         FROM settings WHERE one = 1",
    )?;
    let mut settings = statement.query_row([], |row| {
        let paused: Option<i64> = row.get(1)?;
        let quiet = match (minute(row, 2)?, minute(row, 3)?) {
            (Some(from), Some(until)) => Some(QuietHours { from, until }),
            _ => None,
        };
        Ok(Settings {
            notifications: row.get(0)?,
            paused_until: paused.map(Timestamp::from_millis),
            quiet,
            digest_at: minute(row, 4)?,
            muted: std::collections::BTreeSet::new(),
        })
    })?;
    let mut statement = prepare(connection, "SELECT brain FROM notices WHERE muted = 1")?;
    let muted = statement.query_map([], |row| row.get(0).map(BrainKey))?;
    settings.muted = muted.collect::<rusqlite::Result<_>>()?;
    Ok(settings)
}

fn minute(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Minute>> {
    let stored: Option<u16> = row.get(column)?;
    Ok(stored.and_then(Minute::new))
}

/// Stores what the person chose.
pub(crate) fn put(connection: &Connection, settings: &Settings) -> Result<()> {
    prepare(
        connection,
        "UPDATE settings SET notifications = ?1, paused_until = ?2, quiet_from = ?3,
             quiet_until = ?4, digest_at = ?5 WHERE one = 1",
    )?
    .execute((
        settings.notifications,
        settings.paused_until.map(Timestamp::millis),
        settings.quiet.map(|it| it.from.number()),
        settings.quiet.map(|it| it.until.number()),
        settings.digest_at.map(Minute::number),
    ))?;
    prepare(connection, "UPDATE notices SET muted = 0 WHERE muted = 1")?.execute([])?;
    for brain in &settings.muted {
        prepare(
            connection,
            "INSERT INTO notices (brain, muted) VALUES (?1, 1)
             ON CONFLICT (brain) DO UPDATE SET muted = 1",
        )?
        .execute([brain.0])?;
    }
    Ok(())
}

/// What was told so far.
pub(crate) fn telling(connection: &Connection) -> Result<TellingSoFar> {
    let mut statement = prepare(connection, "SELECT digested FROM settings WHERE one = 1")?;
    let digested: Option<i64> = statement.query_row([], |row| row.get(0))?;
    let mut statement = prepare(connection, "SELECT brain, told FROM notices")?;
    let told = statement.query_map([], |row| Ok((BrainKey(row.get(0)?), events::id(row, 1)?)))?;
    let told = told.collect::<rusqlite::Result<_>>()?;
    let mut statement = prepare(connection, "SELECT unit FROM unread")?;
    let unread = statement.query_map([], |row| word(row, 0, UnitId::parse))?;
    Ok(TellingSoFar {
        told,
        unread: unread.collect::<rusqlite::Result<_>>()?,
        digested: digested.map(Timestamp::from_millis),
    })
}

/// Notes that a brain's conflicts were told up to an event.
pub(crate) fn told(connection: &Connection, brain: BrainKey, event: EventId) -> Result<()> {
    prepare(
        connection,
        "INSERT INTO notices (brain, told) VALUES (?1, ?2)
         ON CONFLICT (brain) DO UPDATE SET told = excluded.told",
    )?
    .execute((brain.0, events::place(event)))?;
    Ok(())
}

/// Notes that a notice of a unit's conflict stands unseen, or no longer.
pub(crate) fn unread(connection: &Connection, unit: &UnitId, unread: bool) -> Result<()> {
    let change = if unread {
        "INSERT OR IGNORE INTO unread (unit) VALUES (?1)"
    } else {
        "DELETE FROM unread WHERE unit = ?1"
    };
    prepare(connection, change)?.execute([unit.as_str()])?;
    Ok(())
}

/// Notes when a digest was made.
pub(crate) fn digested(connection: &Connection, at: Timestamp) -> Result<()> {
    prepare(
        connection,
        "UPDATE settings SET digested = ?1 WHERE one = 1",
    )?
    .execute([at.millis()])?;
    Ok(())
}

/// Forgets a brain: it is erased.
pub(crate) fn forget(connection: &Connection, brain: BrainKey) -> Result<()> {
    prepare(connection, "DELETE FROM notices WHERE brain = ?1")?.execute([brain.0])?;
    Ok(())
}

/// The open conflicts of a brain that were opened after an event, oldest first:
/// by the revision that came after the first one displaced. No head is older
/// than the conflict it stands in, so the index of heads finds them all.
pub(crate) fn opened_after(
    connection: &Connection,
    brain: BrainKey,
    after: EventId,
) -> Result<Vec<Opened>> {
    let mut statement = prepare(
        connection,
        "SELECT u.id, e.id, e.at, e.connection FROM units u INDEXED BY conflicts_by_change
         CROSS JOIN sides s ON s.unit = u.key AND s.place = 0
         CROSS JOIN revisions r ON r.unit = u.key AND r.number = s.revision + 1
         CROSS JOIN events e ON e.id = r.event
         WHERE u.brain = ?1 AND u.conflicted = 1 AND u.changed > ?2 AND e.id > ?2",
    )?;
    let rows = statement.query_map((brain.0, events::place(after)), |row| {
        Ok(Opened {
            unit: word(row, 0, UnitId::parse)?,
            brain,
            event: events::id(row, 1)?,
            at: Timestamp::from_millis(row.get(2)?),
            by: word(row, 3, |name| ConnectionName::parse(name).ok())?,
        })
    })?;
    let mut opened = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    opened.sort_by_key(|one| one.event);
    Ok(opened)
}
