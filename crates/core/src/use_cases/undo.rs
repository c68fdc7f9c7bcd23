//! Undo: one act is taken back.

use super::undo_waiting::{Waited, root};
use super::unit::{delivered_at, free_address, leads, new_head};
use super::{Call, access, event, keeps_connections};
use crate::ports::{Change, Records};
use crate::refusal::{Code, Refusal, Result};
use crate::rules::access::Access;
use crate::rules::undo::{Deed, State, age_back, in_the_way, taken_back, told, touched};
use crate::rules::write::{Making, age, put_head};
use crate::text::fold;
use crate::views::acts::{UndoOutcome, UndoReply};
use crate::words::{
    Act, Base, Before, Content, Event, EventId, EventKind, Field, Outcome, Revision, Session, Side,
    Unit, UnitId,
};
use std::collections::HashMap;
use std::sync::Arc;

/// Takes back the act that an event is of, in a new revision by whoever undoes
/// it; an act that made no revision is taken back without one. What it changed
/// and nobody changed since is again as it was, conflict and age too. Whoever
/// went on from it is in the way: then nothing changes, and the answer is
/// `moved` and says who. The undo can be undone. A proposal that was accepted
/// stays settled: the undo takes the unit back, and the proposed text stands in
/// its history. One that was rejected waits again, and so does what was put
/// away.
///
/// # Errors
/// `invalid` for an event that nobody can undo, `not_allowed` for another
/// connection's, unless the person asks, where the caller may not write, and
/// where a head would be made of what waits for the person.
pub fn undo(call: Call<'_>, event: EventId) -> Result<UndoReply> {
    let session = Arc::clone(call.session);
    let now = call.now;
    let ((mut reply, whole), made) = call.store.act(move |records| {
        let access = access(records, &session)?;
        let act = act(records, &session, &access, event)?;
        if let Some(waited) = Waited::of(records, &act)? {
            return Ok(match waited.judge(records, &access)? {
                Ok(change) => {
                    let changes = waited.carry_out(&session, change, now);
                    (changes, (reply(UndoOutcome::Undone, None, None), false))
                }
                Err(message) => {
                    let reply = reply(UndoOutcome::Moved, None, Some(message));
                    (Vec::new(), (reply, false))
                }
            });
        }
        let unit = subject(records, &access, &act)?;
        let timeline = Timeline::since(records, &unit, &act)?;
        let free = match timeline.judge(records, &access, &act)? {
            Judgement::Free(free) => free,
            Judgement::Moved(message) => {
                let reply = reply(UndoOutcome::Moved, Some(&unit), Some(message));
                return Ok((Vec::new(), (reply, false)));
            }
        };
        let rules = &access.writable_key(unit.brain)?.freshness_rules;
        let (changes, unit, whole) = free.carry_out(records, &session, now, unit, &act, rules)?;
        let reply = reply(UndoOutcome::Undone, Some(&unit), None);
        Ok((changes, (reply, whole)))
    })?;
    reply.event = made;
    call.delivered(reply.id.clone().zip(reply.revision).filter(|_| whole));
    Ok(reply)
}

fn reply(outcome: UndoOutcome, unit: Option<&Unit>, message: Option<String>) -> UndoReply {
    UndoReply {
        outcome,
        id: unit.map(|unit| unit.id.clone()),
        revision: unit.map(|unit| unit.head.number),
        event: None,
        message,
    }
}

/// Those of some events that [`undo`] would now carry out for this caller.
///
/// # Errors
/// Those of every use case.
pub fn undoable(call: Call<'_>, events: &[EventId]) -> Result<Vec<EventId>> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        which_undoable(records, call.session, &access, events)
    })
}

/// As [`undoable`], within a view.
pub(super) fn which_undoable(
    records: &dyn Records,
    session: &Session,
    access: &Access,
    events: &[EventId],
) -> Result<Vec<EventId>> {
    let mut of_units: HashMap<UnitId, (Unit, Vec<(EventId, Act)>)> = HashMap::new();
    let mut undoable = Vec::new();
    for &event in events {
        let found = act(records, session, access, event).and_then(|act| {
            if let Some(waited) = Waited::of(records, &act)? {
                let free = waited.judge(records, access)?.is_ok();
                undoable.extend(free.then_some(event));
                return Ok(None);
            }
            Ok(Some((subject(records, access, &act)?, act)))
        });
        match found {
            Ok(None) => {}
            Ok(Some((unit, act))) => {
                // By the unit that was changed, be it joined into another since.
                let changed = act.event.unit.clone().unwrap_or_else(|| unit.id.clone());
                let (_, acts) = of_units
                    .entry(changed)
                    .or_insert_with(|| (unit, Vec::new()));
                acts.push((event, act));
            }
            Err(refusal) if is_no(&refusal) => {}
            Err(refusal) => return Err(refusal),
        }
    }
    for (unit, acts) in of_units.into_values() {
        let Some((_, oldest)) = acts.iter().min_by_key(|(_, act)| act.event.id) else {
            continue;
        };
        let timeline = Timeline::since(records, &unit, oldest)?;
        for (event, act) in &acts {
            match timeline.judge(records, access, act) {
                Ok(Judgement::Free(_)) => undoable.push(*event),
                Ok(Judgement::Moved(_)) => {}
                Err(refusal) if is_no(&refusal) => {}
                Err(refusal) => return Err(refusal),
            }
        }
    }
    undoable.sort_unstable();
    Ok(undoable)
}

