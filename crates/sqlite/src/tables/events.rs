//! Events: the store's one order.

use super::{agents, brains, count, prepare, sides, units, word};
use crate::error::Result;
use ozbrain_core::ports::Happened;
use ozbrain_core::words::{
    Act, Before, BrainKey, Confirmed, ConnectionName, Event, EventId, EventKind, Timestamp, UnitId,
};
use rusqlite::{Connection, OptionalExtension, Row};

/// AUTOINCREMENT: a place in the order is never given twice, even after the
/// person erased its event. `sequence` is the place within the brain.
pub(crate) const SCHEMA: &str = "
CREATE TABLE events (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    brain    INTEGER REFERENCES brains (key),
    sequence INTEGER,
    unit     INTEGER REFERENCES units (key),
    revision INTEGER,
    kind     TEXT NOT NULL,
    agent    INTEGER NOT NULL REFERENCES agents (key),
    at       INTEGER NOT NULL,
    detail   TEXT
) STRICT;
CREATE INDEX events_by_unit ON events (unit) WHERE unit IS NOT NULL;
";

/// What stood before an act, so that it can be undone; all NULL where nothing
/// is known. `of_event` is the event that this one goes with: see [`Act::of`].
pub(crate) const BEFORE: &str = "
ALTER TABLE events ADD COLUMN of_event INTEGER;
ALTER TABLE events ADD COLUMN before_revision INTEGER;
ALTER TABLE events ADD COLUMN before_anchor INTEGER;
ALTER TABLE events ADD COLUMN before_confirmed_at INTEGER;
ALTER TABLE events ADD COLUMN before_confirmed_by INTEGER REFERENCES agents (key);
ALTER TABLE events ADD COLUMN before_sides TEXT;
ALTER TABLE events ADD COLUMN before_later INTEGER;
";

/// A unit's row and sides as they stood before a change, for its event.
pub(crate) struct Stood {
    pub(crate) revision: u32,
    pub(crate) anchor: i64,
    pub(crate) confirmed_at: Option<i64>,
    pub(crate) confirmed_by: Option<i64>,
    pub(crate) sides: String,
    pub(crate) later: Option<i64>,
}

/// `connection` is the agent's: what one did is found without its sessions.
pub(crate) const SCHEMA_2: &str = "
ALTER TABLE events ADD COLUMN connection TEXT NOT NULL DEFAULT '';
UPDATE events SET connection = (SELECT connection FROM agents WHERE key = events.agent);
CREATE INDEX events_by_connection ON events (connection);
CREATE INDEX events_by_brain ON events (brain);
";

/// What was undone is found by what was undone.
pub(crate) const UNDONE: &str = "
CREATE INDEX events_undone ON events (of_event) WHERE kind = 'undone';
";

/// What a connection last wrote, and its first call, are found past all else
/// that it did.
pub(crate) const CLIENTS: &str = "
CREATE INDEX events_written ON events (connection)
    WHERE kind IN ('created', 'updated', 'conflicted');
CREATE INDEX events_called ON events (connection) WHERE kind = 'client_called';
";

/// An event id as the engine counts.
pub(crate) fn place(id: EventId) -> i64 {
    i64::try_from(id).unwrap_or(i64::MAX)
}

/// Reads an event id.
pub(crate) fn id(row: &Row<'_>, column: usize) -> rusqlite::Result<EventId> {
    let id: i64 = row.get(column)?;
    u64::try_from(id).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, id))
}

/// Events `e` by agents `a`, of units `u`.
const FROM: &str = " FROM events e JOIN agents a ON a.key = e.agent
         LEFT JOIN units u ON u.key = e.unit";

fn fields() -> String {
    format!(
        "e.id, e.kind, e.brain, u.id, e.revision, e.at, e.detail, {}",
        agents::columns("a")
    )
}

/// The columns that [`from_row`] reads, and where from: events `e`, units `u`.
pub(crate) fn columns() -> String {
    fields() + FROM
}

