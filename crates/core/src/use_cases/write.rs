//! Write: a unit, new or changed.

use super::proposals::{Offer, own_waits, propose};
use super::unit::{
    Measured, conflict_shape, find, free_address, leads, new_head, only_titled, shown_sides,
    shown_title, side_shape, writer,
};
use super::{Call, access, event, persons_alone, random};
use crate::ports::{Card, Change, Narrow, Records};
use crate::refusal::{Refusal, Result};
use crate::rules::access::{Access, Writing};
use crate::rules::budget;
use crate::rules::wanted::{self, Wanted, given};
use crate::rules::write::{Judgement, Making, NewHead, Writer, age, judge, new_unit, put_head};
use crate::shapes::{Pointer, WriteInput, WriteOutcome, WriteReply};
use crate::text::{count, fingerprint, fold, fold_loose, question_terms, terms};
use crate::views::acts::PersonWriteInput;
use crate::words::{
    Asks, Base, Brain, Content, EventKind, Field, Outcome, ProposalReason, Revision, Session, Side,
    Timestamp, Topic, Unit, UnitId,
};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

/// How many random ids a new unit chooses from: three of its 60 bits.
const IDS: usize = 8;
/// How many of a topic's units a new one is compared with.
const COMPARED: usize = 24;
/// The most units that are named as similar.
const SIMILAR: usize = 3;

/// Writes a unit. The write lands at once; what it displaced unseen is kept on
/// an open conflict, and every reply that replaced text carries that text.
/// Where the brain's write policy is `review`, an agent's write waits as a
/// proposal instead, after everything that a landing one would be refused for
/// was looked at: the reply names the head that stands, and for a new unit
/// revision 0, the address, and the id that the unit gets if it is accepted.
///
/// # Errors
/// `unknown_brain`, `unknown_unit`, `not_allowed`, `ambiguous`, `invalid`,
/// `too_large`; nothing is stored then.
pub fn write(call: Call<'_>, input: WriteInput) -> Result<WriteReply> {
    put(call, Order::new(input)?)
}

/// As [`write`], by the person themselves, who can also empty fields.
///
/// # Errors
/// Those of [`write`]; `not_allowed` for an agent; `invalid` for a field that
/// cannot be emptied.
pub fn write_as_person(call: Call<'_>, input: PersonWriteInput) -> Result<WriteReply> {
    persons_alone(call.session, "empty fields")?;
    put(call, Order::of_person(input)?)
}

fn put(call: Call<'_>, order: Order) -> Result<WriteReply> {
    let brain = order.brain.clone();
    let text = order
        .wanted
        .body
        .clone()
        .or_else(|| order.wanted.append.clone());
    let session = Arc::clone(call.session);
    let now = call.now;
    let (
        Written {
            mut reply,
            made,
            seen,
        },
        event,
    ) = call
        .store
        .act(move |records| order.carry_out(records, &session, now))?;
    reply.event = event;
    call.made(&reply.id, made);
    call.delivered(
        seen.into_iter()
            .map(|revision| (reply.id.clone(), revision)),
    );
    let new = match reply.outcome {
        WriteOutcome::Created => true,
        WriteOutcome::Proposed => reply.revision == 0,
        _ => false,
    };
    if new && let Some(text) = text {
        // The write is stored: what fails from here on takes nothing back.
        reply.similar = similar(call, &brain, &reply, &text).unwrap_or_default();
    }
    Ok(reply)
}

/// What was written.
struct Written {
    reply: WriteReply,
    /// The revisions of its writer's own whose whole text it knows.
    made: Vec<u32>,
    /// The revisions whose whole text the reply shows, or the write repeats.
    seen: Vec<u32>,
}

/// A write, checked and normalised; it may be carried out more than once.
struct Order {
    brain: String,
    topic: Option<Topic>,
    title: Option<String>,
    id: Option<String>,
    base_revision: Option<u32>,
    wanted: Wanted,
    measured: Option<Measured>,
    ids: Vec<UnitId>,
}

