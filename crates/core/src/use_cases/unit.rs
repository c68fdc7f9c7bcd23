//! Finding a unit, and showing it: what several use cases share.

use crate::ports::{Card, Change, Records};
use crate::refusal::{Code, Refusal, Result};
use crate::rules::access::Access;
use crate::rules::routing::analyse;
use crate::rules::seen::{Seen, own};
use crate::rules::wanted;
use crate::rules::write::Writer;
use crate::shapes::{AgentText, ConflictShape, Moment, SideShape};
use crate::text::{count, count_json, fold, pieces};
use crate::words::{
    Base, Content, Event, Field, Measures, Revision, Session, Side, Timestamp, Topic, Unit, UnitId,
};

/// The unit at an id, `brain:topic` or `brain:topic#title`.
pub(super) fn find(
    records: &dyn Records,
    access: &Access,
    address: &str,
    now: Timestamp,
) -> Result<Unit> {
    locate(records, access, address, false, now)
}

/// As [`find`]; the topic of a single unit names it too. For reading alone: a
/// change must not fall on a unit that was guessed.
pub(super) fn find_to_read(
    records: &dyn Records,
    access: &Access,
    address: &str,
    now: Timestamp,
) -> Result<Unit> {
    locate(records, access, address, true, now)
}

fn locate(
    records: &dyn Records,
    access: &Access,
    address: &str,
    read: bool,
    now: Timestamp,
) -> Result<Unit> {
    let address = address.trim();
    let unknown = || Refusal::unknown_unit(address);
    if let Some(id) = UnitId::named(address) {
        return records.unit(&access.keys(None)?, &id)?.ok_or_else(unknown);
    }
    let (brain, rest) = address.split_once(':').ok_or_else(unknown)?;
    let (topic, title) = match rest.split_once('#') {
        Some((topic, title)) => (topic, wanted::given(Some(title))),
        None => (rest, None),
    };
    let brain = access.readable(brain)?;
    let topic = Topic::parse(topic).map_err(|_| unknown())?;
    if let Some(unit) = records.unit_at(brain.key, &topic, title.map(fold).as_deref())? {
        return Ok(unit);
    }
    if title.is_none() {
        if let (true, [card]) = (read, &in_topic(records, brain.key, &topic)?[..]) {
            return records.unit(&[brain.key], &card.id)?.ok_or_else(unknown);
        }
        only_titled(records, access, &topic, brain.key, now)?;
    }
    Err(unknown())
}

/// Refuses an address without a title in a topic that holds only titled units.
pub(super) fn only_titled(
    records: &dyn Records,
    access: &Access,
    topic: &Topic,
    brain: crate::words::BrainKey,
    now: Timestamp,
) -> Result<()> {
    let titled = in_topic(records, brain, topic)?;
    if titled.is_empty() {
        return Ok(());
    }
    let pointers = titled
        .iter()
        .take(NAMED)
        .filter_map(|card| {
            let brain = access.by_key(card.brain)?;
            Some(crate::rules::budget::pointer(card, brain, now))
        })
        .collect();
    Err(Refusal::ambiguous(
        format!(
            "`{topic}` holds several units by title, and no title was given. Name the title or \
             the id; a new title makes a new unit."
        ),
        pointers,
    ))
}

/// The most units that a refusal names.
const NAMED: usize = 6;

/// Living units that stand in exactly this topic, the latest first, as far as
/// an address needs them.
fn in_topic(
    records: &dyn Records,
    brain: crate::words::BrainKey,
    topic: &Topic,
) -> Result<Vec<Card>> {
    let narrow = crate::ports::Narrow {
        exact: true,
        topic: Some(topic),
        ..crate::ports::Narrow::default()
    };
    // Retired units in conflict are listed too, and are few.
    let mut cards = records.cards(&[brain], narrow, 100)?;
    cards.retain(|card| !card.retired);
    Ok(cards)
}

/// When a revision was delivered to the session, or to its connection before,
/// if it was.
pub(super) fn delivered_at(
    records: &dyn Records,
    session: &Session,
    unit: &UnitId,
    revision: u32,
) -> Result<Option<Timestamp>> {
    match session.seen(unit, revision) {
        Some(at) => Ok(Some(at)),
        None => records.delivered_to(&session.agent.connection, unit, revision),
    }
}