/// Reads an event.
pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Event> {
    Ok(Event {
        id: id(row, 0)?,
        kind: word(row, 1, EventKind::parse)?,
        brain: row.get::<_, Option<i64>>(2)?.map(BrainKey),
        unit: match row.get_ref(3)?.as_str_or_null()? {
            Some(_) => Some(word(row, 3, UnitId::parse)?),
            None => None,
        },
        revision: row.get(4)?,
        at: Timestamp::from_millis(row.get(5)?),
        detail: row.get(6)?,
        agent: agents::from_row(row, 7)?,
    })
}

/// Records an event and gives it its place.
pub(crate) fn add(
    connection: &Connection,
    event: &Event,
    of: Option<i64>,
    before: Option<&Stood>,
) -> Result<i64> {
    let sequence = match event.brain {
        Some(brain) => Some(brains::next_sequence(connection, brain)?),
        None => None,
    };
    let unit = match &event.unit {
        Some(unit) => Some(units::key(connection, unit)?),
        None => None,
    };
    let agent = agents::key(connection, &event.agent)?;
    prepare(
        connection,
        "INSERT INTO events (brain, sequence, unit, revision, kind, agent, at, detail, of_event,
                 before_revision, before_anchor, before_confirmed_at, before_confirmed_by,
                 before_sides, before_later, connection)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
    )?
    .execute(rusqlite::params![
        event.brain.map(|brain| brain.0),
        sequence,
        unit,
        event.revision,
        event.kind.as_str(),
        agent,
        event.at.millis(),
        event.detail,
        of,
        before.map(|stood| stood.revision),
        before.map(|stood| stood.anchor),
        before.and_then(|stood| stood.confirmed_at),
        before.and_then(|stood| stood.confirmed_by),
        before.map(|stood| stood.sides.as_str()),
        before.and_then(|stood| stood.later),
        event.agent.connection.as_str(),
    ])?;
    Ok(connection.last_insert_rowid())
}

