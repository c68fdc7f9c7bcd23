//! Proposals: what waits for the person, and what became of it.

use super::{agents, count, events, folded, json, meta, prepare, revisions, to_json, units, word};
use crate::error::{Error, Result};
use ozbrain_core::ports::ProposedFor;
use ozbrain_core::rules::wanted::Wanted;
use ozbrain_core::text::fold;
use ozbrain_core::words::{
    Asks, BrainKey, ConnectionName, EventId, Proposal, ProposalId, ProposalKind, ProposalReason,
    ProposalState, Target, Timestamp, Topic, UnitId,
};
use rusqlite::{Connection, Row};

/// `new_id` is promised to a unit that is proposed; once it is accepted,
/// `unit` is the one that it became. `topic` to `body` are what an open or a
/// rejected one supplies: any other has none of them. A proposal goes with its unit or brain.
/// AUTOINCREMENT: an id that a screen still shows never names another one.
pub(crate) const SCHEMA: &str = "
CREATE TABLE proposals (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    brain             INTEGER NOT NULL REFERENCES brains (key) ON DELETE CASCADE,
    unit              INTEGER REFERENCES units (key) ON DELETE CASCADE,
    new_id            TEXT,
    kind              TEXT NOT NULL,
    reason            TEXT NOT NULL,
    state             TEXT NOT NULL,
    became            INTEGER,
    author            TEXT NOT NULL,
    agent             INTEGER NOT NULL REFERENCES agents (key),
    at                INTEGER NOT NULL,
    base_revision     INTEGER,
    base_delivered_at INTEGER,
    topic             TEXT,
    title             TEXT,
    title_folded      TEXT NOT NULL,
    tags              TEXT,
    source            TEXT,
    fresh_for_days    INTEGER,
    observed_at       INTEGER,
    why               TEXT,
    append            TEXT,
    body              TEXT
) STRICT;
CREATE INDEX proposals_open ON proposals (brain, id) WHERE state = 'open';
CREATE UNIQUE INDEX proposals_by_unit ON proposals (unit, author)
    WHERE state = 'open' AND unit IS NOT NULL;
CREATE UNIQUE INDEX proposals_by_address ON proposals (brain, topic, title_folded, author)
    WHERE state = 'open' AND unit IS NULL;
CREATE INDEX proposals_of_unit ON proposals (unit) WHERE unit IS NOT NULL;
CREATE INDEX proposals_by_new_id ON proposals (new_id) WHERE new_id IS NOT NULL;
";

/// `rejected_by` is the event that rejected it last. What was rejected before
/// this was kept has no text left.
pub(crate) const REJECTED: &str = "
ALTER TABLE proposals ADD COLUMN rejected_by INTEGER;
UPDATE proposals SET state = 'erased' WHERE state = 'rejected';
CREATE INDEX proposals_rejected ON proposals (brain, id) WHERE state = 'rejected';
CREATE INDEX proposals_by_rejection ON proposals (rejected_by) WHERE rejected_by IS NOT NULL;
";

/// Removes what was ever proposed for a unit: it is erased.
pub(crate) fn forget(connection: &Connection, unit: i64) -> Result<()> {
    prepare(connection, "DELETE FROM proposals WHERE unit = ?1")?.execute([unit])?;
    Ok(())
}