/// Whether the caller named a unit that was joined into this one.
pub(super) fn by_another_id(address: &str, unit: &Unit) -> bool {
    UnitId::named(address).is_some_and(|id| id != unit.id)
}

/// Whether the caller named a unit that was joined into this one, and was never
/// shown this revision: then its numbers are those of the other.
pub(super) fn of_joined(
    records: &dyn Records,
    session: &Session,
    address: &str,
    unit: &Unit,
    revision: u32,
) -> Result<bool> {
    Ok(by_another_id(address, unit)
        && delivered_at(records, session, &unit.id, revision)?.is_none())
}

/// What the session had seen of a unit: the revision that it names, if that
/// was delivered to its connection; else the last that it was shown itself.
pub(super) fn seen(
    records: &dyn Records,
    session: &Session,
    unit: &Unit,
    base_revision: Option<u32>,
) -> Result<Seen> {
    let head = unit.head.number;
    let base = match base_revision {
        Some(number) if number == 0 || number > head => {
            return Err(Refusal::invalid(format!(
                "base_revision {number} is no revision of this unit: its head is {head}."
            )));
        }
        Some(number) => delivered_at(records, session, &unit.id, number)?.map(|at| (number, at)),
        None => session.last_seen(&unit.id),
    };
    let Some((revision, delivered_at)) = base else {
        return Ok(Seen::Unknown);
    };
    let base = Base {
        revision,
        delivered_at,
    };
    if revision == head {
        return Ok(Seen::Head(base));
    }
    Ok(match records.revision(&unit.id, revision)? {
        Some(revision) => Seen::Older(base, Box::new(revision)),
        None => Seen::Unknown,
    })
}

/// The session as the writer of a unit.
pub(super) fn writer<'a>(
    records: &dyn Records,
    session: &'a Session,
    unit: &Unit,
    base_revision: Option<u32>,
    now: Timestamp,
) -> Result<Writer<'a>> {
    Ok(Writer {
        agent: &session.agent,
        seen: seen(records, session, unit, base_revision)?,
        own: own(&unit.head, &session.agent, session.began),
        now,
    })
}

/// A body and its token counts, made before the write lock is taken.
#[derive(Debug, Clone)]
pub(super) struct Measured {
    pub(super) body: String,
    tokens: u32,
    pieces: Vec<crate::text::Piece>,
}

impl Measured {
    pub(super) fn new(body: String) -> Self {
        Self {
            tokens: count_json(&body),
            pieces: pieces(&body),
            body,
        }
    }
}

/// The change that stores a unit with its new head: token counts are made for
/// what changed against `before` (`None`: a new unit); `measured` is taken
/// where it is of this body.
pub(super) fn new_head(
    mut unit: Unit,
    before: Option<&Revision>,
    measured: Option<&Measured>,
    event: Event,
) -> Vec<Change> {
    let content = &unit.head.content;
    let measures = &mut unit.measures;
    if before.is_none() {
        measures.id = count(unit.id.as_str());
    }
    if before.is_none_or(|before| before.content.topic != content.topic) {
        measures.topic = count_json(content.topic.as_str());
    }
    if before.is_none_or(|before| before.content.title != content.title) {
        measures.title = content.title.as_deref().map_or(0, count_json);
    }
    if before.is_none_or(|before| before.content.body != content.body) {
        match measured.filter(|measured| measured.body == content.body) {
            Some(measured) => {
                unit.head.tokens = measured.tokens;
                measures.pieces.clone_from(&measured.pieces);
            }
            None => {
                unit.head.tokens = count_json(&content.body);
                measures.pieces = pieces(&content.body);
            }
        }
    }
    let keywords = Box::new(analyse(&unit.head.content));
    vec![
        Change::NewHead {
            unit: Box::new(unit),
            keywords,
        },
        Change::Event(event),
    ]
}

/// Refuses an address that another unit stands at, for a move.
pub(super) fn free_address(
    records: &dyn Records,
    access: &Access,
    unit: &Unit,
    content: &Content,
    now: Timestamp,
) -> Result<()> {
    let title = content.title.as_deref().map(fold);
    let Some(other) = records.unit_at(unit.brain, &content.topic, title.as_deref())? else {
        return Ok(());
    };
    let there = &other.head.content;
    let stands_there = there.topic == content.topic && there.title.as_deref().map(fold) == title;
    if other.id == unit.id || !stands_there {
        return Ok(());
    }
    let pointers = access
        .by_key(other.brain)
        .map(|brain| crate::rules::budget::pointer(&card(&other), brain, now))
        .into_iter()
        .collect();
    Err(Refusal::ambiguous(
        "Another unit stands at this topic and title. Choose another title, or write to that unit.",
        pointers,
    ))
}