impl Order {
    fn new(input: WriteInput) -> Result<Self> {
        Self::of_person(PersonWriteInput {
            brain: input.brain,
            topic: input.topic,
            title: input.title,
            body: input.body,
            append: input.append,
            tags: input.tags,
            source: input.source,
            id: input.id,
            base_revision: input.base_revision,
            observed_at: input.observed_at,
            fresh_for_days: input.fresh_for_days,
            clear: None,
        })
    }

    fn of_person(input: PersonWriteInput) -> Result<Self> {
        if given(Some(&input.brain)).is_none() {
            return Err(Refusal::invalid(
                "brain is missing: a write names its brain. Call `brains` to see which there are.",
            ));
        }
        let topic = given(input.topic.as_deref())
            .map(Topic::parse)
            .transpose()?;
        let title = given(input.title.as_deref())
            .map(wanted::title)
            .transpose()?;
        let id = given(input.id.as_deref()).map(str::to_owned);
        if topic.is_none() && id.is_none() {
            return Err(Refusal::invalid(
                "topic is missing: name the topic, such as clients/meridian, or the unit's id.",
            ));
        }
        if input.body.is_some() && input.append.is_some() {
            return Err(Refusal::invalid(
                "append and body are both given: give one of them.",
            ));
        }
        let body = input
            .body
            .map(|text| wanted::body("body", &text))
            .transpose()?;
        let append = input
            .append
            .map(|text| wanted::body("append", &text))
            .transpose()?;
        let by_id = id.is_some();
        let mut wanted = Wanted {
            clear: Vec::new(),
            topic: topic.clone().filter(|_| by_id),
            title: title.clone().filter(|_| by_id),
            tags: input.tags.map(|tags| wanted::tags(&tags)).transpose()?,
            source: given(input.source.as_deref())
                .map(|text| wanted::note("source", text))
                .transpose()?,
            fresh_for_days: input
                .fresh_for_days
                .map(wanted::fresh_for_days)
                .transpose()?,
            observed_at: given(input.observed_at.as_deref())
                .map(|text| wanted::moment("observed_at", text))
                .transpose()?,
            body,
            append,
        };
        let clear = input.clear.unwrap_or_default();
        if !by_id && title.is_none() && clear.contains(&Field::Title) {
            return Err(Refusal::invalid(
                "id is missing: without it a unit is named by its title. Name the unit by its id \
                 to take its title away.",
            ));
        }
        let mut given = wanted.supplied();
        given.extend(title.as_ref().map(|_| Field::Title));
        wanted.clear = wanted::clear(&clear, &given)?;
        if wanted.supplied().is_empty() && wanted.append.is_none() {
            return Err(Refusal::invalid(
                "body is missing: give body, append, or another field to change.",
            ));
        }
        let text = wanted.body.as_ref().or(wanted.append.as_ref());
        let measured = text.cloned().map(Measured::new);
        // Each is free with near certainty; the write takes the first that is.
        // An id stands twice in each pointer, so the shortest to say go first.
        let mut ids = (0..IDS)
            .map(|_| random().map(UnitId::from_bits))
            .collect::<Result<Vec<_>>>()?;
        ids.sort_by_cached_key(|id| count(id.as_str()));
        Ok(Self {
            brain: input.brain,
            topic,
            title,
            id,
            base_revision: input.base_revision,
            wanted,
            measured,
            ids,
        })
    }

    fn carry_out(
        &self,
        records: &dyn Records,
        session: &Session,
        now: Timestamp,
    ) -> Result<(Vec<Change>, Written)> {
        let access = access(records, session)?;
        let brain = access.writable(&self.brain)?;
        if let Some(unit) = self.unit(records, &access, brain, now)? {
            return self.change(records, session, now, &access, brain, unit);
        }
        let Some(topic) = &self.topic else {
            return Err(Refusal::unknown_unit(
                self.id.as_deref().unwrap_or_default(),
            ));
        };
        if self.base_revision.is_some() {
            return Err(Refusal::invalid(
                "base_revision is given, but no unit stands here. Leave it out to make one.",
            ));
        }
        if let Some(unit) = self.same_fact(records, brain, topic)? {
            return Ok((Vec::new(), unchanged(brain, unit, true)));
        }
        if self.title.is_none() {
            only_titled(records, &access, topic, brain.key, now)?;
        }
        match access.writing(brain)? {
            Writing::Lands => self.create(records, session, now, brain, topic),
            Writing::Waits(reason) => {
                let offer = self.offer(brain, None, None, reason);
                self.propose(records, session, now, offer)
            }
        }
    }

