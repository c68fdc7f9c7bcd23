//! Keyword indexes: one FTS5 table a brain, so that what one brain says weighs
//! nothing in another. A row's id is its unit's key.
//!
//! The tables hold no text, only the terms that the analysis made of it: the
//! tokenizer has nothing left to do but to part them at spaces.

use super::units::{self, Conditions};
use super::{brains, count, prepare};
use crate::error::Result;
use ozbrain_core::ports::Narrow;
use ozbrain_core::rules::routing::{Analysed, WEIGHTS, analyse};
use ozbrain_core::shapes::Freshnesses;
use ozbrain_core::text::ANALYSIS_VERSION;
use ozbrain_core::words::BrainKey;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

fn table(brain: BrainKey) -> String {
    format!("keywords_{}", brain.0)
}

/// Makes a brain's index.
pub(crate) fn create(connection: &Connection, brain: BrainKey) -> Result<()> {
    connection.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {} USING fts5(title, topic, tags, body,
             content = '', contentless_delete = 1, tokenize = 'ascii')",
        table(brain)
    ))?;
    Ok(())
}

/// Writes a unit's terms, new or changed.
pub(crate) fn put(
    connection: &Connection,
    brain: BrainKey,
    key: i64,
    terms: &Analysed,
) -> Result<()> {
    prepare(
        connection,
        &format!(
            "INSERT OR REPLACE INTO {} (rowid, title, topic, tags, body)
             VALUES (?1, ?2, ?3, ?4, ?5)",
            table(brain)
        ),
    )?
    .execute((
        key,
        terms.title.join(" "),
        terms.topic.join(" "),
        terms.tags.join(" "),
        terms.body.join(" "),
    ))?;
    Ok(())
}

/// Takes a unit out of the index.
pub(crate) fn remove(connection: &Connection, brain: BrainKey, key: i64) -> Result<()> {
    prepare(
        connection,
        &format!("DELETE FROM {} WHERE rowid = ?1", table(brain)),
    )?
    .execute([key])?;
    Ok(())
}

/// Any of the terms, or a word that begins so. Each is a string of the query
/// language, in which nothing but the quote means anything, and which a NUL
/// would end.
fn any_of(terms: &[String], beginning: Option<&str>) -> Option<String> {
    let sound = |term: &&str| !term.is_empty() && !term.contains('\0');
    let quote = |term: &str| format!("\"{}\"", term.replace('"', "\"\""));
    let whole = terms.iter().map(String::as_str).filter(sound).map(quote);
    let begun = beginning.filter(sound).map(|term| quote(term) + "*");
    let any: Vec<String> = whole.chain(begun).collect();
    (!any.is_empty()).then(|| any.join(" OR "))
}

/// The keys of a brain's units that match best, with their scores, best first.
/// Only keys are sorted; cards are read for those that are left.
pub(crate) fn best(
    connection: &Connection,
    brain: BrainKey,
    terms: &[String],
    beginning: Option<&str>,
    narrow: Narrow<'_>,
    limit: usize,
) -> Result<Vec<(i64, f64)>> {
    let Some(question) = any_of(terms, beginning) else {
        return Ok(Vec::new());
    };
    let table = table(brain);
    let [title, topic, tags, body] = WEIGHTS;
    let narrowed =
        narrow.topic.is_some() || narrow.conflicted || narrow.freshness != Freshnesses::default();
    let (join, conditions) = if narrowed {
        (
            " CROSS JOIN units u ON u.key = k.rowid",
            Conditions::of(narrow),
        )
    } else {
        ("", Conditions::default())
    };
    let sql = format!(
        "SELECT k.rowid, bm25({table}, {title:?}, {topic:?}, {tags:?}, {body:?}) AS score
         FROM {table} k{join} WHERE {table} MATCH ?{} ORDER BY score LIMIT {}",
        conditions.sql,
        count(limit)
    );
    let mut values = vec![Value::Text(question)];
    values.extend(conditions.values);
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map(params_from_iter(values), |row| {
        Ok((row.get(0)?, -row.get::<_, f64>(1)?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Whether an index was written with another text analysis than this program's.
pub(crate) fn any_outdated(connection: &Connection) -> Result<bool> {
    Ok(brains::analyses(connection)?
        .iter()
        .any(|(_, version)| *version < ANALYSIS_VERSION))
}

/// Writes the indexes anew that an older analysis wrote, inside the caller's
/// transaction.
pub(crate) fn renew(connection: &Connection) -> Result<()> {
    for (brain, version) in brains::analyses(connection)? {
        if version >= ANALYSIS_VERSION {
            continue;
        }
        connection.execute_batch(&format!("DROP TABLE IF EXISTS {}", table(brain)))?;
        create(connection, brain)?;
        let mut after = i64::MIN;
        loop {
            let some = units::routed_after(connection, brain, after, 500)?;
            for (key, content) in &some {
                let terms = analyse(content);
                put(connection, brain, *key, &terms)?;
                units::set_fingerprint(connection, *key, terms.fingerprint)?;
                after = *key;
            }
            if some.is_empty() {
                break;
            }
        }
        brains::analysed(connection, brain)?;
    }
    Ok(())
}

/// Writes an index anew without the terms that it still holds of what was
/// taken out.
pub(crate) fn forget(connection: &Connection, brain: BrainKey) -> Result<()> {
    let table = table(brain);
    connection.execute_batch(&format!(
        "INSERT INTO {table} ({table}) VALUES ('optimize')"
    ))?;
    Ok(())
}

/// Removes a brain's index.
pub(crate) fn destroy(connection: &Connection, brain: BrainKey) -> Result<()> {
    connection.execute_batch(&format!("DROP TABLE IF EXISTS {}", table(brain)))?;
    Ok(())
}