/// Whether a refusal speaks of the event, not of the store.
fn is_no(refusal: &Refusal) -> bool {
    !matches!(refusal.code, Code::Busy | Code::Unavailable)
}

/// The act that an event is of, if the caller may undo it.
fn act(records: &dyn Records, session: &Session, access: &Access, event: EventId) -> Result<Act> {
    let unknown = || Refusal::invalid(format!("There is no event {event} here."));
    let mut act = records.act(event)?.ok_or_else(unknown)?;
    let waited = Waited::of(records, &act)?.is_some();
    // Of several events of one act the first knows what stood before it.
    while let (None, Some(of), false) = (&act.before, act.of, waited) {
        act = records.act(of)?.ok_or_else(unknown)?;
    }
    let no_unit = || {
        Refusal::invalid(format!(
            "Event {event} changed no unit: only what was done to a unit, or with what waits for \
             the person, can be undone."
        ))
    };
    match act.event.brain {
        Some(brain) if access.by_key(brain).is_none() => return Err(unknown()),
        // What concerns connections is told to those who keep them.
        None if !keeps_connections(session) => return Err(no_unit()),
        _ => {}
    }
    if let Some(why) = never(act.event.kind) {
        return Err(Refusal::invalid(why));
    }
    match (act.event.brain, &act.event.unit) {
        (Some(brain), Some(_)) if !waited => drop(access.writable_key(brain)?),
        _ if waited => {}
        _ => return Err(no_unit()),
    }
    if !session.agent.is_person() && act.event.agent.connection != session.agent.connection {
        return Err(Refusal::new(
            Code::NotAllowed,
            format!(
                "{} did this, and `{}` can undo only what it did itself. The person can undo \
                 anything.",
                act.event.agent, session.agent.connection
            ),
        ));
    }
    if act.before.is_none() && !waited {
        return Err(Refusal::invalid(
            "This was done before OzBrain kept what an undo needs. Write what shall stand instead.",
        ));
    }
    Ok(act)
}

/// Why no act of this kind can be undone, if none can.
fn never(kind: EventKind) -> Option<&'static str> {
    match kind {
        EventKind::Erased => Some("What was erased is gone: an erase cannot be undone."),
        EventKind::Noted => Some(
            "Nobody knew the answer, which changed nothing: there is nothing to undo. Confirm the \
             unit once you know.",
        ),
        EventKind::Proposed => Some(
            "A proposal changed nothing yet: there is nothing to undo. The person can accept it \
             or reject it.",
        ),
        EventKind::SettingsChanged => Some(
            "A setting is changed back by setting it, in the Settings: there is nothing to undo.",
        ),
        EventKind::ConnectionRevoked => Some(
            "A revoked name stays revoked: this cannot be undone. Connect the client under another \
             name.",
        ),
        _ => None,
    }
}

/// The unit that an act changed: the survivor, where it was joined since.
fn subject(records: &dyn Records, access: &Access, act: &Act) -> Result<Unit> {
    let unit = match &act.event.unit {
        Some(id) => records.unit(&access.keys(None)?, id)?,
        None => None,
    };
    unit.ok_or_else(|| Refusal::invalid("The unit was erased since, so nothing can be undone."))
}

/// What happened to a unit since an act, that act first.
struct Timeline {
    unit: Unit,
    deeds: Vec<Deed>,
    /// How the unit stood before each deed, and as it is now.
    states: Vec<State>,
}

enum Judgement {
    Free(Box<Free>),
    Moved(String),
}

/// An act that can be taken back.
struct Free {
    before: State,
    after: State,
    touched: crate::rules::undo::Touched,
    content: Content,
    retired: bool,
    join: Option<Join>,
}

/// What an undo does about two units that were joined.
enum Join {
    /// The other stands by itself again.
    Part(Unit),
    /// The undone join comes back.
    Again(Unit),
}