    /// The unit that is written to, if it is there.
    fn unit(
        &self,
        records: &dyn Records,
        access: &Access,
        brain: &Brain,
        now: Timestamp,
    ) -> Result<Option<Unit>> {
        match (&self.id, &self.topic) {
            (Some(id), _) => {
                let unit = find(records, access, id, now)?;
                if unit.brain != brain.key {
                    return Err(Refusal::unknown_unit(id));
                }
                Ok(Some(unit))
            }
            (None, Some(topic)) => {
                records.unit_at(brain.key, topic, self.title.as_deref().map(fold).as_deref())
            }
            (None, None) => Ok(None),
        }
    }

    /// A unit of this topic that says the same but for case, white space and a
    /// closing full stop, where one of the two has no title.
    fn same_fact(
        &self,
        records: &dyn Records,
        brain: &Brain,
        topic: &Topic,
    ) -> Result<Option<Unit>> {
        let Some(body) = &self.wanted.body else {
            return Ok(None);
        };
        let loose = fold_loose(body);
        let found = records.same_fingerprint(brain.key, topic, fingerprint(body))?;
        Ok(found.into_iter().find(|unit| {
            let content = &unit.head.content;
            (self.title.is_none() || content.title.is_none()) && fold_loose(&content.body) == loose
        }))
    }

    fn change(
        &self,
        records: &dyn Records,
        session: &Session,
        now: Timestamp,
        access: &Access,
        brain: &Brain,
        mut unit: Unit,
    ) -> Result<(Vec<Change>, Written)> {
        let writer = writer(records, session, &unit, self.base_revision, now)?;
        let head = match judge(&unit, &self.wanted, &writer) {
            Judgement::Unchanged { checked_at } => {
                let changes = check(&mut unit, checked_at, brain, session, now);
                let waits = own_waits(records, session, &unit)?;
                let mut written = unchanged(brain, unit, self.wanted.body.is_some());
                if let Some(waits) = waits {
                    written.reply.notice.get_or_insert(waits);
                }
                return Ok((changes, written));
            }
            Judgement::Head(head) => *head,
        };
        if head.content.body.len() > wanted::BODY_BYTES {
            return Err(wanted::over_body("the body with append"));
        }
        free_address(records, access, &unit, &head.content, now)?;
        if let Writing::Waits(reason) = access.writing(brain)? {
            let offer = self.offer(brain, Some(&unit), writer.knew(&unit.head), reason);
            return self.propose(records, session, now, offer);
        }
        Ok(self.put(session, now, brain, unit, head, &writer))
    }

