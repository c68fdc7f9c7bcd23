//! HTTP sessions that outlive a restart of the server.

use super::{connections, events, prepare};
use crate::error::Result;
use ozbrain_core::ports::HttpSession;
use ozbrain_core::words::Timestamp;
use rusqlite::{Connection, OptionalExtension};

pub(crate) const SCHEMA: &str = "
CREATE TABLE http_sessions (
    id         TEXT PRIMARY KEY NOT NULL,
    connection TEXT NOT NULL,
    began      INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    greeting   TEXT NOT NULL
) STRICT;
CREATE INDEX http_sessions_by_time ON http_sessions (at);
";

/// Days after which an unused session goes.
const KEPT_DAYS: i64 = 30;

pub(crate) fn get(connection: &Connection, id: &str) -> Result<Option<HttpSession>> {
    let mut statement = prepare(
        connection,
        "SELECT id, connection, began, at, greeting FROM http_sessions WHERE id = ?1",
    )?;
    let session = statement.query_row([id], |row| {
        Ok(HttpSession {
            id: row.get(0)?,
            connection: connections::name(row, 1)?,
            began: events::id(row, 2)?,
            at: Timestamp::from_millis(row.get(3)?),
            greeting: row.get(4)?,
        })
    });
    Ok(session.optional()?)
}

/// Keeps or renews a session. The long unused go.
pub(crate) fn put(connection: &Connection, session: &HttpSession) -> Result<()> {
    prepare(
        connection,
        "INSERT INTO http_sessions (id, connection, began, at, greeting)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (id) DO UPDATE SET connection = excluded.connection,
                 began = excluded.began, at = excluded.at, greeting = excluded.greeting",
    )?
    .execute((
        &session.id,
        session.connection.as_str(),
        events::place(session.began),
        session.at.millis(),
        &session.greeting,
    ))?;
    prepare(connection, "DELETE FROM http_sessions WHERE at < ?1")?
        .execute([session.at.plus_days(-KEPT_DAYS).millis()])?;
    Ok(())
}

pub(crate) fn remove(connection: &Connection, id: &str) -> Result<()> {
    prepare(connection, "DELETE FROM http_sessions WHERE id = ?1")?.execute([id])?;
    Ok(())
}
