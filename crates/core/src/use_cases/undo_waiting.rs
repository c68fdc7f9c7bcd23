//! Undo of what was done with something that waited for the person: it was put
//! away, or rejected. No unit changed by that.

use super::bare_event;
use super::proposals::standing;
use crate::ports::{Change, ProposedFor, Records};
use crate::refusal::{Refusal, Result};
use crate::rules::access::Access;
use crate::rules::undo::Hindrance;
use crate::text::fold;
use crate::words::{
    Act, Asks, Event, EventId, EventKind, Proposal, ProposalState, Session, Target, Timestamp,
};

/// The act that undos, each of the one before, go back to; and whether the last
/// of them leaves it done.
pub(super) fn root(records: &dyn Records, act: &Act) -> Result<(Act, bool)> {
    let mut root = act.clone();
    let mut done = true;
    while let (EventKind::Undone, Some(of)) = (root.event.kind, root.of) {
        let Some(undone) = records.act(of)? else {
            break;
        };
        root = undone;
        done = !done;
    }
    Ok((root, done))
}

/// An act with something that waited, or an undo of one.
pub(super) struct Waited<'a> {
    act: &'a Act,
    /// What it goes back to: a dismissal or a rejection.
    root: Act,
    /// Whether the act did that, or did it again; else it took it back.
    done: bool,
}

impl<'a> Waited<'a> {
    /// An act as one of these, if it is.
    pub(super) fn of(records: &dyn Records, act: &'a Act) -> Result<Option<Self>> {
        let (root, done) = root(records, act)?;
        let is = matches!(root.event.kind, EventKind::Dismissed | EventKind::Rejected);
        Ok(is.then_some(Self { act, root, done }))
    }

    /// The change that takes it back. The inner error is what is in the way.
    ///
    /// # Errors
    /// `invalid` where the text of a rejected proposal was erased.
    pub(super) fn judge(
        &self,
        records: &dyn Records,
        access: &Access,
    ) -> Result<std::result::Result<Change, Hindrance>> {
        if let Some(undo) = taken_back(records, self.act.event.id)? {
            return Ok(Err(Hindrance::Already(Box::new(undo))));
        }
        match self.root.event.kind {
            EventKind::Dismissed => self.put_back(records, access),
            _ => self.reopen(records, access),
        }
    }

    /// The changes that take it back by `change`.
    pub(super) fn carry_out(
        &self,
        session: &Session,
        change: Change,
        now: Timestamp,
    ) -> Vec<Change> {
        let undone = Event {
            brain: self.root.event.brain,
            unit: self.root.event.unit.clone(),
            ..bare_event(&session.agent, EventKind::Undone, now)
        };
        vec![change, Change::Undo(undone, self.act.event.id)]
    }

    fn put_back(
        &self,
        records: &dyn Records,
        access: &Access,
    ) -> Result<std::result::Result<Change, Hindrance>> {
        let Some(event) = put_away_by(&self.root.event) else {
            return Err(Refusal::invalid(
                "Nothing is known of what was put away any more.",
            ));
        };
        let waits = records.waits_for_person(event)?;
        if !records.stands_for_person(&access.keys(None)?, event)? || waits == self.done {
            return Ok(Err(Hindrance::Settled));
        }
        Ok(Ok(Change::PutAway {
            event,
            away: !self.done,
        }))
    }

    fn reopen(
        &self,
        records: &dyn Records,
        access: &Access,
    ) -> Result<std::result::Result<Change, Hindrance>> {
        let Some(proposal) = records.proposal_rejected_by(self.root.event.id)? else {
            let gone = match &self.root.event.unit {
                Some(unit) => records.unit(&access.keys(None)?, unit)?.is_none(),
                None => false,
            };
            return Ok(Err(if gone {
                Hindrance::UnitErased
            } else {
                Hindrance::RejectedAnew
            }));
        };
        match (proposal.state, self.done) {
            (ProposalState::Erased, _) => Err(Refusal::invalid(
                "The proposal's text was erased, so it cannot be brought back. Its author can \
                 propose it again.",
            )),
            (ProposalState::Rejected, true) => {
                if let Some(newer) = newer(records, &proposal)? {
                    return Ok(Err(Hindrance::ProposedAnew {
                        agent: newer.agent,
                        at: Some(newer.at),
                    }));
                }
                Ok(Ok(Change::ReopenProposal(proposal.id)))
            }
            (ProposalState::Open, false) => Ok(Ok(Change::RejectAgain(proposal.id))),
            (ProposalState::Accepted, _) => Ok(Err(Hindrance::Accepted)),
            (ProposalState::Replaced, _) => Ok(Err(Hindrance::ProposedAnew {
                agent: proposal.agent,
                at: None,
            })),
            (ProposalState::Open | ProposalState::Rejected, _) => Ok(Err(Hindrance::Stands)),
        }
    }
}

/// The event that a dismissal put away.
pub(super) fn put_away_by(dismissed: &Event) -> Option<EventId> {
    dismissed.detail.as_deref()?.parse().ok()
}

/// The undo of an event, if that stands: it is undone, and the undo is not.
fn taken_back(records: &dyn Records, event: EventId) -> Result<Option<Event>> {
    let first = records.undo_of(event)?;
    let (mut last, mut count) = (first.clone(), 0);
    while let Some(undo) = last {
        count += 1;
        last = records.undo_of(undo.id)?;
    }
    Ok(first.filter(|_| count % 2 == 1))
}

/// What its author proposed for the same since: that would have replaced it.
fn newer(records: &dyn Records, proposal: &Proposal) -> Result<Option<Proposal>> {
    let author = &proposal.agent.connection;
    let mut newest = None;
    if let Some(unit) = standing(records, proposal)? {
        newest = records.newer_proposal(author, ProposedFor::Unit(&unit.id), proposal.id)?;
    }
    if let (None, Target::New(_), Asks::Write(wanted)) = (&newest, &proposal.target, &proposal.asks)
        && let Some(topic) = &wanted.topic
    {
        let title = wanted.title.as_deref().map(fold);
        let about = ProposedFor::New {
            brain: proposal.brain,
            topic,
            title: title.as_deref(),
        };
        newest = records.newer_proposal(author, about, proposal.id)?;
    }
    Ok(newest)
}