    /// The write as a proposal.
    fn offer<'a>(
        &self,
        brain: &'a Brain,
        unit: Option<&'a Unit>,
        base: Option<Base>,
        reason: ProposalReason,
    ) -> Offer<'a> {
        let mut wanted = self.wanted.clone();
        if unit.is_none() {
            wanted.topic.clone_from(&self.topic);
            wanted.title.clone_from(&self.title);
        }
        Offer {
            brain,
            unit,
            asks: Asks::Write(wanted),
            base,
            reason,
        }
    }

    fn propose(
        &self,
        records: &dyn Records,
        session: &Session,
        now: Timestamp,
        offer: Offer<'_>,
    ) -> Result<(Vec<Change>, Written)> {
        let new_id = free_id(records, &self.ids)?;
        let (brain, unit) = (offer.brain, offer.unit);
        let waiting = propose(records, session, now, offer, new_id)?;
        let reply = WriteReply {
            outcome: WriteOutcome::Proposed,
            brain: brain.name.clone(),
            topic: waiting.shown.topic.clone(),
            title: shown_title(&waiting.shown),
            id: waiting.id,
            revision: unit.map_or(0, |unit| unit.head.number),
            displaced: None,
            conflict: unit.and_then(conflict_shape),
            similar: Vec::new(),
            notice: Some(waiting.notice),
            event: None,
        };
        let seen = unit.map(shown_sides).unwrap_or_default();
        let seen = seen.into_iter().map(|(_, revision)| revision).collect();
        let made = Vec::new();
        Ok((waiting.changes, Written { reply, made, seen }))
    }

    fn put(
        &self,
        session: &Session,
        now: Timestamp,
        brain: &Brain,
        mut unit: Unit,
        new: NewHead,
        writer: &Writer<'_>,
    ) -> (Vec<Change>, Written) {
        let NewHead {
            content,
            disputed,
            replaced,
            returned,
            checked_at,
        } = new;
        let before = unit.head.clone();
        let conflicted = !disputed.is_empty();
        let whole = self.wanted.body.is_some()
            || (writer.seen.head() && !before.retired)
            || (writer.own && before.whole);
        let making = Making {
            agent: &session.agent,
            now,
            base: writer.seen.base(),
            whole,
            observed_at: self.wanted.observed_at.map(|at| at.min(now)),
            outcome: if conflicted {
                Outcome::Conflicted
            } else {
                Outcome::Updated
            },
            retired: false,
        };
        put_head(
            &mut unit,
            content,
            &disputed,
            making,
            &brain.freshness_rules,
        );
        let kind = match (conflicted, returned) {
            (true, _) => EventKind::Conflicted,
            (false, true) => EventKind::Returned,
            (false, false) => EventKind::Updated,
        };
        let mut changes: Vec<Change> = leads(&unit, &before.content).into_iter().collect();
        let displaced = (replaced || conflicted).then(|| {
            side_shape(&Side {
                revision: before.clone(),
                disputed,
            })
        });
        let mut seen: Vec<u32> = Vec::new();
        let mut made = Vec::new();
        if displaced.is_some() {
            // Its own words are no news to a writer.
            let own = before.whole && before.agent.connection == session.agent.connection;
            if own { &mut made } else { &mut seen }.push(before.number);
        }
        if whole {
            made.push(unit.head.number);
        }
        if conflicted {
            seen.extend(shown_sides(&unit).into_iter().map(|(_, revision)| revision));
        }
        let happened = event(session, kind, &unit, now);
        if let Some(at) = checked_at.filter(|at| *at > unit.anchor) {
            unit.anchor = at;
            age(&mut unit, &brain.freshness_rules);
        }
        let reply = WriteReply {
            outcome: if conflicted {
                WriteOutcome::Conflicted
            } else {
                WriteOutcome::Updated
            },
            displaced,
            conflict: if conflicted {
                conflict_shape(&unit)
            } else {
                None
            },
            notice: notice(&unit, conflicted, &before),
            ..plain_reply(brain, &unit)
        };
        changes.extend(new_head(
            unit.clone(),
            Some(&before),
            self.measured.as_ref(),
            happened,
        ));
        if checked_at.is_some() {
            changes.push(Change::Event(event(
                session,
                EventKind::Checked,
                &unit,
                now,
            )));
        }
        (changes, Written { reply, made, seen })
    }

    fn create(
        &self,
        records: &dyn Records,
        session: &Session,
        now: Timestamp,
        brain: &Brain,
        topic: &Topic,
    ) -> Result<(Vec<Change>, Written)> {
        let body = self
            .wanted
            .body
            .clone()
            .or_else(|| self.wanted.append.clone());
        let Some(body) = body else {
            return Err(Refusal::invalid(
                "body is missing: no unit stands here yet, so a write needs its text.",
            ));
        };
        let id = free_id(records, &self.ids)?;
        let content = Content {
            topic: topic.clone(),
            title: self.title.clone(),
            body,
            tags: self.wanted.tags.clone().unwrap_or_default(),
            source: self.wanted.source.clone(),
            fresh_for_days: self.wanted.fresh_for_days,
        };
        let making = Making {
            agent: &session.agent,
            now,
            base: None,
            whole: true,
            observed_at: self.wanted.observed_at.map(|at| at.min(now)),
            outcome: Outcome::Created,
            retired: false,
        };
        let unit = new_unit(id, brain.key, content, making, &brain.freshness_rules);
        let reply = WriteReply {
            outcome: WriteOutcome::Created,
            ..plain_reply(brain, &unit)
        };
        let happened = event(session, EventKind::Created, &unit, now);
        let changes = new_head(unit, None, self.measured.as_ref(), happened);
        Ok((
            changes,
            Written {
                reply,
                made: vec![1],
                seen: Vec::new(),
            },
        ))
    }
}

