//! Links that sign the person in, and the tabs that were signed in with them.
//! No secret is stored, only its SHA-256.

use super::{events, prepare};
use crate::error::Result;
use ozbrain_core::ports::{SignIn, Tab};
use ozbrain_core::rules::signing_in::{LINK_LASTS, TAB_LASTS_DAYS};
use ozbrain_core::words::Timestamp;
use rusqlite::{Connection, OptionalExtension};

pub(crate) const SCHEMA: &str = "
CREATE TABLE sign_ins (
    token_hash BLOB PRIMARY KEY NOT NULL,
    at         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_ins_by_time ON sign_ins (at);
CREATE TABLE tabs (
    id          TEXT PRIMARY KEY NOT NULL,
    bearer_hash BLOB NOT NULL UNIQUE,
    began       INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    used_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX tabs_by_use ON tabs (used_at);
";

pub(crate) fn get(connection: &Connection, token_hash: &[u8; 32]) -> Result<Option<SignIn>> {
    let mut statement = prepare(connection, "SELECT at FROM sign_ins WHERE token_hash = ?1")?;
    let sign_in = statement.query_row([token_hash], |row| {
        Ok(SignIn {
            token_hash: *token_hash,
            at: Timestamp::from_millis(row.get(0)?),
        })
    });
    Ok(sign_in.optional()?)
}

/// Keeps a link. Those that can no longer be exchanged go.
pub(crate) fn put(connection: &Connection, sign_in: &SignIn) -> Result<()> {
    prepare(connection, "DELETE FROM sign_ins WHERE at <= ?1")?
        .execute([sign_in.at.millis().saturating_sub(LINK_LASTS)])?;
    prepare(
        connection,
        "INSERT INTO sign_ins (token_hash, at) VALUES (?1, ?2)",
    )?
    .execute((&sign_in.token_hash, sign_in.at.millis()))?;
    Ok(())
}

pub(crate) fn remove(connection: &Connection, token_hash: &[u8; 32]) -> Result<()> {
    prepare(connection, "DELETE FROM sign_ins WHERE token_hash = ?1")?.execute([token_hash])?;
    Ok(())
}

pub(crate) fn tab(connection: &Connection, bearer_hash: &[u8; 32]) -> Result<Option<Tab>> {
    let mut statement = prepare(
        connection,
        "SELECT id, began, created_at, used_at FROM tabs WHERE bearer_hash = ?1",
    )?;
    let tab = statement.query_row([bearer_hash], |row| {
        Ok(Tab {
            id: row.get(0)?,
            bearer_hash: *bearer_hash,
            began: events::id(row, 1)?,
            created_at: Timestamp::from_millis(row.get(2)?),
            used_at: Timestamp::from_millis(row.get(3)?),
        })
    });
    Ok(tab.optional()?)
}

/// Keeps or renews a tab. Those that are signed out by time go.
pub(crate) fn put_tab(connection: &Connection, tab: &Tab) -> Result<()> {
    prepare(
        connection,
        "INSERT INTO tabs (id, bearer_hash, began, created_at, used_at)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at",
    )?
    .execute((
        &tab.id,
        &tab.bearer_hash,
        events::place(tab.began),
        tab.created_at.millis(),
        tab.used_at.millis(),
    ))?;
    prepare(connection, "DELETE FROM tabs WHERE used_at <= ?1")?
        .execute([tab.used_at.plus_days(-TAB_LASTS_DAYS).millis()])?;
    Ok(())
}

pub(crate) fn remove_tab(connection: &Connection, bearer_hash: &[u8; 32]) -> Result<()> {
    prepare(connection, "DELETE FROM tabs WHERE bearer_hash = ?1")?.execute([bearer_hash])?;
    Ok(())
}
