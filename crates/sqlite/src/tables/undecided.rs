//! Events of the Inbox that wait until the person puts them away: what agents
//! settled in their name, connections that came by themselves, and clients whose
//! entry is lost.

use super::{count, events, prepare};
use crate::error::Result;
use ozbrain_core::words::{BrainKey, Event, EventId, EventKind};
use rusqlite::Connection;

/// `problem` is 1 for a connection or a client, 0 for what was settled. The events that were
/// stored before wait too.
pub(crate) const SCHEMA: &str = "
CREATE TABLE undecided (
    problem INTEGER NOT NULL,
    event   INTEGER NOT NULL UNIQUE REFERENCES events (id),
    PRIMARY KEY (problem, event)
) STRICT, WITHOUT ROWID;
INSERT INTO undecided (problem, event)
    SELECT kind = 'connection_created', id FROM events
    WHERE (kind IN ('resolved', 'confirmed') AND connection <> 'you')
        OR (kind = 'connection_created' AND connection NOT IN ('you', 'cli'));
";

/// Notes an event that was just stored, if it waits for the person. Of what one
/// unit was decided in their name the last waits.
pub(crate) fn note(connection: &Connection, event: &Event, id: i64) -> Result<()> {
    let by = event.agent.connection.as_str();
    match event.kind {
        EventKind::Resolved | EventKind::Confirmed if by != "you" => {
            prepare(
                connection,
                "DELETE FROM undecided WHERE event IN (
                     SELECT o.id FROM events n JOIN events o ON o.unit = n.unit
                     WHERE n.id = ?1 AND o.id < ?1 AND o.kind = n.kind)",
            )?
            .execute([id])?;
        }
        EventKind::ConnectionCreated if by != "you" && by != "cli" => {}
        EventKind::ClientLost => {}
        _ => return Ok(()),
    }
    wait(connection, id)
}

fn wait(connection: &Connection, id: i64) -> Result<()> {
    prepare(
        connection,
        "INSERT OR IGNORE INTO undecided (problem, event)
         SELECT kind IN ('connection_created', 'client_lost'), id FROM events WHERE id = ?1",
    )?
    .execute([id])?;
    Ok(())
}

/// Puts an event away, or back.
pub(crate) fn put(connection: &Connection, event: EventId, away: bool) -> Result<()> {
    let id = events::place(event);
    if away {
        prepare(connection, "DELETE FROM undecided WHERE event = ?1")?.execute([id])?;
        return Ok(());
    }
    wait(connection, id)
}

/// Forgets what waits of a brain: its events go.
pub(crate) fn forget(connection: &Connection, brain: BrainKey) -> Result<()> {
    prepare(
        connection,
        "DELETE FROM undecided WHERE event IN (SELECT id FROM events WHERE brain = ?1)",
    )?
    .execute([brain.0])?;
    Ok(())
}

/// Forgets what waits of a unit: it is erased.
pub(crate) fn forget_unit(connection: &Connection, unit: i64) -> Result<()> {
    prepare(
        connection,
        "DELETE FROM undecided WHERE event IN (SELECT id FROM events WHERE unit = ?1)",
    )?
    .execute([unit])?;
    Ok(())
}

/// Whether an event waits for the person.
pub(crate) fn is(connection: &Connection, event: EventId) -> Result<bool> {
    let mut statement = prepare(connection, "SELECT 1 FROM undecided WHERE event = ?1")?;
    Ok(statement.exists([events::place(event)])?)
}

/// Whether an event would wait, had nobody put it away.
pub(crate) fn stands(connection: &Connection, brains: &[BrainKey], event: EventId) -> Result<bool> {
    let sql = format!(
        "SELECT 1 FROM events e LEFT JOIN units u ON u.key = e.unit
         WHERE e.id = ?1 AND CASE WHEN e.kind IN ('connection_created', 'client_lost')
             THEN {PROBLEM} ELSE {} END",
        decision(brains)
    );
    Ok(prepare(connection, &sql)?.exists([events::place(event)])?)
}

/// How often in a row an event `e` was undone, that undo undone, and so on. It
/// stands while that is even.
const UNDONE: &str = "WITH RECURSIVE undoing (id) AS (
        SELECT e.id
        UNION ALL
        SELECT (SELECT max(x.id) FROM events x
                WHERE x.unit = e.unit AND x.kind = 'undone' AND x.of_event = undoing.id)
        FROM undoing WHERE undoing.id IS NOT NULL)
    SELECT count(id) - 1 FROM undoing";

/// What agents settled or confirmed that stands and was not put away: newest
/// first, and how many in all. A resolve stands until another one of its unit,
/// and unless it is undone; a confirm until the head is confirmed or changed
/// again. What was joined or erased is asked about no more.
pub(crate) fn decisions(
    connection: &Connection,
    brains: &[BrainKey],
    offset: usize,
    limit: usize,
) -> Result<(Vec<Event>, u32)> {
    let conditions = format!("d.problem = 0 AND {}", decision(brains));
    waiting(connection, &conditions, offset, limit)
}

/// Whether what an event `e` decided of a unit `u` stands.
fn decision(brains: &[BrainKey]) -> String {
    format!(
        "e.brain IN ({}) AND u.retired <> 2
         AND CASE e.kind
             WHEN 'confirmed' THEN u.confirmed_at = e.at AND u.confirmed_by = e.agent
             ELSE NOT EXISTS (SELECT 1 FROM events x WHERE x.unit = e.unit AND x.id > e.id
                 AND x.kind = 'resolved')
                 AND ({UNDONE}) % 2 = 0
             END",
        events::keys(brains)
    )
}

/// Whether the client that an event `e` speaks of is still lost by it, or the
/// connection is not revoked.
const PROBLEM: &str = "CASE e.kind
     WHEN 'client_lost' THEN EXISTS (SELECT 1 FROM lost_clients l WHERE l.event = e.id)
     ELSE EXISTS (SELECT 1 FROM connections c
         WHERE c.name = e.detail AND c.revoked_at IS NULL) END";

/// Connections that came by themselves and are not revoked, and clients whose
/// entry is lost, that were not put away.
pub(crate) fn problems(
    connection: &Connection,
    offset: usize,
    limit: usize,
) -> Result<(Vec<Event>, u32)> {
    let conditions = format!("d.problem = 1 AND {PROBLEM}");
    waiting(connection, &conditions, offset, limit)
}

fn waiting(
    connection: &Connection,
    conditions: &str,
    offset: usize,
    limit: usize,
) -> Result<(Vec<Event>, u32)> {
    let sql = format!(
        "SELECT count(*) FROM undecided d CROSS JOIN events e ON e.id = d.event
         LEFT JOIN units u ON u.key = e.unit WHERE {conditions}"
    );
    let total = prepare(connection, &sql)?.query_row([], |row| row.get(0))?;
    if limit == 0 || offset >= usize::try_from(total).unwrap_or(usize::MAX) {
        return Ok((Vec::new(), total));
    }
    let sql = format!(
        "SELECT {} WHERE {conditions} ORDER BY d.event DESC LIMIT {} OFFSET {}",
        events::columns().replace(
            "FROM events e ",
            "FROM undecided d CROSS JOIN events e ON e.id = d.event "
        ),
        count(limit),
        count(offset)
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map([], events::from_row)?;
    Ok((rows.collect::<rusqlite::Result<_>>()?, total))
}