/// The first of these ids that was never given.
fn free_id(records: &dyn Records, ids: &[UnitId]) -> Result<UnitId> {
    for id in ids {
        if !records.id_taken(id)? {
            return Ok(id.clone());
        }
    }
    Err(Refusal::unavailable("No free id was found. Write again."))
}

/// The changes of a fact that was seen again at its source: its anchor moves,
/// nothing else does.
fn check(
    unit: &mut Unit,
    checked_at: Option<Timestamp>,
    brain: &Brain,
    session: &Session,
    now: Timestamp,
) -> Vec<Change> {
    let Some(at) = checked_at else {
        return Vec::new();
    };
    unit.anchor = unit.anchor.max(at);
    age(unit, &brain.freshness_rules);
    let happened = event(session, EventKind::Checked, unit, now);
    vec![
        Change::SameHead(Box::new(unit.clone())),
        Change::Event(happened),
    ]
}

/// Nothing new was said; a clash that is open is told all the same, since the
/// reply that told it first may have been lost.
fn unchanged(brain: &Brain, unit: Unit, with_body: bool) -> Written {
    let mut seen: Vec<u32> = shown_sides(&unit)
        .into_iter()
        .map(|(_, revision)| revision)
        .collect();
    if with_body {
        seen.push(unit.head.number);
    }
    let reply = WriteReply {
        conflict: conflict_shape(&unit),
        notice: still_open(&unit),
        ..plain_reply(brain, &unit)
    };
    Written {
        reply,
        made: Vec::new(),
        seen,
    }
}

fn plain_reply(brain: &Brain, unit: &Unit) -> WriteReply {
    WriteReply {
        outcome: WriteOutcome::Unchanged,
        brain: brain.name.clone(),
        topic: unit.head.content.topic.clone(),
        title: shown_title(&unit.head.content),
        id: unit.id.clone(),
        revision: unit.head.number,
        displaced: None,
        conflict: None,
        similar: Vec::new(),
        notice: None,
        event: None,
    }
}

fn notice(unit: &Unit, conflicted: bool, before: &Revision) -> Option<String> {
    if conflicted {
        let what = if before.retired {
            "retired the unit in"
        } else {
            "wrote"
        };
        return Some(format!(
            "This displaced revision {}, which {} {what} and you had not seen. Tell the person, \
             and settle it with `resolve` and their decision.",
            before.number, before.agent
        ));
    }
    still_open(unit)
}

fn still_open(unit: &Unit) -> Option<String> {
    unit.conflicted().then(|| {
        "A conflict is still open on this unit. Tell the person, and settle it with `resolve` \
         and their decision."
            .to_owned()
    })
}

/// The units of the new one's topic that are nearest to it, so that two titles
/// for one fact are noticed.
fn similar(call: Call<'_>, brain: &str, reply: &WriteReply, body: &str) -> Result<Vec<Pointer>> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brain = access.readable(brain)?;
        let narrow = Narrow {
            topic: Some(&reply.topic),
            exact: true,
            now: call.now,
            ..Narrow::default()
        };
        // The latest of the topic are compared, not the whole index asked: a
        // write must not grow slower with the brain.
        let opening: String = body.chars().take(400).collect();
        let wanted: HashSet<String> = question_terms(&format!("{} {opening}", reply.title))
            .into_iter()
            .collect();
        let shared = |card: &Card| {
            let said = card.pieces.first().map_or("", |piece| piece.text.as_str());
            let title = card.title.as_deref().unwrap_or_default();
            let said: HashSet<String> = terms(&format!("{title} {said}")).into_iter().collect();
            wanted.intersection(&said).count()
        };
        let mut cards = records.cards(&[brain.key], narrow, COMPARED)?;
        cards.retain(|card| card.id != reply.id && !card.retired);
        cards.sort_by_cached_key(|card| Reverse(shared(card)));
        Ok(cards
            .iter()
            .take(SIMILAR)
            .map(|card| budget::pointer(card, brain, call.now))
            .collect())
    })
}