impl Timeline {
    fn since(records: &dyn Records, unit: &Unit, act: &Act) -> Result<Self> {
        let subject = act.event.unit.as_ref().unwrap_or(&unit.id);
        let acts = records.acts_after(subject, act.event.id.saturating_sub(1))?;
        let mut states: Vec<State> = Vec::with_capacity(acts.len() + 1);
        for act in &acts {
            if let Some(before) = &act.before {
                let last = states.last().and_then(|state| state.head.as_ref());
                let state = state(records, subject, before, last)?;
                states.push(state);
            }
        }
        states.push(State {
            head: Some(unit.head.clone()),
            sides: unit
                .sides
                .iter()
                .map(|side| (side.revision.number, side.disputed.clone()))
                .collect(),
            anchor: unit.anchor,
            confirmed: unit.confirmed.clone(),
            later_until: unit.later_until,
        });
        let deeds = acts
            .iter()
            .zip(states.windows(2))
            .map(|(act, around)| Deed::new(act, touched(&around[0], &around[1])))
            .collect();
        Ok(Self {
            unit: unit.clone(),
            deeds,
            states,
        })
    }

    fn judge(&self, records: &dyn Records, access: &Access, act: &Act) -> Result<Judgement> {
        let unit = &self.unit;
        if act.event.unit.as_ref() != Some(&unit.id) {
            return Ok(Judgement::Moved(format!(
                "Nothing was undone: the unit was joined into {} since. Undo that first.",
                unit.id
            )));
        }
        let place = self
            .deeds
            .iter()
            .position(|deed| deed.event.id == act.event.id);
        let Some((place, deed)) = place.and_then(|at| Some((at, self.deeds.get(at)?))) else {
            return Err(Refusal::invalid("Nothing is known of this event any more."));
        };
        let (before, after) = (&self.states[place], &self.states[place + 1]);
        if before.head.as_ref().is_some_and(|head| head.erased) {
            return Err(Refusal::invalid(
                "What stood before was erased, so this cannot be undone. Write what shall stand \
                 instead.",
            ));
        }
        if !deed.touched.anything() {
            return Err(Refusal::invalid(
                "This changed nothing, so nothing can be undone.",
            ));
        }
        if deed.touched.a_head() {
            access.lands(unit.brain)?;
        }
        if let Some(other) = in_the_way(&self.deeds[place..]) {
            let since = match other.undid {
                Some(undid) if undid == act.event.id => "it is undone already: ",
                _ => "since then ",
            };
            return Ok(Judgement::Moved(format!(
                "Nothing was undone: {since}{}.",
                told(&other.event)
            )));
        }
        let (content, retired) = taken_back(&unit.head, before.head.as_ref(), &deed.touched);
        let join = match join(records, access, unit, act)? {
            Ok(join) => join,
            Err(message) => return Ok(Judgement::Moved(message)),
        };
        // Of an undone join the other's address is the one to come back to. What
        // stands there is shown to nobody, so its age at any moment will do.
        if !matches!(join, Some(Join::Again(_)))
            && let Err(refusal) = free_address(records, access, unit, &content, act.event.at)
        {
            if refusal.code != Code::Ambiguous {
                return Err(refusal);
            }
            return Ok(Judgement::Moved(
                "Nothing was undone: another unit stands at that topic and title by now.".into(),
            ));
        }
        Ok(Judgement::Free(Box::new(Free {
            before: before.clone(),
            after: after.clone(),
            touched: deed.touched.clone(),
            content,
            retired,
            join,
        })))
    }
}

fn state(
    records: &dyn Records,
    unit: &UnitId,
    before: &Before,
    last: Option<&Revision>,
) -> Result<State> {
    let head = match before.revision {
        0 => None,
        number if last.is_some_and(|last| last.number == number) => last.cloned(),
        number => records.revision(unit, number)?,
    };
    Ok(State {
        head,
        sides: before.sides.clone(),
        anchor: before.anchor,
        confirmed: before.confirmed.clone(),
        later_until: before.later_until,
    })
}

/// What an undo of this act does about a join: an undone join is made again by
/// undoing that. The inner error says what is in the way.
fn join(
    records: &dyn Records,
    access: &Access,
    unit: &Unit,
    act: &Act,
) -> Result<std::result::Result<Option<Join>, String>> {
    let (root, parts) = root(records, act)?;
    if root.event.kind != EventKind::Joined {
        return Ok(Ok(None));
    }
    let other = root.event.detail.as_deref().and_then(UnitId::parse);
    let changed = || {
        Ok(Err(
            "Nothing was undone: the other unit was changed since.".to_owned()
        ))
    };
    let Some(other) = other else {
        return changed();
    };
    if parts {
        let Some((other, _)) = records.joined(&other)?.filter(|(_, into)| *into == unit.id) else {
            return changed();
        };
        if other.head.erased {
            return Ok(Err(
                "Nothing was undone: what the joined unit said was erased.".into(),
            ));
        }
        let content = &other.head.content;
        let title = content.title.as_deref().map(fold);
        let there = records.unit_at(unit.brain, &content.topic, title.as_deref())?;
        let taken = there.is_some_and(|there| {
            let it = &there.head.content;
            there.id != unit.id
                && it.topic == content.topic
                && it.title.as_deref().map(fold) == title
        });
        if taken {
            return Ok(Err(
                "Nothing was undone: a third unit stands where the joined one stood.".into(),
            ));
        }
        return Ok(Ok(Some(Join::Part(other))));
    }
    let same = records
        .unit(&access.keys(None)?, &other)?
        .filter(|found| found.id == other);
    match same {
        Some(other) if records.acts_after(&other.id, act.event.id)?.is_empty() => {
            Ok(Ok(Some(Join::Again(other))))
        }
        _ => changed(),
    }
}