/// A unit's events, newest first.
pub(crate) fn of_unit(connection: &Connection, unit: &UnitId, limit: usize) -> Result<Vec<Event>> {
    let sql = format!(
        "SELECT {} WHERE e.unit = (SELECT key FROM units WHERE id = ?1)
         ORDER BY e.id DESC LIMIT ?2",
        columns()
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map((unit.as_str(), count(limit)), from_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Events after a place, oldest first.
pub(crate) fn after(connection: &Connection, after: EventId, limit: usize) -> Result<Vec<Event>> {
    let sql = format!(
        "SELECT {} WHERE e.id > ?1 ORDER BY e.id LIMIT ?2",
        columns()
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map((place(after), count(limit)), from_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The newest event; 0 if there is none.
pub(crate) fn last(connection: &Connection) -> Result<EventId> {
    let mut statement = prepare(connection, "SELECT id FROM events ORDER BY id DESC LIMIT 1")?;
    Ok(statement
        .query_row([], |row| id(row, 0))
        .optional()?
        .unwrap_or(0))
}

/// The columns that [`act_from_row`] reads, and where from.
fn acts() -> String {
    format!(
        "{}, e.of_event, e.before_revision, e.before_anchor, e.before_confirmed_at,
         e.before_sides, e.before_later, {}{FROM}
         LEFT JOIN agents b ON b.key = e.before_confirmed_by",
        fields(),
        agents::columns("b")
    )
}

fn act_from_row(row: &Row<'_>) -> rusqlite::Result<Act> {
    const FIRST: usize = 7 + agents::WIDTH;
    let moment = |column: usize| -> rusqlite::Result<Option<Timestamp>> {
        Ok(row
            .get::<_, Option<i64>>(FIRST + column)?
            .map(Timestamp::from_millis))
    };
    let of: Option<i64> = row.get(FIRST)?;
    let before = match row.get(FIRST + 1)? {
        Some(revision) => Some(Before {
            revision,
            anchor: moment(2)?.unwrap_or_default(),
            confirmed: match moment(3)? {
                Some(at) => Some(Confirmed {
                    at,
                    by: agents::from_row(row, FIRST + 6)?,
                }),
                None => None,
            },
            sides: word(row, FIRST + 4, sides::parse)?,
            later_until: moment(5)?,
        }),
        None => None,
    };
    Ok(Act {
        event: from_row(row)?,
        of: of.and_then(|of| EventId::try_from(of).ok()),
        before,
    })
}

/// An event with what stood before it.
pub(crate) fn act(connection: &Connection, event: EventId) -> Result<Option<Act>> {
    let sql = format!("SELECT {} WHERE e.id = ?1", acts());
    let mut statement = prepare(connection, &sql)?;
    Ok(statement
        .query_row([place(event)], act_from_row)
        .optional()?)
}

/// What changed a unit after an event, oldest first.
pub(crate) fn acts_after(
    connection: &Connection,
    unit: &UnitId,
    after: EventId,
) -> Result<Vec<Act>> {
    let sql = format!(
        "SELECT {} WHERE e.unit = (SELECT key FROM units WHERE id = ?1) AND e.id > ?2
         AND e.before_revision IS NOT NULL ORDER BY e.id",
        acts()
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map((unit.as_str(), place(after)), act_from_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The newest undo of an event.
pub(crate) fn undo_of(connection: &Connection, event: EventId) -> Result<Option<Event>> {
    let sql = format!(
        "SELECT {} WHERE e.of_event = ?1 AND e.kind = 'undone' ORDER BY e.id DESC LIMIT 1",
        columns().replace("events e", "events e INDEXED BY events_undone")
    );
    let mut statement = prepare(connection, &sql)?;
    Ok(statement.query_row([place(event)], from_row).optional()?)
}

/// Takes the texts out of a unit's events, or of those about one revision.
/// That of a join is the other unit's id, no text.
pub(crate) fn strip(connection: &Connection, unit: i64, revision: Option<u32>) -> Result<()> {
    prepare(
        connection,
        "UPDATE events SET detail = NULL WHERE unit = ?1 AND detail IS NOT NULL
         AND (?2 IS NULL OR (revision = ?2 AND kind NOT IN ('joined', 'undone')))",
    )?
    .execute((unit, revision))?;
    Ok(())
}

/// Removes the events of a brain, and the one that it was made by.
pub(crate) fn forget(connection: &Connection, brain: BrainKey) -> Result<()> {
    connection.execute("DELETE FROM events WHERE brain = ?1", [brain.0])?;
    connection.execute(
        "DELETE FROM events WHERE brain IS NULL AND kind = ?2
         AND detail = (SELECT name FROM brains WHERE key = ?1)",
        (brain.0, EventKind::BrainCreated.as_str()),
    )?;
    Ok(())
}

/// Brains' keys, for a list in a query.
pub(crate) fn keys(brains: &[BrainKey]) -> String {
    let keys: Vec<String> = brains.iter().map(|brain| brain.0.to_string()).collect();
    keys.join(", ")
}

/// An event.
pub(crate) fn get(connection: &Connection, id: EventId) -> Result<Option<Event>> {
    let sql = format!("SELECT {} WHERE e.id = ?1", columns());
    let mut statement = prepare(connection, &sql)?;
    Ok(statement.query_row([place(id)], from_row).optional()?)
}

/// A unit's events before a place, newest first.
pub(crate) fn of_unit_before(
    connection: &Connection,
    unit: &UnitId,
    before: Option<EventId>,
    limit: usize,
) -> Result<Vec<Event>> {
    let sql = format!(
        "SELECT {} WHERE e.unit = (SELECT key FROM units WHERE id = ?1) AND e.id < ?2
         ORDER BY e.id DESC LIMIT ?3",
        columns()
    );
    let mut statement = prepare(connection, &sql)?;
    let before = before.map_or(i64::MAX, place);
    let rows = statement.query_map((unit.as_str(), before, count(limit)), from_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Events, newest first. Each brain has its own order in an index, so that
/// what happened elsewhere is not even passed over.
pub(crate) fn happened(
    connection: &Connection,
    happened: Happened<'_>,
    limit: usize,
) -> Result<Vec<Event>> {
    let before = happened.before.map_or(i64::MAX, place);
    if let Some(name) = happened.connection {
        let elsewhere = if happened.elsewhere {
            " OR e.brain IS NULL"
        } else {
            ""
        };
        let sql = format!(
            "SELECT {} WHERE e.connection = ?1 AND e.id < ?2 AND (e.brain IN ({}){elsewhere})
             ORDER BY e.id DESC LIMIT ?3",
            columns().replace("events e", "events e INDEXED BY events_by_connection"),
            keys(happened.brains)
        );
        let mut statement = prepare(connection, &sql)?;
        let rows = statement.query_map((name.as_str(), before, count(limit)), from_row)?;
        return Ok(rows.collect::<rusqlite::Result<_>>()?);
    }
    let sql = format!(
        "SELECT {} WHERE e.brain IS ?1 AND e.id < ?2 ORDER BY e.id DESC LIMIT ?3",
        columns().replace("events e", "events e INDEXED BY events_by_brain")
    );
    let mut statement = prepare(connection, &sql)?;
    let mut all = Vec::new();
    let brains = happened.brains.iter().map(|brain| Some(brain.0));
    for brain in brains.chain(happened.elsewhere.then_some(None)) {
        let rows = statement.query_map((brain, before, count(limit)), from_row)?;
        for row in rows {
            all.push(row?);
        }
    }
    all.sort_by_key(|event| std::cmp::Reverse(event.id));
    all.truncate(limit);
    Ok(all)
}

/// What a connection did in these brains, or in none, since a moment, newest
/// first: of several events of one act the first. An undo is of what it took
/// back.
pub(crate) fn done_since(
    connection: &Connection,
    brains: &[BrainKey],
    name: &ConnectionName,
    since: Timestamp,
) -> Result<Vec<Act>> {
    let sql = format!(
        "SELECT {} WHERE e.connection = ?1 AND (e.of_event IS NULL OR e.kind = 'undone')
         ORDER BY e.id DESC",
        acts().replace("events e", "events e INDEXED BY events_by_connection")
    );
    let mut statement = prepare(connection, &sql)?;
    let mut rows = statement.query([name.as_str()])?;
    let mut done = Vec::new();
    while let Some(row) = rows.next()? {
        let act = act_from_row(row)?;
        if act.event.at < since {
            break;
        }
        if act.event.brain.is_none_or(|brain| brains.contains(&brain)) {
            done.push(act);
        }
    }
    Ok(done)
}

/// The event of the newest revision that a connection wrote.
pub(crate) fn last_written(
    connection: &Connection,
    name: &ConnectionName,
) -> Result<Option<Event>> {
    newest(
        connection,
        name,
        "events_written",
        "e.kind IN ('created', 'updated', 'conflicted')",
    )
}

/// A connection's newest first call.
pub(crate) fn first_call(connection: &Connection, name: &ConnectionName) -> Result<Option<Event>> {
    newest(
        connection,
        name,
        "events_called",
        "e.kind = 'client_called'",
    )
}

fn newest(
    connection: &Connection,
    name: &ConnectionName,
    index: &str,
    kinds: &str,
) -> Result<Option<Event>> {
    let sql = format!(
        "SELECT {} WHERE e.connection = ?1 AND {kinds} ORDER BY e.id DESC LIMIT 1",
        columns().replace("events e", &format!("events e INDEXED BY {index}"))
    );
    let mut statement = prepare(connection, &sql)?;
    Ok(statement.query_row([name.as_str()], from_row).optional()?)
}

/// When a connection last did anything.
pub(crate) fn last_by(connection: &Connection, name: &ConnectionName) -> Result<Option<Timestamp>> {
    let mut statement = prepare(
        connection,
        "SELECT at FROM events INDEXED BY events_by_connection WHERE connection = ?1
         ORDER BY id DESC LIMIT 1",
    )?;
    let at = statement.query_row([name.as_str()], |row| row.get(0));
    Ok(at.optional()?.map(Timestamp::from_millis))
}
