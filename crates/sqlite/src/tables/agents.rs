//! Agents, each once: connection, client and session.

use super::{connections, prepare};
use crate::error::Result;
use ozbrain_core::words::{Agent, Client};
use rusqlite::{Connection, OptionalExtension, Row};

pub(crate) const SCHEMA: &str = "
CREATE TABLE agents (
    key            INTEGER PRIMARY KEY,
    connection     TEXT NOT NULL,
    client_name    TEXT,
    client_version TEXT,
    session        TEXT NOT NULL
) STRICT;
CREATE INDEX agents_by_session ON agents (session, connection);
";

/// The columns that [`from_row`] reads, of a table named `who`.
pub(crate) fn columns(who: &str) -> String {
    format!("{who}.connection, {who}.client_name, {who}.client_version, {who}.session")
}

/// How many columns an agent has.
pub(crate) const WIDTH: usize = 4;

/// Reads an agent from the columns that start at `first`.
pub(crate) fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Agent> {
    let client: Option<String> = row.get(first + 1)?;
    Ok(Agent {
        connection: connections::name(row, first)?,
        client: match client {
            Some(name) => Some(Client {
                name,
                version: row.get(first + 2)?,
            }),
            None => None,
        },
        session: row.get(first + 3)?,
    })
}

/// The agent's key; the agent is added if it is new. Used by the store and by
/// the read log, whose table is the same.
pub(crate) fn key(connection: &Connection, agent: &Agent) -> Result<i64> {
    let values = (
        &agent.session,
        agent.connection.as_str(),
        agent.client.as_ref().map(|client| &client.name),
        agent.client.as_ref().map(|client| &client.version),
    );
    let mut find = prepare(
        connection,
        "SELECT key FROM agents WHERE session = ?1 AND connection = ?2
         AND client_name IS ?3 AND client_version IS ?4",
    )?;
    if let Some(key) = find.query_row(values, |row| row.get(0)).optional()? {
        return Ok(key);
    }
    prepare(
        connection,
        "INSERT INTO agents (session, connection, client_name, client_version)
             VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute(values)?;
    Ok(connection.last_insert_rowid())
}
