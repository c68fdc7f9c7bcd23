//! Erase: what the person alone can do for good.

use super::unit::find;
use super::{Call, access, bare_event, event, persons_alone, proposals};
use crate::ports::{Change, Records};
use crate::refusal::{Refusal, Result};
use crate::rules::access::Access;
use crate::text::fold;
use crate::views::acts::{EraseInput, EraseOutcome, EraseReply};
use crate::words::{
    Asks, BrainKey, ConnectionName, Event, EventKind, Proposal, ProposalId, ProposalState, Session,
    Timestamp, Unit,
};
use std::sync::Arc;

/// Erases a revision, a unit, a brain, or what a rejected proposal asked for:
/// afterwards its text stands nowhere in the data folder. What was proposed for
/// the unit and rejected goes with a revision or the unit: it may hold a part of
/// it, and nobody looks there. What waits and may hold a part of it is named in
/// the reply.
/// That someone erased something, and when, stays on record.
/// Even the last brain can go, since a secret may lie in any; whoever calls
/// next finds a new `personal` then.
///
/// # Errors
/// `unknown_unit`, `unknown_brain`; `not_allowed` for anyone but the person;
/// `invalid` for a head, which the unit could not be without, and for a proposal
/// that is not rejected.
pub fn erase(call: Call<'_>, what: EraseInput) -> Result<EraseReply> {
    let session = Arc::clone(call.session);
    let now = call.now;
    let (also_in, also_proposed) = call.store.write(move |records| {
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
                let revisions = records.revisions(&unit.id, usize::MAX)?;
                let texts: Vec<_> = revisions.iter().map(|it| &it.content.body[..]).collect();
                let mut waits = proposals::about_unit(records, &unit)?;
                // Those for the unit itself go with it.
                waits.retain(|proposal| proposal.target.unit().is_none());
                let (rejected, left) = said_too(records, &session, waits, &texts, now)?;
                let mut kept = proposals::rejected_about(records, &unit)?;
                kept.retain(|proposal| proposal.target.unit().is_none());
                let mut changes = vec![Change::EraseUnit(unit.id), Change::Event(erased)];
                changes.extend(rejected);
                changes.extend(kept.iter().map(|it| Change::EraseProposal(it.id)));
                (changes, (Vec::new(), left))
            }
            EraseInput::Brain { brain } => {
                let brain = access.readable(brain)?.key;
                let erased = Event {
                    detail: Some(readers(records, brain)?),
                    ..bare_event(&session.agent, EventKind::Erased, now)
                };
                let changes = vec![Change::EraseBrain(brain), Change::Event(erased)];
                (changes, Also::default())
            }
            EraseInput::Proposal { proposal } => {
                let changes = proposals::erasure(records, &session, &access, *proposal, now)?;
                (changes, Also::default())
            }
        })
    })?;
    // The text is erased: what fails from here on takes that not back.
    let pending = !call.store.scrub().unwrap_or(false);
    Ok(EraseReply {
        outcome: EraseOutcome::Erased,
        pending,
        also_in,
        also_proposed,
    })
}

/// The connections that can read a brain, one a line: whom its erase is told. No
/// name holds a line break.
fn readers(records: &dyn Records, brain: BrainKey) -> Result<String> {
    let mut names = Vec::new();
    for connection in records.connections()? {
        let grants = records.grants(&connection.name)?;
        let reads = Access::of(Some(&connection), &grants, records.brains()?)
            .is_ok_and(|access| access.by_key(brain).is_some());
        if reads {
            names.push(connection.name.to_string());
        }
    }
    Ok(names.join("\n"))
}

/// Whether a connection could read the brain that an event erased.
pub(super) fn was_readable(event: &Event, connection: &ConnectionName) -> bool {
    let names = event.detail.as_deref().unwrap_or_default();
    names.lines().any(|name| name == connection.as_str())
}

/// What else says what is erased: revisions, and proposals.
type Also = (Vec<u32>, Vec<ProposalId>);

/// Rejects and erases the proposals that say just what one of the texts does, and
/// gives the others: they may hold a part of it.
fn said_too(
    records: &dyn Records,
    session: &Session,
    waits: Vec<Proposal>,
    texts: &[&str],
    now: Timestamp,
) -> Result<(Vec<Change>, Vec<ProposalId>)> {
    let texts: Vec<String> = texts.iter().map(|text| fold(text)).collect();
    let (mut rejected, mut left) = (Vec::new(), Vec::new());
    for proposal in waits {
        let text = match &proposal.asks {
            Asks::Write(wanted) => wanted.body.as_ref().or(wanted.append.as_ref()),
            Asks::Retire { .. } => None,
        };
        if text.is_some_and(|text| texts.contains(&fold(text))) {
            rejected.extend(proposals::rejection(
                records,
                session,
                &proposal,
                ProposalState::Erased,
                now,
            )?);
        } else {
            left.push(proposal.id);
        }
    }
    Ok((rejected, left))
}

/// The changes that erase one revision, here and in units that were joined into
/// this one, and what else of the unit says the same. A side that is erased
/// leaves the conflict, a proposal of the same text is rejected, and what was
/// rejected before goes.
fn one(
    records: &dyn Records,
    session: &Session,
    mut unit: Unit,
    number: u32,
    now: Timestamp,
) -> Result<(Vec<Change>, Also)> {
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
        return Ok((Vec::new(), Also::default()));
    }
    let body = &revision.content.body;
    let mut also_in: Vec<u32> = records
        .revisions(&unit.id, usize::MAX)?
        .into_iter()
        .filter(|other| other.number != number && other.content.body == *body)
        .map(|other| other.number)
        .collect();
    also_in.reverse();
    let waits = proposals::about_unit(records, &unit)?;
    let kept = proposals::rejected_about(records, &unit)?;
    let mut changes = Vec::new();
    let (rejected, left) = said_too(records, session, waits, &[body], now)?;
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
    changes.extend(rejected);
    changes.extend(kept.iter().map(|it| Change::EraseProposal(it.id)));
    Ok((changes, (also_in, left)))
}