/// The change by which a unit's former address keeps leading to it, if it
/// moved.
pub(super) fn leads(unit: &Unit, before: &Content) -> Option<Change> {
    let after = &unit.head.content;
    let (old, new) = (
        before.title.as_deref().map(fold),
        after.title.as_deref().map(fold),
    );
    (before.topic != after.topic || old != new).then(|| Change::LeadsTo {
        brain: unit.brain,
        topic: before.topic.clone(),
        title: old,
        unit: unit.id.clone(),
    })
}

/// A unit's card.
pub(super) fn card(unit: &Unit) -> Card {
    let content = &unit.head.content;
    let Measures {
        id,
        topic,
        title,
        pieces,
    } = unit.measures.clone();
    Card {
        id: unit.id.clone(),
        brain: unit.brain,
        topic: content.topic.clone(),
        title: content.title.clone(),
        revision: unit.head.number,
        retired: unit.head.retired,
        conflicted: unit.conflicted(),
        anchor: unit.anchor,
        ages: unit.ages,
        later_until: unit.later_until,
        tokens: unit.head.tokens,
        id_tokens: id,
        topic_tokens: topic,
        title_tokens: title,
        pieces,
    }
}

/// A unit's title, else its topic.
pub(super) fn shown_title(content: &Content) -> String {
    content
        .title
        .clone()
        .unwrap_or_else(|| content.topic.to_string())
}

/// The open conflict, if there is one.
pub(super) fn conflict_shape(unit: &Unit) -> Option<ConflictShape> {
    unit.conflicted().then(|| ConflictShape {
        version: unit.version,
        sides: unit.sides.iter().map(side_shape).collect(),
    })
}

/// A side as it is shown. A retirement has no text.
pub(super) fn side_shape(side: &Side) -> SideShape {
    let Side { revision, disputed } = side;
    let content = &revision.content;
    let in_dispute = |field| disputed.contains(&field);
    SideShape {
        revision: revision.number,
        text: (!revision.retired).then(|| content.body.clone()),
        agent: AgentText(revision.agent.clone()),
        at: Moment(revision.at),
        topic: in_dispute(Field::Topic).then(|| content.topic.clone()),
        title: content.title.clone().filter(|_| in_dispute(Field::Title)),
        tags: in_dispute(Field::Tags).then(|| content.tags.clone()),
        source: content.source.clone().filter(|_| in_dispute(Field::Source)),
        fresh_for_days: content
            .fresh_for_days
            .filter(|_| in_dispute(Field::FreshForDays)),
        disputed: disputed.clone(),
    }
}

/// The revision that displaced the newest side of a conflict: the head, or one
/// beneath it. Without a conflict, the head.
pub(super) fn displacer(records: &dyn Records, unit: &Unit) -> Result<Revision> {
    let number = unit.displacer().filter(|it| *it != unit.head.number);
    let older = number.map(|number| records.revision(&unit.id, number));
    Ok(older
        .transpose()?
        .flatten()
        .unwrap_or_else(|| unit.head.clone()))
}

/// The sides whose whole text a conflict shows: what its reader has seen.
pub(super) fn shown_sides(unit: &Unit) -> Vec<(UnitId, u32)> {
    unit.sides
        .iter()
        .map(|side| (unit.id.clone(), side.revision.number))
        .collect()
}

/// Refuses a unit that is retired, for what makes sense on a living one alone.
pub(super) fn living(unit: &Unit) -> Result<()> {
    if unit.head.retired {
        return Err(Refusal::invalid(
            "This unit is retired. Write it again to bring it back.",
        ));
    }
    Ok(())
}

/// Refuses a unit in conflict.
pub(super) fn settled(unit: &Unit) -> Result<()> {
    if unit.conflicted() {
        return Err(Refusal::new(
            Code::Conflicted,
            "This unit is in conflict: fetch it, show the person both sides, and call `resolve` \
             with their decision. That confirms it too.",
        ));
    }
    Ok(())
}
