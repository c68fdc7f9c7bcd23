//! Units in lists for people: pages in an order, what waits, what ages.

use super::{agents, count, prepare, units, word};
use crate::error::Result;
use ozbrain_core::ports::{Listed, Listing};
use ozbrain_core::rules::freshness::{ages, thresholds};
use ozbrain_core::shapes::Need;
use ozbrain_core::views::units::UnitOrder;
use ozbrain_core::words::{Brain, BrainKey, Confirmed, Freshness, Timestamp, Topic, UnitId};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

/// `changed` is the event of the head: what lists are ordered by. The indexes
/// of lists hold what a list is narrowed by, so that passing over a unit reads
/// no row.
pub(crate) const SCHEMA_2: &str = "
ALTER TABLE units ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
UPDATE units SET changed = (
    SELECT r.event FROM revisions r WHERE r.unit = units.key AND r.number = units.revision);
CREATE INDEX units_by_change ON units (brain, changed, conflicted, aging_at, stale_at, topic)
    WHERE routed = 1;
CREATE INDEX units_by_title
    ON units (brain, CASE WHEN title_folded = '' THEN topic ELSE title_folded END,
        topic, title_folded, conflicted, aging_at, stale_at) WHERE routed = 1;
CREATE INDEX units_by_age ON units (brain, aging_at, stale_at, conflicted, anchor)
    WHERE retired = 0;
CREATE INDEX conflicts_by_change ON units (brain, changed) WHERE conflicted = 1;
CREATE INDEX retired_by_change ON units (brain, changed) WHERE retired = 1;
";

/// What a list by title is ordered by, as its index has it.
const TITLE: &str = "CASE WHEN u.title_folded = '' THEN u.topic ELSE u.title_folded END";

/// So few units are sorted; more are walked through in their order.
const FEW: u32 = 1000;

/// Notes that an event made a unit's head.
pub(crate) fn changed(connection: &Connection, key: i64, event: i64) -> Result<()> {
    prepare(connection, "UPDATE units SET changed = ?2 WHERE key = ?1")?.execute((key, event))?;
    Ok(())
}

/// A part of a list: units that are alike in what they need.
#[derive(Clone, Copy)]
struct Part {
    conflicted: Option<bool>,
    freshness: Option<Freshness>,
}

impl Part {
    /// The parts of a list, in their order.
    fn of(listing: Listing<'_>) -> Vec<Self> {
        let part = |conflicted, freshness| Self {
            conflicted,
            freshness,
        };
        let freshness = match listing.needs {
            None => None,
            Some(Need::Conflicted) => return vec![part(Some(true), None)],
            Some(Need::Aging) => Some(Freshness::Aging),
            Some(Need::Stale) => Some(Freshness::Stale),
        };
        if listing.retired || listing.order != UnitOrder::Needs {
            return vec![part(None, freshness)];
        }
        match freshness {
            Some(_) => vec![part(Some(true), freshness), part(Some(false), freshness)],
            None => vec![
                part(Some(true), None),
                part(Some(false), Some(Freshness::Stale)),
                part(Some(false), Some(Freshness::Aging)),
                part(Some(false), Some(Freshness::Fresh)),
            ],
        }
    }
}

/// What a unit is ordered by, ascending. No two units of a brain are alike, so
/// that pages never overlap: an event makes one head, and an address is one's.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number(i64),
    Text(String, String, String),
}

/// The query of one part in one brain.
struct Query<'a> {
    part: Part,
    listing: Listing<'a>,
    brain: BrainKey,
}

