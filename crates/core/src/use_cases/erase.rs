//! Erase: what the person alone can do for good.

use super::unit::find;
use super::{Call, access, bare_event, event, persons_alone};
use crate::ports::{Change, Records};
use crate::refusal::{Refusal, Result};
use crate::views::acts::{EraseInput, EraseOutcome, EraseReply};
use crate::words::{Event, EventKind, Session, Timestamp, Unit};
use std::sync::Arc;

/// Erases a revision, a unit or a brain: afterwards its text stands nowhere in
/// the data folder. That someone erased something, and when, stays on record.
/// Even the last brain can go, since a secret may lie in any; whoever calls
/// next finds a new `personal` then.
///
/// # Errors
/// `unknown_unit`, `unknown_brain`; `not_allowed` for anyone but the person;
/// `invalid` for a head, which the unit could not be without.
pub fn erase(call: Call<'_>, what: EraseInput) -> Result<EraseReply> {
    let session = Arc::clone(call.session);
    let now = call.now;
    let also_in = call.store.write(move |records| {
        let access = access(records, &session)?;
        persons_alone(&session, "erase")?;
        Ok(match &what {
            EraseInput::Revision { id, revision } => {
                let unit = find(records, &access, id, now)?;
                one(records, &session, unit, *revision, now)?
            }
            EraseInput::Unit { id } => {
                let unit = find(records, &access, id, now)?;
                let erased = Event {
                    revision: None,
                    ..event(&session, EventKind::Erased, &unit, now)
                };
                (
                    vec![Change::EraseUnit(unit.id), Change::Event(erased)],
                    Vec::new(),
                )
            }
            EraseInput::Brain { brain } => {
                let brain = access.readable(brain)?.key;
                let erased = bare_event(&session.agent, EventKind::Erased, now);
                (
                    vec![Change::EraseBrain(brain), Change::Event(erased)],
                    Vec::new(),
                )
            }
        })
    })?;
    // The text is erased: what fails from here on takes that not back.
    let pending = !call.store.scrub().unwrap_or(false);
    Ok(EraseReply {
        outcome: EraseOutcome::Erased,
        pending,
        also_in,
    })
}

/// The changes that erase one revision, here and in units that were joined into
/// this one, and which others of the unit say the same. A side
/// that is erased leaves the conflict.
fn one(
    records: &dyn Records,
    session: &Session,
    mut unit: Unit,
    number: u32,
    now: Timestamp,
) -> Result<(Vec<Change>, Vec<u32>)> {
    if number == unit.head.number {
        return Err(Refusal::invalid(format!(
            "Revision {number} is what the unit says now. Write what shall stand instead, then \
             erase revision {number}; or erase the unit."
        )));
    }
    let revision = records.revision(&unit.id, number)?.ok_or_else(|| {
        Refusal::invalid(format!(
            "revision {number} is no revision of this unit: its head is {}.",
            unit.head.number
        ))
    })?;
    if revision.erased {
        return Ok((Vec::new(), Vec::new()));
    }
    let body = &revision.content.body;
    let mut also_in: Vec<u32> = records
        .revisions(&unit.id, usize::MAX)?
        .into_iter()
        .filter(|other| other.number != number && other.content.body == *body)
        .map(|other| other.number)
        .collect();
    also_in.reverse();
    let mut changes = Vec::new();
    let erased = Event {
        revision: Some(number),
        ..event(session, EventKind::Erased, &unit, now)
    };
    let sides = unit.sides.len();
    unit.sides.retain(|side| side.revision.number != number);
    let id = unit.id.clone();
    if unit.sides.len() < sides {
        unit.version += 1;
        changes.push(Change::SameHead(Box::new(unit)));
    }
    // What was joined into the unit is reached by nobody any more; where it says
    // the same, it would keep the text.
    for other in records.joined_to(&id)? {
        for revision in records.revisions(&other, usize::MAX)? {
            if revision.content.body == *body && !revision.erased {
                changes.push(Change::EraseRevision {
                    unit: other.clone(),
                    number: revision.number,
                });
            }
        }
    }
    changes.push(Change::EraseRevision { unit: id, number });
    changes.push(Change::Event(erased));
    Ok((changes, also_in))
}