fn select() -> String {
    format!(
        "SELECT p.id, p.brain, u.id, p.new_id, p.kind, p.reason, p.state, p.became, p.at,
             p.base_revision, p.base_delivered_at, p.topic, p.title, p.tags, p.source,
             p.fresh_for_days, p.observed_at, p.why, p.append, p.body, {}
         FROM proposals p
         JOIN agents a ON a.key = p.agent
         LEFT JOIN units u ON u.key = p.unit",
        agents::columns("a")
    )
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Proposal> {
    let text = |column: usize| row.get::<_, Option<String>>(column);
    let target = match text(2)? {
        Some(_) => Target::Unit(word(row, 2, UnitId::parse)?),
        None => Target::New(word(row, 3, UnitId::parse)?),
    };
    let asks = match word(row, 4, ProposalKind::parse)? {
        ProposalKind::Retire => Asks::Retire { why: text(17)? },
        ProposalKind::Write => Asks::Write(Wanted {
            // The person alone empties fields, and proposes nothing.
            clear: Vec::new(),
            topic: text(11)?.map(Topic::from_stored),
            title: text(12)?,
            tags: match text(13)? {
                Some(_) => Some(json(row, 13)?),
                None => None,
            },
            source: text(14)?,
            fresh_for_days: row.get(15)?,
            observed_at: row.get::<_, Option<i64>>(16)?.map(Timestamp::from_millis),
            append: text(18)?,
            body: text(19)?,
        }),
    };
    Ok(Proposal {
        id: events::id(row, 0)?,
        brain: BrainKey(row.get(1)?),
        target,
        asks,
        reason: word(row, 5, ProposalReason::parse)?,
        state: word(row, 6, ProposalState::parse)?,
        became: row.get(7)?,
        at: Timestamp::from_millis(row.get(8)?),
        base: revisions::base(row, 9)?,
        agent: agents::from_row(row, 20)?,
    })
}

fn load(
    connection: &Connection,
    sql: &str,
    params: impl rusqlite::Params,
) -> Result<Vec<Proposal>> {
    let mut statement = prepare(connection, sql)?;
    let rows = statement.query_map(params, from_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A proposal, open or settled.
pub(crate) fn get(connection: &Connection, id: ProposalId) -> Result<Option<Proposal>> {
    let sql = format!("{} WHERE p.id = ?1", select());
    Ok(load(connection, &sql, [events::place(id)])?.pop())
}

/// A brain's open proposals, newest first.
pub(crate) fn open(
    connection: &Connection,
    brain: BrainKey,
    limit: usize,
) -> Result<Vec<Proposal>> {
    let sql = format!(
        "{} WHERE p.brain = ?1 AND p.state = 'open' ORDER BY p.id DESC LIMIT ?2",
        select().replace("proposals p", "proposals p INDEXED BY proposals_open")
    );
    load(connection, &sql, (brain.0, count(limit)))
}

/// How many of a brain's proposals are open.
pub(crate) fn open_count(connection: &Connection, brain: BrainKey) -> Result<u32> {
    let mut statement = prepare(
        connection,
        "SELECT count(*) FROM proposals INDEXED BY proposals_open
         WHERE brain = ?1 AND state = 'open'",
    )?;
    Ok(statement.query_row([brain.0], |row| row.get(0))?)
}

/// The open proposals about a unit and those that were joined into it, newest
/// first.
pub(crate) fn of_unit(connection: &Connection, unit: &UnitId) -> Result<Vec<Proposal>> {
    let sql = format!(
        "{} WHERE p.unit = ?1 AND p.state = 'open'",
        select().replace("proposals p", "proposals p INDEXED BY proposals_by_unit")
    );
    let mut proposals = Vec::new();
    for key in units::with_joined(connection, units::key(connection, unit)?)? {
        proposals.extend(load(connection, &sql, [key])?);
    }
    proposals.sort_unstable_by_key(|proposal| std::cmp::Reverse(proposal.id));
    Ok(proposals)
}

/// A connection's open proposals about this, oldest first.
pub(crate) fn own(
    connection: &Connection,
    author: &ConnectionName,
    about: ProposedFor<'_>,
) -> Result<Vec<Proposal>> {
    match about {
        ProposedFor::Unit(unit) => {
            let mut own = of_unit(connection, unit)?;
            own.retain(|proposal| proposal.agent.connection == *author);
            own.reverse();
            Ok(own)
        }
        ProposedFor::New {
            brain,
            topic,
            title,
        } => load(
            connection,
            &format!(
                "{} WHERE p.brain = ?1 AND p.topic = ?2 AND p.title_folded = ?3
                 AND p.author = ?4 AND p.state = 'open' AND p.unit IS NULL",
                select()
            ),
            (brain.0, topic.as_str(), folded(title), author.as_str()),
        ),
    }
}

/// A connection's newest proposal about this, whatever became of it, if it is
/// newer than `than`.
pub(crate) fn newer(
    connection: &Connection,
    author: &ConnectionName,
    about: ProposedFor<'_>,
    than: ProposalId,
) -> Result<Option<Proposal>> {
    let mut found = Vec::new();
    match about {
        ProposedFor::Unit(unit) => {
            let sql = format!(
                "{} WHERE p.unit = ?1 AND p.author = ?2 AND p.id > ?3",
                select().replace("proposals p", "proposals p INDEXED BY proposals_of_unit")
            );
            for key in units::with_joined(connection, units::key(connection, unit)?)? {
                found.extend(load(
                    connection,
                    &sql,
                    (key, author.as_str(), events::place(than)),
                )?);
            }
        }
        ProposedFor::New {
            brain,
            topic,
            title,
        } => {
            found = own(connection, author, about)?;
            found.extend(rejected(connection, brain)?.into_iter().filter(|it| {
                let Asks::Write(wanted) = &it.asks else {
                    return false;
                };
                it.agent.connection == *author
                    && it.target.unit().is_none()
                    && wanted.topic.as_ref() == Some(topic)
                    && wanted.title.as_deref().map(fold).as_deref() == title
            }));
        }
    }
    let newest = found.into_iter().max_by_key(|proposal| proposal.id);
    Ok(newest.filter(|proposal| proposal.id > than))
}

/// A brain's rejected proposals whose text is kept, newest first.
pub(crate) fn rejected(connection: &Connection, brain: BrainKey) -> Result<Vec<Proposal>> {
    let sql = format!(
        "{} WHERE p.brain = ?1 AND p.state = 'rejected' ORDER BY p.id DESC",
        select().replace("proposals p", "proposals p INDEXED BY proposals_rejected")
    );
    load(connection, &sql, [brain.0])
}

/// The proposal that an event rejected last.
pub(crate) fn rejected_by(connection: &Connection, event: EventId) -> Result<Option<Proposal>> {
    let sql = format!(
        "{} WHERE p.rejected_by = ?1",
        select().replace(
            "proposals p",
            "proposals p INDEXED BY proposals_by_rejection"
        )
    );
    Ok(load(connection, &sql, [events::place(event)])?.pop())
}

/// Whether an id is promised to a proposed unit.
pub(crate) fn promised(connection: &Connection, id: &UnitId) -> Result<bool> {
    let mut statement = prepare(connection, "SELECT 1 FROM proposals WHERE new_id = ?1")?;
    Ok(statement.exists([id.as_str()])?)
}

/// Stores a new proposal.
pub(crate) fn add(connection: &Connection, proposal: &Proposal) -> Result<()> {
    let (unit, new_id) = match &proposal.target {
        Target::Unit(id) => (Some(units::key(connection, id)?), None),
        Target::New(id) => (None, Some(id.as_str())),
    };
    let none = Wanted::default();
    let (wanted, why) = match &proposal.asks {
        Asks::Write(wanted) => (wanted, None),
        Asks::Retire { why } => (&none, why.as_deref()),
    };
    let agent = agents::key(connection, &proposal.agent)?;
    prepare(
        connection,
        "INSERT INTO proposals (brain, unit, new_id, kind, reason, state, became, author, agent,
                 at, base_revision, base_delivered_at, topic, title, title_folded, tags, source,
                 fresh_for_days, observed_at, why, append, body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?18, ?19, ?20, ?21, ?22)",
    )?
    .execute(rusqlite::params![
        proposal.brain.0,
        unit,
        new_id,
        proposal.asks.kind().as_str(),
        proposal.reason.as_str(),
        proposal.state.as_str(),
        proposal.became,
        proposal.agent.connection.as_str(),
        agent,
        proposal.at.millis(),
        proposal.base.map(|base| base.revision),
        proposal.base.map(|base| base.delivered_at.millis()),
        wanted.topic.as_ref().map(Topic::as_str),
        wanted.title,
        folded(wanted.title.as_deref().map(fold).as_deref()),
        wanted.tags.as_ref().map(to_json).transpose()?,
        wanted.source,
        wanted.fresh_for_days,
        wanted.observed_at.map(Timestamp::millis),
        why,
        wanted.append,
        wanted.body,
    ])?;
    Ok(())
}

/// The columns of what a proposal asks for, without their text.
const NO_TEXT: &str = "topic = NULL, title = NULL, title_folded = '', tags = NULL, source = NULL,
     fresh_for_days = NULL, observed_at = NULL, why = NULL, append = NULL, body = NULL";

/// Settles an open proposal. Its text goes, unless it is rejected; of what is
/// erased at once, free space is scrubbed too.
pub(crate) fn settle(
    connection: &Connection,
    id: ProposalId,
    state: ProposalState,
    became: Option<&(UnitId, u32)>,
) -> Result<()> {
    let unit = match became {
        Some((unit, _)) => Some(units::key(connection, unit)?),
        None => None,
    };
    let text = if state == ProposalState::Rejected {
        String::new()
    } else {
        format!(", {NO_TEXT}")
    };
    let settled = prepare(
        connection,
        &format!(
            "UPDATE proposals SET state = ?2, unit = coalesce(?3, unit), became = ?4{text}
             WHERE id = ?1 AND state = 'open'"
        ),
    )?
    .execute((
        events::place(id),
        state.as_str(),
        unit,
        became.map(|(_, revision)| *revision),
    ))?;
    if settled == 0 {
        return Err(Error::contradiction(
            "a proposal that is settled already, or not there",
        ));
    }
    if state == ProposalState::Erased {
        forget_reason(connection, id)?;
    }
    Ok(())
}

/// Takes away why a proposal was rejected; it may repeat what that asked for.
fn forget_reason(connection: &Connection, id: ProposalId) -> Result<()> {
    prepare(
        connection,
        "UPDATE events SET detail = NULL
         WHERE id = (SELECT rejected_by FROM proposals WHERE id = ?1)",
    )?
    .execute([events::place(id)])?;
    meta::set_scrub(connection, meta::Scrub::File)
}

/// Notes the event that rejected a proposal.
pub(crate) fn note_rejection(connection: &Connection, id: ProposalId, event: i64) -> Result<()> {
    prepare(
        connection,
        "UPDATE proposals SET rejected_by = ?2 WHERE id = ?1",
    )?
    .execute((events::place(id), event))?;
    Ok(())
}

/// A rejected proposal waits again, or one that does is rejected again.
pub(crate) fn turn(connection: &Connection, id: ProposalId, opens: bool) -> Result<()> {
    let (from, to) = if opens {
        ("rejected", "open")
    } else {
        ("open", "rejected")
    };
    let turned = prepare(
        connection,
        "UPDATE proposals SET state = ?3
         WHERE id = ?1 AND state = ?2 AND rejected_by IS NOT NULL",
    )?
    .execute((events::place(id), from, to))?;
    if turned == 0 {
        return Err(Error::contradiction(
            "a proposal that was not rejected, or is settled otherwise",
        ));
    }
    Ok(())
}

/// Takes away what a rejected proposal asked for, and why it was rejected.
pub(crate) fn erase(connection: &Connection, id: ProposalId) -> Result<()> {
    let erased = prepare(
        connection,
        &format!(
            "UPDATE proposals SET state = 'erased', {NO_TEXT}
             WHERE id = ?1 AND state = 'rejected'"
        ),
    )?
    .execute([events::place(id)])?;
    if erased == 0 {
        return Err(Error::contradiction("a proposal that is not rejected"));
    }
    forget_reason(connection, id)
}
