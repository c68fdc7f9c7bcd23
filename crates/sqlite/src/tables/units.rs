//! Units as they stand: what a pointer needs lies in one row, the body with its
//! revision.

use super::events::Stood;
use super::{
    addresses, agents, count, folded, json, keywords, prepare, revisions, sides, to_json, word,
};
use crate::error::{Error, Result};
use ozbrain_core::ports::{Card, Counts, Narrow};
use ozbrain_core::rules::routing::{Analysed, analyse};
use ozbrain_core::shapes::Freshnesses;
use ozbrain_core::text;
use ozbrain_core::words::{Ages, BrainKey, Confirmed, Measures, Timestamp, Topic, Unit, UnitId};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};

/// `routed` is `retired = 0 OR conflicted = 1`. `pieces` stands last, so that
/// what comes before it is read without it. Counting and listing need no more
/// than `units_by_topic`.
pub(crate) const SCHEMA: &str = "
CREATE TABLE units (
    key          INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    brain        INTEGER NOT NULL REFERENCES brains (key),
    topic        TEXT NOT NULL,
    title        TEXT,
    title_folded TEXT NOT NULL,
    revision     INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    retired      INTEGER NOT NULL,
    conflicted   INTEGER NOT NULL,
    routed       INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    anchor       INTEGER NOT NULL,
    aging_at     INTEGER NOT NULL,
    stale_at     INTEGER NOT NULL,
    confirmed_at INTEGER,
    confirmed_by INTEGER REFERENCES agents (key),
    fingerprint  INTEGER NOT NULL,
    tokens       INTEGER NOT NULL,
    id_tokens    INTEGER NOT NULL,
    topic_tokens INTEGER NOT NULL,
    title_tokens INTEGER NOT NULL,
    pieces       TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX units_by_address ON units (brain, topic, title_folded);
CREATE INDEX units_by_topic
    ON units (brain, topic, retired, conflicted, anchor, aging_at, stale_at, tokens);
CREATE INDEX units_by_anchor ON units (brain, anchor) WHERE routed = 1;
CREATE INDEX units_in_conflict ON units (brain, anchor) WHERE conflicted = 1;
CREATE INDEX units_by_fingerprint ON units (fingerprint) WHERE retired = 0;
";

/// A unit that was joined into another, or erased, has `retired = 2`: it stands
/// in no list, not even in that of the retired ones, and at no address.
pub(crate) const LATER_AND_JOINED: &str = "
ALTER TABLE units ADD COLUMN later_until INTEGER;
ALTER TABLE units ADD COLUMN joined_into INTEGER REFERENCES units (key);
CREATE INDEX units_by_join ON units (joined_into) WHERE joined_into IS NOT NULL;
CREATE INDEX units_by_later ON units (brain, later_until) WHERE later_until IS NOT NULL;
";

/// The ids of units whose rows are gone: an id is never given twice.
pub(crate) const GONE: &str = "
CREATE TABLE gone (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
";

/// The most units that a join leads through.
const CHAIN: usize = 1000;

fn select_unit() -> String {
    format!(
        "SELECT u.key, u.id, u.brain, u.created_at, u.version, u.conflicted, u.anchor, u.aging_at,
             u.stale_at, u.confirmed_at, u.id_tokens, u.topic_tokens, u.title_tokens, u.pieces,
             u.later_until, u.joined_into, {}, {}
         FROM units u
         JOIN revisions r ON r.unit = u.key AND r.number = u.revision
         JOIN agents a ON a.key = r.agent
         LEFT JOIN agents c ON c.key = u.confirmed_by",
        revisions::columns(),
        agents::columns("c")
    )
}

/// A unit that was read, what it was joined into, and whether it has sides.
struct Found {
    key: i64,
    joined_into: Option<i64>,
    conflicted: bool,
    unit: Unit,
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Found> {
    let confirmed: Option<i64> = row.get(9)?;
    let unit = Unit {
        id: word(row, 1, UnitId::parse)?,
        brain: BrainKey(row.get(2)?),
        created_at: Timestamp::from_millis(row.get(3)?),
        version: row.get(4)?,
        anchor: Timestamp::from_millis(row.get(6)?),
        ages: Ages {
            aging_at: Timestamp::from_millis(row.get(7)?),
            stale_at: Timestamp::from_millis(row.get(8)?),
        },
        confirmed: match confirmed {
            Some(at) => Some(Confirmed {
                at: Timestamp::from_millis(at),
                by: agents::from_row(row, 16 + revisions::WIDTH)?,
            }),
            None => None,
        },
        measures: Measures {
            id: row.get(10)?,
            topic: row.get(11)?,
            title: row.get(12)?,
            pieces: json(row, 13)?,
        },
        later_until: moment(row, 14)?,
        head: revisions::from_row(row, 16)?,
        sides: Vec::new(),
    };
    Ok(Found {
        key: row.get(0)?,
        joined_into: row.get(15)?,
        conflicted: row.get(5)?,
        unit,
    })
}

fn moment(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    let millis: Option<i64> = row.get(column)?;
    Ok(millis.map(Timestamp::from_millis))
}

/// What a query with [`select_unit`] finds.
fn load(connection: &Connection, sql: &str, params: impl rusqlite::Params) -> Result<Vec<Found>> {
    let mut statement = prepare(connection, sql)?;
    let rows = statement.query_map(params, from_row)?;
    let mut all = Vec::new();
    for row in rows {
        let mut found = row?;
        if found.conflicted {
            found.unit.sides = sides::of_unit(connection, found.key)?;
        }
        all.push(found);
    }
    Ok(all)
}

/// The unit that a found one leads to: itself, unless it was joined.
fn survivor(connection: &Connection, found: Option<Found>) -> Result<Option<Unit>> {
    let Some(mut found) = found else {
        return Ok(None);
    };
    for _ in 0..CHAIN {
        let Some(into) = found.joined_into else {
            return Ok(Some(found.unit));
        };
        found = match by_key(connection, into)? {
            Some(next) => next,
            None => return Ok(None),
        };
    }
    Err(Error::contradiction("units that were joined in a circle"))
}

fn by_key(connection: &Connection, key: i64) -> Result<Option<Found>> {
    let sql = format!("{} WHERE u.key = ?1", select_unit());
    Ok(load(connection, &sql, [key])?.pop())
}

fn by_id(connection: &Connection, id: &UnitId) -> Result<Option<Found>> {
    let sql = format!("{} WHERE u.id = ?1", select_unit());
    Ok(load(connection, &sql, [id.as_str()])?.pop())
}

/// A unit by id, in any brain; the survivor, if it was joined.
pub(crate) fn get(connection: &Connection, id: &UnitId) -> Result<Option<Unit>> {
    survivor(connection, by_id(connection, id)?)
}

/// A unit that was joined, as it stood, and the one that it was joined into.
pub(crate) fn joined(connection: &Connection, id: &UnitId) -> Result<Option<(Unit, UnitId)>> {
    let Some(found) = by_id(connection, id)? else {
        return Ok(None);
    };
    let Some(into) = found.joined_into else {
        return Ok(None);
    };
    let mut statement = prepare(connection, "SELECT id FROM units WHERE key = ?1")?;
    let into = statement.query_row([into], |row| word(row, 0, UnitId::parse))?;
    Ok(Some((found.unit, into)))
}

/// The unit that stands at an address, else the one that stood there last.
pub(crate) fn at(
    connection: &Connection,
    brain: BrainKey,
    topic: &Topic,
    title: Option<&str>,
) -> Result<Option<Unit>> {
    let sql = format!(
        "{} WHERE u.brain = ?1 AND u.topic = ?2 AND u.title_folded = ?3",
        select_unit()
    );
    let address = (brain.0, topic.as_str(), folded(title));
    if let Some(found) = load(connection, &sql, address)?.pop() {
        return Ok(Some(found.unit));
    }
    match addresses::get(connection, brain, topic, title)? {
        Some(key) => survivor(connection, by_key(connection, key)?),
        None => Ok(None),
    }
}

/// The unretired units of a topic whose body has this fingerprint, oldest
/// first.
pub(crate) fn same_fingerprint(
    connection: &Connection,
    brain: BrainKey,
    topic: &Topic,
    fingerprint: i64,
) -> Result<Vec<Unit>> {
    let sql = format!(
        "{} WHERE u.fingerprint = ?1 AND u.retired = 0 AND u.brain = ?2 AND u.topic = ?3
         ORDER BY u.key",
        select_unit().replace("units u", "units u INDEXED BY units_by_fingerprint")
    );
    let found = load(connection, &sql, (fingerprint, brain.0, topic.as_str()))?;
    Ok(found.into_iter().map(|found| found.unit).collect())
}

/// Whether an id was ever given.
pub(crate) fn id_taken(connection: &Connection, id: &UnitId) -> Result<bool> {
    let mut statement = prepare(
        connection,
        "SELECT 1 FROM units WHERE id = ?1 UNION ALL SELECT 1 FROM gone WHERE id = ?1",
    )?;
    Ok(statement.exists([id.as_str()])?)
}

/// The key of a unit that is there.
pub(crate) fn key(connection: &Connection, id: &UnitId) -> Result<i64> {
    let mut statement = prepare(connection, "SELECT key FROM units WHERE id = ?1")?;
    let key = statement.query_row([id.as_str()], |row| row.get(0));
    key.optional()?
        .ok_or_else(|| Error::contradiction("a unit that is not there"))
}

/// What a change must know of the row it changes.
struct Stored {
    key: i64,
    brain: i64,
    topic: String,
    title: Option<String>,
    routed: bool,
    stood: Stood,
}

/// Stores a unit as it now stands, and its keywords: those given, of a new
/// head, or as they are. Gives its key, and what stood before.
pub(crate) fn put(
    connection: &Connection,
    unit: &Unit,
    given: Option<&Analysed>,
) -> Result<(i64, Stood)> {
    let stored = prepare(
        connection,
        "SELECT key, brain, topic, title, routed, revision, anchor, confirmed_at, confirmed_by,
             later_until, conflicted FROM units WHERE id = ?1",
    )?
    .query_row([unit.id.as_str()], |row| {
        let sides = if row.get(10)? {
            Some(row.get(0)?)
        } else {
            None
        };
        let stood = Stood {
            revision: row.get(5)?,
            anchor: row.get(6)?,
            confirmed_at: row.get(7)?,
            confirmed_by: row.get(8)?,
            sides: String::new(),
            later: row.get(9)?,
        };
        let stored = Stored {
            key: row.get(0)?,
            brain: row.get(1)?,
            topic: row.get(2)?,
            title: row.get(3)?,
            routed: row.get(4)?,
            stood,
        };
        Ok((stored, sides))
    })
    .optional()?;
    let stored = match stored {
        Some((mut stored, Some(key))) => {
            stored.stood.sides = sides::noted(connection, key)?;
            Some(stored)
        }
        stored => stored.map(|(stored, _)| stored),
    };
    if stored
        .as_ref()
        .is_some_and(|stored| stored.brain != unit.brain.0)
    {
        return Err(Error::contradiction("a unit in two brains"));
    }
    let confirmed_by = match &unit.confirmed {
        Some(confirmed) => Some(agents::key(connection, &confirmed.by)?),
        None => None,
    };
    let was_routed = stored.as_ref().map(|stored| stored.routed);
    let (key, stood) = match (stored, given) {
        (Some(stored), _) => {
            update(connection, unit, &stored, confirmed_by, given)?;
            (stored.key, stored.stood)
        }
        (None, Some(given)) => {
            let stood = Stood {
                revision: 0,
                anchor: unit.anchor.millis(),
                confirmed_at: None,
                confirmed_by: None,
                sides: String::new(),
                later: None,
            };
            (insert(connection, unit, confirmed_by, given)?, stood)
        }
        (None, None) => return Err(Error::contradiction("the old head of a new unit")),
    };
    match (unit.routed(), given) {
        (true, Some(given)) => keywords::put(connection, unit.brain, key, given)?,
        (true, None) if was_routed == Some(false) => {
            keywords::put(connection, unit.brain, key, &analyse(&unit.head.content))?;
        }
        (false, _) if was_routed == Some(true) => keywords::remove(connection, unit.brain, key)?,
        _ => {}
    }
    Ok((key, stood))
}

fn insert(
    connection: &Connection,
    unit: &Unit,
    confirmed_by: Option<i64>,
    given: &Analysed,
) -> Result<i64> {
    let content = &unit.head.content;
    prepare(
        connection,
        "INSERT INTO units (id, brain, topic, title, title_folded, revision, version, retired,
                 conflicted, routed, created_at, anchor, aging_at, stale_at, confirmed_at,
                 confirmed_by, fingerprint, tokens, id_tokens, topic_tokens, title_tokens, pieces)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?18, ?19, ?20, ?21, ?22)",
    )?
    .execute(rusqlite::params![
        unit.id.as_str(),
        unit.brain.0,
        content.topic.as_str(),
        content.title,
        folded(content.title.as_deref().map(text::fold).as_deref()),
        unit.head.number,
        unit.version,
        unit.head.retired,
        unit.conflicted(),
        unit.routed(),
        unit.created_at.millis(),
        unit.anchor.millis(),
        unit.ages.aging_at.millis(),
        unit.ages.stale_at.millis(),
        unit.confirmed
            .as_ref()
            .map(|confirmed| confirmed.at.millis()),
        confirmed_by,
        given.fingerprint,
        unit.head.tokens,
        unit.measures.id,
        unit.measures.topic,
        unit.measures.title,
        to_json(&unit.measures.pieces)?,
    ])?;
    Ok(connection.last_insert_rowid())
}

/// The address is written only where it changed: an untouched index costs
/// nothing.
fn update(
    connection: &Connection,
    unit: &Unit,
    stored: &Stored,
    confirmed_by: Option<i64>,
    given: Option<&Analysed>,
) -> Result<()> {
    let content = &unit.head.content;
    if stored.topic != content.topic.as_str() || stored.title != content.title {
        prepare(
            connection,
            "UPDATE units SET topic = ?2, title = ?3, title_folded = ?4 WHERE key = ?1",
        )?
        .execute((
            stored.key,
            content.topic.as_str(),
            &content.title,
            folded(content.title.as_deref().map(text::fold).as_deref()),
        ))?;
    }
    prepare(
        connection,
        "UPDATE units SET revision = ?2, version = ?3, retired = ?4, conflicted = ?5,
                 routed = ?6, anchor = ?7, aging_at = ?8, stale_at = ?9, confirmed_at = ?10,
                 confirmed_by = ?11, fingerprint = coalesce(?12, fingerprint), tokens = ?13,
                 id_tokens = ?14, topic_tokens = ?15, title_tokens = ?16, pieces = ?17,
                 later_until = ?18
             WHERE key = ?1",
    )?
    .execute(rusqlite::params![
        stored.key,
        unit.head.number,
        unit.version,
        unit.head.retired,
        unit.conflicted(),
        unit.routed(),
        unit.anchor.millis(),
        unit.ages.aging_at.millis(),
        unit.ages.stale_at.millis(),
        unit.confirmed
            .as_ref()
            .map(|confirmed| confirmed.at.millis()),
        confirmed_by,
        given.map(|given| given.fingerprint),
        unit.head.tokens,
        unit.measures.id,
        unit.measures.topic,
        unit.measures.title,
        to_json(&unit.measures.pieces)?,
        unit.later_until.map(Timestamp::millis),
    ])?;
    Ok(())
}

/// A pointer's card.
pub(crate) fn card(connection: &Connection, key: i64) -> Result<Card> {
    let mut statement = prepare(
        connection,
        "SELECT id, brain, topic, title, revision, retired, conflicted, anchor, aging_at, stale_at,
             tokens, id_tokens, topic_tokens, title_tokens, pieces, later_until
         FROM units WHERE key = ?1",
    )?;
    Ok(statement.query_row([key], |row| {
        Ok(Card {
            id: word(row, 0, UnitId::parse)?,
            brain: BrainKey(row.get(1)?),
            topic: Topic::from_stored(row.get(2)?),
            title: row.get(3)?,
            revision: row.get(4)?,
            retired: row.get(5)?,
            conflicted: row.get(6)?,
            anchor: Timestamp::from_millis(row.get(7)?),
            ages: Ages {
                aging_at: Timestamp::from_millis(row.get(8)?),
                stale_at: Timestamp::from_millis(row.get(9)?),
            },
            tokens: row.get(10)?,
            id_tokens: row.get(11)?,
            topic_tokens: row.get(12)?,
            title_tokens: row.get(13)?,
            pieces: json(row, 14)?,
            later_until: moment(row, 15)?,
        })
    })?)
}

/// Conditions on units `u`, each after an `AND`, and their values in order.
#[derive(Default)]
pub(crate) struct Conditions {
    pub(crate) sql: String,
    pub(crate) values: Vec<Value>,
}

impl Conditions {
    pub(crate) fn of(narrow: Narrow<'_>) -> Self {
        let mut these = Self::default();
        if let Some(topic) = narrow.topic {
            if narrow.exact {
                these.sql.push_str(" AND u.topic = ?");
                these.values.push(Value::Text(topic.to_string()));
            } else {
                these.within(topic);
            }
        }
        if narrow.conflicted {
            these.sql.push_str(" AND u.conflicted = 1");
        }
        if narrow.freshness != Freshnesses::default() {
            let mut any = Vec::new();
            let Freshnesses {
                fresh,
                aging,
                stale,
            } = narrow.freshness;
            for (wanted, what, nows) in [
                (fresh, "(u.aging_at > ? AND u.stale_at > ?)", 2),
                (aging, "(u.aging_at <= ? AND u.stale_at > ?)", 2),
                (stale, "u.stale_at <= ?", 1),
            ] {
                if wanted {
                    any.push(what);
                    let now = Value::Integer(narrow.now.millis());
                    these.values.extend(std::iter::repeat_n(now, nows));
                }
            }
            let any = if any.is_empty() {
                "0".into()
            } else {
                any.join(" OR ")
            };
            these.sql.push_str(&format!(" AND ({any})"));
        }
        these
    }

    /// The topic and what lies below it: one range of the index, from which
    /// siblings that sort in between (`clients-old` before `clients/x`) go.
    fn within(&mut self, topic: &Topic) {
        self.sql
            .push_str(" AND u.topic >= ? AND u.topic < ? AND (u.topic = ? OR u.topic >= ?)");
        for bound in [
            topic.to_string(),
            format!("{topic}0"),
            topic.to_string(),
            format!("{topic}/"),
        ] {
            self.values.push(Value::Text(bound));
        }
    }

    /// The values, after the brain's key.
    fn with_brain(self, brain: BrainKey) -> Vec<Value> {
        let mut values = vec![Value::Integer(brain.0)];
        values.extend(self.values);
        values
    }
}

/// Anchor and key of a brain's routed units, latest anchor first.
pub(crate) fn latest(
    connection: &Connection,
    brain: BrainKey,
    narrow: Narrow<'_>,
    limit: usize,
) -> Result<Vec<(i64, i64)>> {
    let (index, routed) = if narrow.topic.is_none() && narrow.conflicted {
        ("units_in_conflict", "u.conflicted = 1")
    } else if narrow.topic.is_none() && narrow.freshness == Freshnesses::default() {
        ("units_by_anchor", "u.routed = 1")
    } else {
        ("units_by_topic", "(u.retired = 0 OR u.conflicted = 1)")
    };
    let conditions = Conditions::of(narrow);
    let sql = format!(
        "SELECT u.anchor, u.key FROM units u INDEXED BY {index}
         WHERE u.brain = ? AND {routed}{} ORDER BY u.anchor DESC, u.key DESC LIMIT {}",
        conditions.sql,
        count(limit)
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map(params_from_iter(conditions.with_brain(brain)), |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// How many routed units a brain has, and the tokens of their bodies.
pub(crate) fn totals(
    connection: &Connection,
    brain: BrainKey,
    narrow: Narrow<'_>,
) -> Result<(u32, u64)> {
    let conditions = Conditions::of(narrow);
    let sql = format!(
        "SELECT count(*), coalesce(sum(u.tokens), 0) FROM units u INDEXED BY units_by_topic
         WHERE u.brain = ? AND (u.retired = 0 OR u.conflicted = 1){}",
        conditions.sql
    );
    let mut statement = prepare(connection, &sql)?;
    let totals = statement.query_row(params_from_iter(conditions.with_brain(brain)), |row| {
        Ok((row.get(0)?, row.get::<_, i64>(1)?))
    })?;
    Ok((totals.0, u64::try_from(totals.1).unwrap_or(0)))
}

/// The counted columns, at `now` in the first parameter.
const COUNTS: &str = "
    count(*) FILTER (WHERE u.retired = 0),
    count(*) FILTER (WHERE u.retired = 0 AND u.aging_at <= ?1 AND u.stale_at > ?1),
    count(*) FILTER (WHERE u.retired = 0 AND u.stale_at <= ?1),
    count(*) FILTER (WHERE u.conflicted = 1),
    coalesce(sum(u.tokens) FILTER (WHERE u.retired = 0), 0)";

fn counted(row: &Row<'_>, first: usize) -> rusqlite::Result<Counts> {
    let (units, aging, stale): (u32, u32, u32) =
        (row.get(first)?, row.get(first + 1)?, row.get(first + 2)?);
    Ok(Counts {
        units,
        fresh: units.saturating_sub(aging).saturating_sub(stale),
        aging,
        stale,
        conflicted: row.get(first + 3)?,
        tokens: u64::try_from(row.get::<_, i64>(first + 4)?).unwrap_or(0),
    })
}

/// Counts of a brain's units.
pub(crate) fn counts(connection: &Connection, brain: BrainKey, now: Timestamp) -> Result<Counts> {
    let sql = format!("SELECT {COUNTS} FROM units u INDEXED BY units_by_topic WHERE u.brain = ?2");
    let mut statement = prepare(connection, &sql)?;
    Ok(statement.query_row((now.millis(), brain.0), |row| counted(row, 0))?)
}

/// A brain's topics with their counts, by topic.
pub(crate) fn topics(
    connection: &Connection,
    brain: BrainKey,
    prefix: Option<&Topic>,
    now: Timestamp,
) -> Result<Vec<(Topic, Counts)>> {
    let mut conditions = Conditions::default();
    if let Some(prefix) = prefix {
        conditions.within(prefix);
    }
    let sql = format!(
        "SELECT u.topic, {COUNTS} FROM units u INDEXED BY units_by_topic
         WHERE u.brain = ?2 AND (u.retired = 0 OR u.conflicted = 1){} GROUP BY u.topic",
        conditions.sql
    );
    let mut values = vec![Value::Integer(now.millis()), Value::Integer(brain.0)];
    values.extend(conditions.values);
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map(params_from_iter(values), |row| {
        Ok((Topic::from_stored(row.get(0)?), counted(row, 1)?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Key and content of a brain's routed units after a key, for a new index.
pub(crate) fn routed_after(
    connection: &Connection,
    brain: BrainKey,
    after: i64,
    limit: usize,
) -> Result<Vec<(i64, ozbrain_core::words::Content)>> {
    let sql = format!(
        "SELECT u.key, {} FROM units u
         JOIN revisions r ON r.unit = u.key AND r.number = u.revision
         JOIN agents a ON a.key = r.agent
         WHERE u.brain = ?1 AND u.key > ?2 AND u.routed = 1 ORDER BY u.key LIMIT ?3",
        revisions::columns()
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map((brain.0, after, count(limit)), |row| {
        Ok((row.get(0)?, revisions::from_row(row, 1)?.content))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Replaces a body's fingerprint after a change of the analysis.
pub(crate) fn set_fingerprint(connection: &Connection, key: i64, fingerprint: i64) -> Result<()> {
    prepare(
        connection,
        "UPDATE units SET fingerprint = ?2 WHERE key = ?1",
    )?
    .execute((key, fingerprint))?;
    Ok(())
}

/// A unit leads to another from now on, or stands by itself again. Its address
/// is free for others meanwhile, and leads where the unit does.
pub(crate) fn lead(connection: &Connection, id: &UnitId, to: Option<&UnitId>) -> Result<()> {
    let found = by_id(connection, id)?;
    let found = found.ok_or_else(|| Error::contradiction("a unit that is not there"))?;
    let content = &found.unit.head.content;
    let title = content.title.as_deref().map(text::fold);
    let Some(to) = to else {
        prepare(
            connection,
            "UPDATE units SET joined_into = NULL, retired = 0, routed = 1, title_folded = ?2
             WHERE key = ?1",
        )?
        .execute((found.key, folded(title.as_deref())))?;
        let terms = analyse(content);
        set_fingerprint(connection, found.key, terms.fingerprint)?;
        return keywords::put(connection, found.unit.brain, found.key, &terms);
    };
    prepare(
        connection,
        "UPDATE units SET joined_into = (SELECT key FROM units WHERE id = ?2), retired = 2,
             routed = 0, title_folded = ?3 WHERE key = ?1",
    )?
    .execute((found.key, to.as_str(), nowhere(found.key)))?;
    addresses::put(
        connection,
        found.unit.brain,
        &content.topic,
        title.as_deref(),
        id,
    )?;
    keywords::remove(connection, found.unit.brain, found.key)
}

/// A folded title that no unit has: folding leaves no control character.
fn nowhere(key: i64) -> String {
    format!("\u{1}{key}")
}

/// Empties a unit's row. It stays for its events, and so that its id is not
/// given again.
pub(crate) fn empty(connection: &Connection, key: i64) -> Result<()> {
    prepare(
        connection,
        "UPDATE units SET topic = 'erased', title = NULL, title_folded = ?2, retired = 2,
             conflicted = 0, routed = 0, joined_into = NULL, confirmed_at = NULL,
             confirmed_by = NULL, later_until = NULL, fingerprint = 0, tokens = 0, pieces = '[]'
         WHERE key = ?1",
    )?
    .execute((key, nowhere(key)))?;
    Ok(())
}

/// The keys of a unit and of all that were joined into it.
pub(crate) fn with_joined(connection: &Connection, key: i64) -> Result<Vec<i64>> {
    let mut keys = vec![key];
    let mut next = 0;
    while let Some(key) = keys.get(next).copied() {
        let mut statement = prepare(connection, "SELECT key FROM units WHERE joined_into = ?1")?;
        let rows = statement.query_map([key], |row| row.get(0))?;
        for joined in rows {
            keys.push(joined?);
        }
        next += 1;
    }
    Ok(keys)
}

/// The key of the unit that one leads to: itself, unless it was joined. `None`
/// if that was erased.
pub(crate) fn standing(connection: &Connection, key: i64) -> Result<Option<i64>> {
    let mut statement = prepare(
        connection,
        "SELECT retired, joined_into FROM units WHERE key = ?1",
    )?;
    let mut key = key;
    for _ in 0..CHAIN {
        let (retired, into): (i64, Option<i64>) =
            statement.query_row([key], |row| Ok((row.get(0)?, row.get(1)?)))?;
        match into {
            Some(into) => key = into,
            None => return Ok((retired != 2).then_some(key)),
        }
    }
    Err(Error::contradiction("units that were joined in a circle"))
}

/// Keys and ids of a brain's units.
pub(crate) fn of_brain(connection: &Connection, brain: BrainKey) -> Result<Vec<(i64, UnitId)>> {
    let mut statement = prepare(
        connection,
        "SELECT key, id FROM units INDEXED BY units_by_topic WHERE brain = ?1",
    )?;
    let rows = statement.query_map([brain.0], |row| {
        Ok((row.get(0)?, word(row, 1, UnitId::parse)?))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The id of a unit, and its brain.
pub(crate) fn id_and_brain(connection: &Connection, key: i64) -> Result<(UnitId, BrainKey)> {
    let mut statement = prepare(connection, "SELECT id, brain FROM units WHERE key = ?1")?;
    Ok(statement.query_row([key], |row| {
        Ok((word(row, 0, UnitId::parse)?, BrainKey(row.get(1)?)))
    })?)
}

/// Removes the rows of a brain's units, and keeps their ids from being given
/// again.
pub(crate) fn remove_all(connection: &Connection, brain: BrainKey) -> Result<()> {
    connection.execute(
        "INSERT OR IGNORE INTO gone (id) SELECT id FROM units WHERE brain = ?1",
        [brain.0],
    )?;
    connection.execute("DELETE FROM units WHERE brain = ?1", [brain.0])?;
    Ok(())
}

/// The units that were joined into this one, through others too.
pub(crate) fn joined_to(connection: &Connection, id: &UnitId) -> Result<Vec<UnitId>> {
    let all = with_joined(connection, key(connection, id)?)?;
    let others = all.into_iter().skip(1);
    others
        .map(|key| Ok(id_and_brain(connection, key)?.0))
        .collect()
}

/// Takes what a joined unit's head said out of its row. Gives whether the unit
/// is one.
pub(crate) fn forget_head(connection: &Connection, key: i64) -> Result<bool> {
    let emptied = prepare(
        connection,
        "UPDATE units SET topic = 'erased', title = NULL, fingerprint = 0, tokens = 0,
             pieces = '[]' WHERE key = ?1 AND joined_into IS NOT NULL",
    )?
    .execute([key])?;
    Ok(emptied > 0)
}