impl Free {
    /// The changes, the unit as it then stands, and whether the caller knows
    /// its whole text.
    fn carry_out(
        self,
        records: &dyn Records,
        session: &Session,
        now: crate::words::Timestamp,
        mut unit: Unit,
        act: &Act,
        rules: &[crate::words::FreshnessRule],
    ) -> Result<(Vec<Change>, Unit, bool)> {
        let touched = &self.touched;
        let (anchor, confirmed) = age_back(
            (unit.anchor, unit.confirmed.as_ref()),
            &self.before,
            &self.content,
            touched,
        );
        let later = (touched.later && unit.later_until == self.after.later_until)
            .then_some(self.before.later_until);
        let old = unit.head.clone();
        let makes_head = touched.a_head();
        let mut whole = false;
        if makes_head {
            let text = touched.fields.contains(&Field::Body);
            let from = match &self.before.head {
                Some(head) if text => head.number,
                _ => old.number,
            };
            whole = delivered_at(records, session, &unit.id, from)?.is_some();
            // What stands again as it stood is still its author's: they said it,
            // knowing what they knew. The event tells who took the act back.
            let again = self
                .before
                .head
                .as_ref()
                .filter(|head| head.content == self.content && head.retired == self.retired);
            let making = Making {
                agent: again.map_or(&session.agent, |head| &head.agent),
                now,
                base: match again {
                    Some(head) => head.base,
                    None => session.seen(&unit.id, old.number).map(|delivered_at| Base {
                        revision: old.number,
                        delivered_at,
                    }),
                },
                whole: again.map_or(whole, |head| head.whole),
                observed_at: match &self.before.head {
                    Some(head) if text => head.observed_at,
                    _ => old.observed_at,
                },
                outcome: Outcome::Undone,
                retired: self.retired,
            };
            put_head(&mut unit, self.content, &[], making, rules);
        }
        if touched.sides {
            unit.sides = sides(records, &unit.id, &self.before.sides)?;
        }
        unit.anchor = anchor;
        unit.confirmed = confirmed;
        if let Some(later) = later {
            unit.later_until = later;
        }
        age(&mut unit, rules);
        let undone = Event {
            detail: match &self.join {
                Some(Join::Part(other) | Join::Again(other)) => Some(other.id.to_string()),
                None => None,
            },
            ..event(session, EventKind::Undone, &unit, now)
        };
        let mut changes = Vec::new();
        if let Some(Join::Again(other)) = &self.join {
            changes.push(Change::Lead {
                unit: other.id.clone(),
                to: Some(unit.id.clone()),
            });
        }
        if makes_head {
            changes.extend(leads(&unit, &old.content));
            changes.extend(new_head(unit.clone(), Some(&old), None, undone));
            if let Some(Change::Event(undone)) = changes.pop() {
                changes.push(Change::Undo(undone, act.event.id));
            }
        } else {
            changes.push(Change::SameHead(Box::new(unit.clone())));
            changes.push(Change::Undo(undone, act.event.id));
        }
        if let Some(Join::Part(other)) = &self.join {
            changes.push(Change::Lead {
                unit: other.id.clone(),
                to: None,
            });
        }
        if let Some(Join::Part(other) | Join::Again(other)) = &self.join {
            let of_other = event(session, EventKind::Undone, other, now);
            changes.push(Change::Event(Event {
                detail: Some(unit.id.to_string()),
                ..of_other
            }));
        }
        Ok((changes, unit, whole))
    }
}

/// Sides as they stood; one that was erased since is no side any more.
fn sides(records: &dyn Records, unit: &UnitId, stood: &[(u32, Vec<Field>)]) -> Result<Vec<Side>> {
    let mut sides = Vec::new();
    for (number, disputed) in stood {
        if let Some(revision) = records.revision(unit, *number)?.filter(|it| !it.erased) {
            sides.push(Side {
                revision,
                disputed: disputed.clone(),
            });
        }
    }
    Ok(sides)
}