impl Query<'_> {
    /// The conditions that are the same whichever index serves; `?1` is the
    /// brain, `?2` is now.
    fn conditions(&self) -> (String, Vec<Value>) {
        let mut sql = String::from("u.brain = ?1 AND ?2 IS NOT NULL");
        let mut values = vec![
            Value::Integer(self.brain.0),
            Value::Integer(self.listing.now.millis()),
        ];
        sql.push_str(if self.listing.retired {
            " AND u.retired = 1"
        } else {
            " AND u.routed = 1"
        });
        match self.part.conflicted {
            Some(true) => sql.push_str(" AND u.conflicted = 1"),
            Some(false) => sql.push_str(" AND u.conflicted = 0"),
            None => {}
        }
        if let Some(freshness) = self.part.freshness {
            if !self.listing.retired {
                sql.push_str(" AND u.retired = 0");
            }
            sql.push_str(match freshness {
                Freshness::Fresh => " AND u.aging_at > ?2",
                Freshness::Aging => " AND u.aging_at <= ?2 AND u.stale_at > ?2",
                Freshness::Stale => " AND u.aging_at <= ?2 AND u.stale_at <= ?2",
            });
        }
        if let Some(topic) = self.listing.topic {
            if self.listing.exact {
                sql.push_str(" AND u.topic = ?3");
                values.push(Value::Text(topic.to_string()));
            } else {
                sql.push_str(
                    " AND u.topic >= ?3 AND u.topic < ?4 AND (u.topic = ?3 OR u.topic >= ?5)",
                );
                for bound in [topic.to_string(), format!("{topic}0"), format!("{topic}/")] {
                    values.push(Value::Text(bound));
                }
            }
        }
        (sql, values)
    }

    /// The index in which these units lie closest together.
    fn narrowest(&self) -> &'static str {
        if self.listing.topic.is_some() {
            "units_by_topic"
        } else if self.listing.retired {
            "retired_by_change"
        } else if self.part.conflicted == Some(true) {
            "conflicts_by_change"
        } else if self.part.freshness.is_some() {
            "units_by_age"
        } else {
            "units_by_change"
        }
    }

    /// The conditions for the index that the engine is told to use: without a
    /// row to look at where it holds what `routed` follows from.
    fn for_index(&self, index: &str) -> (String, Vec<Value>) {
        let (sql, values) = self.conditions();
        let sql = match index {
            "units_by_topic" => sql.replace("u.routed = 1", "(u.retired = 0 OR u.conflicted = 1)"),
            "conflicts_by_change" | "units_by_age" => sql.replace(" AND u.routed = 1", ""),
            _ if self.part.freshness.is_some() && self.part.conflicted == Some(false) => {
                sql.replace(" AND u.retired = 0", "")
            }
            _ => sql,
        };
        (sql, values)
    }

    fn count(&self, connection: &Connection) -> Result<u32> {
        let index = self.narrowest();
        let (conditions, values) = self.for_index(index);
        let sql = format!("SELECT count(*) FROM units u INDEXED BY {index} WHERE {conditions}");
        let mut statement = prepare(connection, &sql)?;
        Ok(statement.query_row(params_from_iter(values), |row| row.get(0))?)
    }

    /// Places and keys in the list's order; `found` is how many there are.
    fn keys(
        &self,
        connection: &Connection,
        found: u32,
        offset: usize,
        limit: usize,
    ) -> Result<Vec<(Place, i64)>> {
        let by_title = self.listing.order == UnitOrder::Title;
        let index = match (self.narrowest(), by_title) {
            (narrowest @ ("conflicts_by_change" | "retired_by_change"), _) => narrowest,
            (narrowest, _) if found <= FEW && narrowest != "units_by_change" => narrowest,
            (_, _) if self.listing.retired => "units_by_topic",
            (_, true) => "units_by_title",
            (_, false) => "units_by_change",
        };
        let (conditions, values) = self.for_index(index);
        let (place, order) = if by_title {
            let place = format!("{TITLE}, u.topic, u.title_folded");
            (place.clone(), place)
        } else {
            ("-u.changed".to_owned(), "u.changed DESC".to_owned())
        };
        let sql = format!(
            "SELECT u.key, {place} FROM units u INDEXED BY {index} WHERE {conditions}
             ORDER BY {order} LIMIT {} OFFSET {}",
            count(limit),
            count(offset)
        );
        let mut statement = prepare(connection, &sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| {
            let place = if by_title {
                Place::Text(row.get(1)?, row.get(2)?, row.get(3)?)
            } else {
                Place::Number(row.get(1)?)
            };
            Ok((place, row.get(0)?))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// A page of a list: keys, and how many units it has in all.
pub(crate) fn page(
    connection: &Connection,
    brains: &[BrainKey],
    listing: Listing<'_>,
    offset: usize,
    limit: usize,
) -> Result<(Vec<i64>, u32)> {
    let (mut page, mut total) = (Vec::new(), 0_u32);
    for part in Part::of(listing) {
        let mut queries = Vec::new();
        let mut found = 0_u32;
        for &brain in brains {
            let query = Query {
                part,
                listing,
                brain,
            };
            let here = query.count(connection)?;
            found = found.saturating_add(here);
            if here > 0 {
                queries.push((query, here));
            }
        }
        let before = usize::try_from(total).unwrap_or(usize::MAX);
        total = total.saturating_add(found);
        let wanted = limit - page.len();
        // How many of this part lie before the page.
        let skipped = offset.saturating_sub(before);
        if wanted == 0 || skipped >= usize::try_from(found).unwrap_or(usize::MAX) {
            continue;
        }
        if let [(query, here)] = &queries[..] {
            let keys = query.keys(connection, *here, skipped, wanted)?;
            page.extend(keys.into_iter().map(|(_, key)| key));
            continue;
        }
        let mut keys = Vec::new();
        for (query, here) in &queries {
            keys.extend(query.keys(connection, *here, 0, skipped + wanted)?);
        }
        keys.sort_unstable();
        page.extend(
            keys.into_iter()
                .skip(skipped)
                .take(wanted)
                .map(|(_, key)| key),
        );
    }
    Ok((page, total))
}

/// A unit as lists show it.
pub(crate) fn get(connection: &Connection, key: i64) -> Result<Listed> {
    let sql = format!(
        "SELECT r.at, u.confirmed_at, {}, {} FROM units u
         JOIN revisions r ON r.unit = u.key AND r.number = u.revision
         JOIN agents a ON a.key = r.agent
         LEFT JOIN agents c ON c.key = u.confirmed_by
         WHERE u.key = ?1",
        agents::columns("a"),
        agents::columns("c")
    );
    let card = units::card(connection, key)?;
    let mut statement = prepare(connection, &sql)?;
    Ok(statement.query_row([key], |row| {
        let confirmed: Option<i64> = row.get(1)?;
        Ok(Listed {
            card,
            updated_at: Timestamp::from_millis(row.get(0)?),
            agent: agents::from_row(row, 2)?,
            confirmed: match confirmed {
                Some(at) => Some(Confirmed {
                    at: Timestamp::from_millis(at),
                    by: agents::from_row(row, 2 + agents::WIDTH)?,
                }),
                None => None,
            },
        })
    })?)
}

/// The key of a unit in one of these brains: the survivor's, where it was joined
/// into another; none, where it was erased.
pub(crate) fn key(
    connection: &Connection,
    brains: &[BrainKey],
    id: &UnitId,
) -> Result<Option<i64>> {
    let mut statement = prepare(connection, "SELECT key, brain FROM units WHERE id = ?1")?;
    let found = statement
        .query_row([id.as_str()], |row| {
            Ok((row.get(0)?, BrainKey(row.get(1)?)))
        })
        .optional()?;
    match found {
        Some((key, brain)) if brains.contains(&brain) => units::standing(connection, key),
        _ => Ok(None),
    }
}

/// A unit's id.
pub(crate) fn id(connection: &Connection, key: i64) -> Result<UnitId> {
    let mut statement = prepare(connection, "SELECT id FROM units WHERE key = ?1")?;
    Ok(statement.query_row([key], |row| word(row, 0, UnitId::parse))?)
}

/// How many retired units a brain has.
pub(crate) fn retired(connection: &Connection, brain: BrainKey) -> Result<u32> {
    let mut statement = prepare(
        connection,
        "SELECT count(*) FROM units u INDEXED BY retired_by_change
         WHERE u.brain = ?1 AND u.retired = 1",
    )?;
    Ok(statement.query_row([brain.0], |row| row.get(0))?)
}

/// The keys of a brain's units that the person put off ("ask later") and that
/// still are, at `now`.
pub(crate) fn put_off(
    connection: &Connection,
    brain: BrainKey,
    now: Timestamp,
) -> Result<Vec<i64>> {
    let mut statement = prepare(
        connection,
        "SELECT u.key FROM units u INDEXED BY units_by_later
         WHERE u.brain = ?1 AND u.later_until > ?2",
    )?;
    let rows = statement.query_map((brain.0, now.millis()), |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// What the person may be asked about; `?1` is the brain, `?2` is now.
const WAITS: &str = "u.brain = ?1 AND u.retired = 0 AND u.conflicted = 0 AND u.aging_at <= ?2";

/// How many units of a brain wait for a confirm.
pub(crate) fn aging_count(connection: &Connection, brain: BrainKey, now: Timestamp) -> Result<u32> {
    let sql = format!("SELECT count(*) FROM units u INDEXED BY units_by_age WHERE {WAITS}");
    let all: u32 =
        prepare(connection, &sql)?.query_row((brain.0, now.millis()), |row| row.get(0))?;
    let sql = format!("SELECT 1 FROM units u WHERE {WAITS} AND u.key = ?3");
    let mut waits = prepare(connection, &sql)?;
    let mut off = 0;
    for key in put_off(connection, brain, now)? {
        off += u32::from(waits.exists((brain.0, now.millis(), key))?);
    }
    Ok(all.saturating_sub(off))
}

/// Anchor and key of the units of a brain that wait for a confirm, oldest
/// anchor first, but for those in `without`; at most `limit`.
pub(crate) fn aging(
    connection: &Connection,
    brain: BrainKey,
    now: Timestamp,
    without: &[i64],
    limit: usize,
) -> Result<Vec<(i64, i64)>> {
    let mut without = without.to_vec();
    without.extend(put_off(connection, brain, now)?);
    without.sort_unstable();
    let few = aging_count(connection, brain, now)? <= FEW;
    let (index, routed) = if few {
        ("units_by_age", "")
    } else {
        ("units_by_anchor", " AND u.routed = 1")
    };
    let sql = format!(
        "SELECT u.anchor, u.key FROM units u INDEXED BY {index} WHERE {WAITS}{routed}
         ORDER BY u.anchor, u.key"
    );
    let mut statement = prepare(connection, &sql)?;
    let mut rows = statement.query((brain.0, now.millis()))?;
    let mut found = Vec::new();
    while found.len() < limit {
        let Some(row) = rows.next()? else { break };
        let it = (row.get(0)?, row.get(1)?);
        if without.binary_search(&it.1).is_err() {
            found.push(it);
        }
    }
    Ok(found)
}

/// A unit that ages: neither retired nor in conflict.
pub(crate) struct Open {
    pub(crate) key: i64,
    pub(crate) brain: BrainKey,
    pub(crate) aging_at: Timestamp,
    pub(crate) anchor: Timestamp,
}

/// Of these units, those that are neither retired nor in conflict.
pub(crate) fn open_of<'a>(
    connection: &Connection,
    units: impl Iterator<Item = &'a UnitId>,
) -> Result<Vec<(UnitId, Open)>> {
    let mut statement = prepare(
        connection,
        "SELECT u.key, u.brain, u.aging_at, u.anchor FROM units u
         WHERE u.id = ?1 AND u.retired = 0 AND u.conflicted = 0",
    )?;
    let mut found = Vec::new();
    for id in units {
        let mut rows = statement.query([id.as_str()])?;
        let Some(row) = rows.next()? else { continue };
        let open = Open {
            key: row.get(0)?,
            brain: BrainKey(row.get(1)?),
            aging_at: Timestamp::from_millis(row.get(2)?),
            anchor: Timestamp::from_millis(row.get(3)?),
        };
        found.push((id.clone(), open));
    }
    Ok(found)
}

/// When, and which units of a brain that the person may be asked about, became
/// stale after one moment and by another.
pub(crate) fn became_stale(
    connection: &Connection,
    brain: BrainKey,
    after: Timestamp,
    until: Timestamp,
) -> Result<Vec<(i64, i64)>> {
    let mut off = put_off(connection, brain, until)?;
    off.sort_unstable();
    let sql = format!(
        "SELECT u.stale_at, u.key FROM units u INDEXED BY units_by_age
         WHERE {WAITS} AND u.stale_at > ?3 AND u.stale_at <= ?2"
    );
    let mut statement = prepare(connection, &sql)?;
    let rows = statement.query_map((brain.0, until.millis(), after.millis()), |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    let mut stale = rows.collect::<rusqlite::Result<Vec<(i64, i64)>>>()?;
    stale.retain(|(_, key)| off.binary_search(key).is_err());
    Ok(stale)
}

/// Computes when each unit of a brain turns aging and stale, by the policies
/// that it now has.
pub(crate) fn age(connection: &Connection, brain: &Brain) -> Result<()> {
    let mut after = i64::MIN;
    loop {
        let mut some = prepare(
            connection,
            "SELECT u.key, u.topic, u.anchor, u.aging_at, u.stale_at, r.fresh_for_days
             FROM units u NOT INDEXED
             JOIN revisions r ON r.unit = u.key AND r.number = u.revision
             WHERE u.brain = ?1 AND u.key > ?2 ORDER BY u.key LIMIT 1000",
        )?;
        let units = some
            .query_map((brain.key.0, after), |row| {
                let topic = Topic::from_stored(row.get(1)?);
                let anchor = Timestamp::from_millis(row.get(2)?);
                let thresholds = thresholds(row.get(5)?, &topic, &brain.freshness_rules);
                let ages = ages(anchor, thresholds);
                let (aging, stale) = (ages.aging_at.millis(), ages.stale_at.millis());
                let same = (aging, stale) == (row.get(3)?, row.get(4)?);
                Ok((row.get::<_, i64>(0)?, aging, stale, same))
            })?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        let Some(last) = units.last() else {
            return Ok(());
        };
        after = last.0;
        let mut set = prepare(
            connection,
            "UPDATE units SET aging_at = ?2, stale_at = ?3 WHERE key = ?1",
        )?;
        for (key, aging, stale, same) in units {
            if !same {
                set.execute((key, aging, stale))?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FIRST_SCHEMA, events, undecided};
    use rusqlite::Connection;

    #[test]
    fn a_store_of_the_first_schema_learns_what_lists_are_ordered_by() {
        let connection = Connection::open_in_memory().unwrap();
        for table in FIRST_SCHEMA {
            connection.execute_batch(table).unwrap();
        }
        connection
            .execute_batch(
                "INSERT INTO brains (name, name_tokens, title, kind, write_policy, analysis)
                     VALUES ('team', 1, 'Team', 'shared', 'open', 1);
                 INSERT INTO agents (connection, session) VALUES ('cli', 's'), ('Cursor', 's');
                 INSERT INTO units VALUES (1, 'A', 1, 'a', NULL, '', 2, 2, 0, 0, 1, 1, 1, 1, 1,
                     NULL, NULL, 0, 1, 1, 1, 0, '[]');
                 INSERT INTO events (id, brain, sequence, unit, revision, kind, agent, at)
                     VALUES (4, 1, 1, 1, 1, 'created', 1, 1), (7, 1, 2, 1, 2, 'updated', 2, 2);
                 INSERT INTO revisions VALUES
                     (1, 1, 1, 4, 1, 1, 'created', 0, 1, NULL, NULL, '[]', NULL, 1, 'a', NULL,
                         '[]', NULL, NULL, 'one'),
                     (2, 1, 2, 7, 2, 2, 'updated', 0, 1, NULL, NULL, '[]', NULL, 1, 'a', NULL,
                         '[]', NULL, NULL, 'two');",
            )
            .unwrap();
        for step in [events::SCHEMA_2, super::SCHEMA_2, undecided::SCHEMA] {
            connection.execute_batch(step).unwrap();
        }
        let one = |sql: &str| -> String {
            connection
                .query_row(sql, [], |row| row.get::<_, rusqlite::types::Value>(0))
                .map(|value| format!("{value:?}"))
                .unwrap()
        };
        assert_eq!(one("SELECT changed FROM units"), "Integer(7)");
        assert_eq!(
            one("SELECT connection FROM events WHERE id = 7"),
            "Text(\"Cursor\")"
        );
    }
}
