//! Proposals: an agent's act waits, and the person accepts or rejects it.

use super::unit::{Measured, free_address, leads, new_head, only_titled};
use super::{Call, access, bare_event, event};
use crate::ports::{Change, ProposedFor, Records};
use crate::refusal::{Code, Refusal, Result};
use crate::rules::access::Access;
use crate::rules::changed::changed;
use crate::rules::proposal::{Accepted, Edits, base_of, moved, new_content, next, next_base, over};
use crate::rules::wanted::{self, Wanted, given};
use crate::rules::write::{Making, new_unit, put_head};
use crate::shapes::Moment;
use crate::text::fold;
use crate::views::proposals::{
    AcceptInput, AcceptOutcome, AcceptReply, HeadView, ProposalView, RejectInput, RejectOutcome,
    RejectReply,
};
use crate::views::{ContentView, Who};
use crate::words::{
    Asks, Base, Brain, BrainKey, Content, Event, EventKind, Field, Outcome, Proposal, ProposalId,
    ProposalReason, ProposalState, Session, Target, Timestamp, Topic, Unit, UnitId,
};
use std::sync::Arc;

/// An act that waits instead of landing.
pub(super) struct Offer<'a> {
    pub(super) brain: &'a Brain,
    /// `None`: a new unit.
    pub(super) unit: Option<&'a Unit>,
    pub(super) asks: Asks,
    pub(super) base: Option<Base>,
    pub(super) reason: ProposalReason,
}

/// A proposal that was made.
pub(super) struct Waiting {
    pub(super) changes: Vec<Change>,
    /// The unit, or the id that it gets.
    pub(super) id: UnitId,
    /// What stands; of a new unit, what would.
    pub(super) shown: Content,
    /// Why it waits, and what holds until then.
    pub(super) notice: String,
}

/// Makes a proposal of an act that would have landed otherwise. It replaces
/// the one of its author for the same unit, those for units that were joined
/// into it too, and carries on what only these supplied. `new_id` is a free one, for a new unit.
///
/// # Errors
/// `invalid` for a new unit without a text, `too_large` for an overlong one.
pub(super) fn propose(
    records: &dyn Records,
    session: &Session,
    now: Timestamp,
    offer: Offer<'_>,
    new_id: UnitId,
) -> Result<Waiting> {
    let Offer {
        brain,
        unit,
        asks,
        base,
        reason,
    } = offer;
    let earlier = match (unit, &asks) {
        (Some(unit), _) => own(records, session, unit)?,
        (None, Asks::Write(wanted)) => match &wanted.topic {
            Some(topic) => own_new(records, session, brain.key, topic, wanted.title.as_deref())?,
            None => Vec::new(),
        },
        (None, Asks::Retire { .. }) => Vec::new(),
    };
    let target = match (unit, earlier.last()) {
        (Some(unit), _) => Target::Unit(unit.id.clone()),
        (None, Some(earlier)) => earlier.target.clone(),
        (None, None) => Target::New(new_id),
    };
    let alone = asks.clone();
    let asked = earlier
        .iter()
        .map(|earlier| asked_of(earlier, &target))
        .reduce(|earlier, asks| next(&earlier, asks));
    let asks = match &asked {
        Some(asked) => next(asked, asks),
        None => asks,
    };
    let carries = asks != alone;
    // Of several, all but one were for other units, whose numbers say nothing.
    let knew = match &earlier[..] {
        [earlier] => base_of(earlier, unit),
        _ => None,
    };
    let proposal = Proposal {
        id: 0,
        brain: brain.key,
        base: next_base(knew, base, carries),
        target,
        asks,
        agent: session.agent.clone(),
        at: now,
        reason,
        state: ProposalState::Open,
        became: None,
    };
    let would = match unit {
        Some(unit) => over(unit, &proposal, Edits::default())?.content,
        None => new_content(&proposal, Edits::default()).ok_or_else(|| {
            Refusal::invalid("body is missing: no unit stands here yet, so a write needs its text.")
        })?,
    };
    if would.body.len() > wanted::BODY_BYTES {
        return Err(wanted::over_body("the body with append"));
    }
    let waits = match &earlier[..] {
        [earlier] => {
            earlier.asks == proposal.asks
                && earlier.target == proposal.target
                && earlier.base.map(|base| base.revision) == proposal.base.map(|base| base.revision)
        }
        _ => false,
    };
    let notice = notice(brain, unit, !earlier.is_empty(), carries, waits);
    let id = proposal.target.id().clone();
    let changes = if waits {
        Vec::new()
    } else {
        let replaced = earlier.iter().map(|earlier| Change::SettleProposal {
            id: earlier.id,
            state: ProposalState::Replaced,
            became: None,
        });
        let mut proposed = about(session, EventKind::Proposed, &proposal, now);
        proposed.revision = unit.map(|unit| unit.head.number);
        replaced
            .chain([
                Change::NewProposal(Box::new(proposal)),
                Change::Event(proposed),
            ])
            .collect()
    };
    Ok(Waiting {
        changes,
        id,
        shown: unit.map_or(would, |unit| unit.head.content.clone()),
        notice,
    })
}

/// What an earlier proposal asks of the target of its next one: what was the
/// address of a new unit is no move once the unit is there.
fn asked_of(earlier: &Proposal, target: &Target) -> Asks {
    let mut asks = earlier.asks.clone();
    if let (Asks::Write(wanted), Target::New(_), Target::Unit(_)) =
        (&mut asks, &earlier.target, target)
    {
        wanted.topic = None;
        wanted.title = None;
    }
    asks
}

fn notice(
    brain: &Brain,
    unit: Option<&Unit>,
    replaces: bool,
    carries: bool,
    waits: bool,
) -> String {
    let stands = match unit {
        Some(unit) if unit.head.retired => "the unit stays retired".to_owned(),
        Some(unit) => format!("revision {} still stands", unit.head.number),
        None => "nothing stands there, and its id leads nowhere".to_owned(),
    };
    let before = match (waits, carries, replaces) {
        (true, ..) => " You proposed just this before.",
        (_, true, _) => " What you proposed for it before waits with it.",
        (_, _, true) => " It replaces what you proposed for it before.",
        _ => "",
    };
    format!(
        "The person reviews what agents write to `{}`: this waits until they accept it, and until \
         then {stands}.{before}",
        brain.name
    )
}

/// What tells a session that it proposed something for a unit before, if that
/// still waits.
pub(super) fn own_waits(
    records: &dyn Records,
    session: &Session,
    unit: &Unit,
) -> Result<Option<String>> {
    let waits = own(records, session, unit)?;
    let told = || "What you proposed for this unit before still waits for the person.".into();
    Ok((!waits.is_empty()).then(told))
}

/// The open proposals of the session's connection for a unit, oldest first: else
/// the one that it made before the unit was there.
fn own(records: &dyn Records, session: &Session, unit: &Unit) -> Result<Vec<Proposal>> {
    let author = &session.agent.connection;
    let own = records.own_proposals(author, ProposedFor::Unit(&unit.id))?;
    if !own.is_empty() {
        return Ok(own);
    }
    let Content { topic, title, .. } = &unit.head.content;
    own_new(records, session, unit.brain, topic, title.as_deref())
}

fn own_new(
    records: &dyn Records,
    session: &Session,
    brain: BrainKey,
    topic: &Topic,
    title: Option<&str>,
) -> Result<Vec<Proposal>> {
    let title = title.map(fold);
    let about = ProposedFor::New {
        brain,
        topic,
        title: title.as_deref(),
    };
    records.own_proposals(&session.agent.connection, about)
}

/// What waits for the person, newest first, with how many there are. The
/// person alone sees it.
///
/// # Errors
/// `not_allowed` for agents.
pub fn proposals(call: Call<'_>, offset: usize, limit: usize) -> Result<(Vec<ProposalView>, u32)> {
    by_person(call.session)?;
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let brains = access.keys(None)?;
        let views = waiting(records, &access, &brains, offset, limit)?;
        Ok((views, records.open_proposal_count(&brains)?))
    })
}

/// A page of what waits in brains, newest first.
pub(super) fn waiting(
    records: &dyn Records,
    access: &Access,
    brains: &[BrainKey],
    offset: usize,
    limit: usize,
) -> Result<Vec<ProposalView>> {
    records
        .open_proposals(brains, offset, limit)?
        .iter()
        .map(|proposal| view(access, proposal, standing(records, proposal)?.as_ref()))
        .collect()
}

/// An open proposal, with the unit as it stands now. The person alone sees it.
///
/// # Errors
/// `not_allowed` for agents; `unknown_unit` if there is no such proposal;
/// `invalid` if it waits no longer.
pub fn proposal(call: Call<'_>, id: ProposalId) -> Result<ProposalView> {
    by_person(call.session)?;
    let (view, seen) = call.store.read(|records| {
        let access = access(records, call.session)?;
        let (proposal, unit) = open_over(records, &access, id)?;
        let view = view(&access, &proposal, unit.as_ref())?;
        let seen = unit.map(|unit| (unit.id, unit.head.number));
        Ok((view, seen))
    })?;
    call.delivered(seen);
    Ok(view)
}

/// Accepts a proposal: it lands as the unit's new head, whose author is the
/// agent that proposed it. The person was shown the head that it names, so the
/// choice makes no conflict, and an open one stays as it is. If the head is
/// another by now, or a unit stands where none did, nothing changes and the
/// answer is `moved`. The person alone accepts.
///
/// # Errors
/// As [`proposal`]; `ambiguous` if its address, or an edited one, is taken;
/// `invalid` or `too_large` for an edit that a write would be refused for.
pub fn accept(call: Call<'_>, input: AcceptInput) -> Result<AcceptReply> {
    by_person(call.session)?;
    let order = Order::new(input)?;
    let session = Arc::clone(call.session);
    let now = call.now;
    let (landed, event) = call
        .store
        .act(move |records| order.carry_out(records, &session, now))?;
    let outcome = if landed.moved {
        AcceptOutcome::Moved
    } else {
        AcceptOutcome::Accepted
    };
    if !landed.moved {
        // The person was shown what would stand.
        call.delivered(landed.unit.clone());
    }
    let (id, revision) = landed.unit.unzip();
    Ok(AcceptReply {
        outcome,
        id: id.map(|id| id.to_string()),
        revision,
        event,
    })
}

/// Rejects a proposal: nothing changes. Its text is shown to nobody any more,
/// and kept, so that this can be undone, until the person erases it. The person
/// alone rejects. The reason stands in the unit's history, for the agent to read; of a
/// proposed new unit, which has none, in the activity alone.
///
/// # Errors
/// As [`proposal`]; `invalid` or `too_large` for the reason.
pub fn reject(call: Call<'_>, input: RejectInput) -> Result<RejectReply> {
    by_person(call.session)?;
    let reason = given(input.reason.as_deref())
        .map(|text| wanted::note("reason", text))
        .transpose()?;
    let session = Arc::clone(call.session);
    let now = call.now;
    let ((), event) = call.store.act(move |records| {
        let access = access(records, &session)?;
        let proposal = open(records, &access, input.id)?;
        let mut changes = rejection(records, &session, &proposal, ProposalState::Rejected, now)?;
        if let Change::Event(rejected) = &mut changes[1] {
            rejected.detail.clone_from(&reason);
        }
        Ok((changes.into(), ()))
    })?;
    Ok(RejectReply {
        outcome: RejectOutcome::Rejected,
        event,
    })
}

/// The changes that reject a proposal, its text being kept or erased by `state`.
/// Of one for a unit that was joined the survivor's history tells.
pub(super) fn rejection(
    records: &dyn Records,
    session: &Session,
    proposal: &Proposal,
    state: ProposalState,
    now: Timestamp,
) -> Result<[Change; 2]> {
    let rejected = of_survivor(records, session, EventKind::Rejected, proposal, now)?;
    let settled = Change::SettleProposal {
        id: proposal.id,
        state,
        became: None,
    };
    Ok([settled, Change::Event(rejected)])
}

/// The changes that erase what a rejected proposal asked for.
///
/// # Errors
/// As [`proposal`]; `invalid` if it is not rejected.
pub(super) fn erasure(
    records: &dyn Records,
    session: &Session,
    access: &Access,
    id: ProposalId,
    now: Timestamp,
) -> Result<Vec<Change>> {
    let found = records.proposal(&access.keys(None)?, id)?;
    let proposal = found.ok_or_else(|| unknown(id))?;
    match proposal.state {
        ProposalState::Rejected => {}
        ProposalState::Erased => return Ok(Vec::new()),
        ProposalState::Open => {
            return Err(Refusal::invalid(format!(
                "Proposal {id} waits. Reject it, then erase it."
            )));
        }
        ProposalState::Accepted | ProposalState::Replaced => {
            return Err(Refusal::invalid(format!(
                "Proposal {id} keeps no text: only a rejected one does."
            )));
        }
    }
    let erased = of_survivor(records, session, EventKind::Erased, &proposal, now)?;
    Ok(vec![Change::EraseProposal(id), Change::Event(erased)])
}

/// An event about the unit that a proposal is for: the survivor, where it was
/// joined.
fn of_survivor(
    records: &dyn Records,
    session: &Session,
    kind: EventKind,
    proposal: &Proposal,
    now: Timestamp,
) -> Result<Event> {
    let mut event = about(session, kind, proposal, now);
    if let Some(unit) = &event.unit {
        let survivor = records.unit(&[proposal.brain], unit)?;
        event.unit = survivor.map(|unit| unit.id);
    }
    Ok(event)
}

/// The open proposals that would change a unit as it stands now, newest first:
/// also those of a new one at its address.
pub(super) fn about_unit(records: &dyn Records, unit: &Unit) -> Result<Vec<Proposal>> {
    let open = records.open_proposals(&[unit.brain], 0, usize::MAX)?;
    of_unit(records, unit, open)
}

/// As [`about_unit`], of those that were rejected and whose text is kept.
pub(super) fn rejected_about(records: &dyn Records, unit: &Unit) -> Result<Vec<Proposal>> {
    of_unit(records, unit, records.rejected_proposals(unit.brain)?)
}

fn of_unit(records: &dyn Records, unit: &Unit, all: Vec<Proposal>) -> Result<Vec<Proposal>> {
    let mut about = Vec::new();
    for proposal in all {
        if standing(records, &proposal)?.is_some_and(|stands| stands.id == unit.id) {
            about.push(proposal);
        }
    }
    Ok(about)
}

fn by_person(session: &Session) -> Result<()> {
    if session.agent.is_person() {
        return Ok(());
    }
    Err(Refusal::new(
        Code::NotAllowed,
        "Proposals are the person's to look at and decide, in the app.",
    ))
}

/// An open proposal.
fn open(records: &dyn Records, access: &Access, id: ProposalId) -> Result<Proposal> {
    let proposal = records
        .proposal(&access.keys(None)?, id)?
        .ok_or_else(|| unknown(id))?;
    let became = match proposal.state {
        ProposalState::Open => None,
        ProposalState::Accepted => Some("was accepted"),
        ProposalState::Rejected | ProposalState::Erased => Some("was rejected"),
        ProposalState::Replaced => Some("was replaced by its author's next one"),
    };
    if let Some(became) = became {
        return Err(Refusal::invalid(format!(
            "Proposal {id} {became}: it waits no longer. Look at what waits now."
        )));
    }
    Ok(proposal)
}

fn unknown(id: ProposalId) -> Refusal {
    Refusal::new(Code::UnknownUnit, format!("There is no proposal {id}."))
}

/// An open proposal, and the unit that it would change as it stands now.
fn open_over(
    records: &dyn Records,
    access: &Access,
    id: ProposalId,
) -> Result<(Proposal, Option<Unit>)> {
    let proposal = open(records, access, id)?;
    let unit = standing(records, &proposal)?;
    if unit.is_none() && proposal.target.unit().is_some() {
        return Err(unknown(id));
    }
    Ok((proposal, unit))
}

/// The unit that a proposal would change, as it stands now: for a proposed new
/// one, whichever stands at its address by now.
pub(super) fn standing(records: &dyn Records, proposal: &Proposal) -> Result<Option<Unit>> {
    match (&proposal.target, &proposal.asks) {
        (Target::Unit(unit), _) => records.unit(&[proposal.brain], unit),
        (
            Target::New(_),
            Asks::Write(Wanted {
                topic: Some(topic),
                title,
                ..
            }),
        ) => {
            let title = title.as_deref().map(fold);
            records.unit_at(proposal.brain, topic, title.as_deref())
        }
        (Target::New(_), _) => Ok(None),
    }
}

/// How a proposal looks over the unit that it would change.
fn view(access: &Access, proposal: &Proposal, unit: Option<&Unit>) -> Result<ProposalView> {
    let brain = access
        .by_key(proposal.brain)
        .ok_or_else(|| Refusal::unknown_brain(""))?;
    let would = match unit {
        Some(unit) => Some(over(unit, proposal, Edits::default())?.content),
        None => new_content(proposal, Edits::default()),
    };
    let would = would.unwrap_or_else(|| without_text(proposal));
    let stands = unit.map(|unit| &unit.head.content);
    Ok(ProposalView {
        id: proposal.id,
        kind: proposal.asks.kind(),
        brain: brain.name.clone(),
        unit: unit.map(|unit| unit.id.clone()),
        agent: Who::from(&proposal.agent),
        at: Moment(proposal.at),
        reason: proposal.reason,
        why: match &proposal.asks {
            Asks::Retire { why } => why.clone(),
            Asks::Write(_) => None,
        },
        changed: changed(stands, &would),
        content: ContentView::from(&would),
        base: base_of(proposal, unit).map(Into::into),
        head: unit.map(|unit| HeadView {
            revision: unit.head.number,
            content: ContentView::from(&unit.head.content),
            retired: unit.head.retired,
            agent: Who::from(&unit.head.agent),
            at: Moment(unit.head.at),
        }),
        moved: moved(proposal, unit),
    })
}

/// What is left of a proposal of a new unit that has lost its text: shown, so
/// that it can be rejected.
fn without_text(proposal: &Proposal) -> Content {
    let wanted = match &proposal.asks {
        Asks::Write(wanted) => wanted.clone(),
        Asks::Retire { .. } => Wanted::default(),
    };
    Content {
        topic: wanted
            .topic
            .unwrap_or_else(|| Topic::from_stored("unknown".into())),
        title: wanted.title,
        body: String::new(),
        tags: wanted.tags.unwrap_or_default(),
        source: wanted.source,
        fresh_for_days: wanted.fresh_for_days,
    }
}

fn no_text() -> Refusal {
    Refusal::unavailable("This proposal has lost its text. Reject it.")
}

/// An event about what a proposal is about.
fn about(session: &Session, kind: EventKind, proposal: &Proposal, now: Timestamp) -> Event {
    Event {
        brain: Some(proposal.brain),
        unit: proposal.target.unit().cloned(),
        ..bare_event(&session.agent, kind, now)
    }
}

/// What an accept came to: the unit and its head, where there is one.
struct Landed {
    moved: bool,
    unit: Option<(UnitId, u32)>,
}

/// An accept, checked and normalised.
struct Order {
    id: ProposalId,
    revision: Option<u32>,
    edits: Edits,
    measured: Option<Measured>,
}

impl Order {
    fn new(input: AcceptInput) -> Result<Self> {
        let mut edits = Edits {
            clear: Vec::new(),
            topic: given(input.topic.as_deref())
                .map(Topic::parse)
                .transpose()?,
            title: given(input.title.as_deref())
                .map(wanted::title)
                .transpose()?,
            body: input
                .body
                .map(|text| wanted::body("body", &text))
                .transpose()?,
            tags: input.tags.as_deref().map(wanted::tags).transpose()?,
            source: given(input.source.as_deref())
                .map(|text| wanted::note("source", text))
                .transpose()?,
        };
        let given = [
            edits.title.as_ref().map(|_| Field::Title),
            edits.source.as_ref().map(|_| Field::Source),
        ];
        let given: Vec<Field> = given.into_iter().flatten().collect();
        edits.clear = wanted::clear(&input.clear.unwrap_or_default(), &given)?;
        Ok(Self {
            id: input.id,
            revision: input.revision,
            measured: edits.body.clone().map(Measured::new),
            edits,
        })
    }

    fn carry_out(
        &self,
        records: &dyn Records,
        session: &Session,
        now: Timestamp,
    ) -> Result<(Vec<Change>, Landed)> {
        let access = access(records, session)?;
        let (proposal, unit) = open_over(records, &access, self.id)?;
        let stands = unit.as_ref().map(|unit| unit.head.number);
        if self.revision != stands {
            let unit = unit.map(|unit| (unit.id, unit.head.number));
            return Ok((Vec::new(), Landed { moved: true, unit }));
        }
        let (mut changes, unit) = match unit {
            Some(unit) => self.change(records, session, now, &access, &proposal, unit)?,
            None => self.create(records, session, now, &access, &proposal)?,
        };
        changes.push(Change::SettleProposal {
            id: proposal.id,
            state: ProposalState::Accepted,
            became: Some(unit.clone()),
        });
        let unit = Some(unit);
        Ok((changes, Landed { moved: false, unit }))
    }

    fn change(
        &self,
        records: &dyn Records,
        session: &Session,
        now: Timestamp,
        access: &Access,
        proposal: &Proposal,
        mut unit: Unit,
    ) -> Result<(Vec<Change>, (UnitId, u32))> {
        let Accepted { content, retired } = over(&unit, proposal, self.edits.clone())?;
        if content.body.len() > wanted::BODY_BYTES {
            return Err(wanted::over_body("the body with what it adds"));
        }
        let before = unit.head.clone();
        if content == before.content && retired == before.retired {
            // It says what stands by now.
            let accepted = event(session, EventKind::Accepted, &unit, now);
            return Ok((vec![Change::Event(accepted)], (unit.id, before.number)));
        }
        free_address(records, access, &unit, &content, now)?;
        let brain = access
            .by_key(unit.brain)
            .ok_or_else(|| Refusal::unknown_brain(""))?;
        let wrote_body = matches!(&proposal.asks, Asks::Write(wanted) if wanted.body.is_some());
        let knew = !moved(proposal, Some(&unit));
        let making = Making {
            // The author's: what the person saw, the event tells.
            base: base_of(proposal, Some(&unit)),
            // Of what the person edited, the author was shown nothing.
            whole: !self.edits.any() && (wrote_body || knew),
            retired,
            ..making(proposal, now)
        };
        put_head(&mut unit, content, &[], making, &brain.freshness_rules);
        let accepted = event(session, EventKind::Accepted, &unit, now);
        let landed = (unit.id.clone(), unit.head.number);
        let mut changes: Vec<Change> = leads(&unit, &before.content).into_iter().collect();
        changes.extend(new_head(
            unit,
            Some(&before),
            self.measured.as_ref(),
            accepted,
        ));
        Ok((changes, landed))
    }

    fn create(
        &self,
        records: &dyn Records,
        session: &Session,
        now: Timestamp,
        access: &Access,
        proposal: &Proposal,
    ) -> Result<(Vec<Change>, (UnitId, u32))> {
        let proposed = new_content(proposal, Edits::default()).ok_or_else(no_text)?;
        let content = new_content(proposal, self.edits.clone()).ok_or_else(no_text)?;
        let brain = access
            .by_key(proposal.brain)
            .ok_or_else(|| Refusal::unknown_brain(""))?;
        if content.title.is_none() {
            only_titled(records, access, &content.topic, brain.key, now)?;
        }
        let making = Making {
            whole: !self.edits.any(),
            ..making(proposal, now)
        };
        let id = proposal.target.id().clone();
        let unit = new_unit(id, brain.key, content, making, &brain.freshness_rules);
        free_address(records, access, &unit, &unit.head.content, now)?;
        let accepted = event(session, EventKind::Accepted, &unit, now);
        let landed = (unit.id.clone(), unit.head.number);
        // The author was told this address.
        let told = leads(&unit, &proposed);
        let mut changes = new_head(unit, None, self.measured.as_ref(), accepted);
        changes.extend(told);
        Ok((changes, landed))
    }
}

/// How an accepted revision comes to be: by the agent that proposed it.
fn making(proposal: &Proposal, now: Timestamp) -> Making<'_> {
    let observed_at = match &proposal.asks {
        Asks::Write(wanted) => wanted.observed_at,
        Asks::Retire { .. } => None,
    };
    Making {
        agent: &proposal.agent,
        now,
        base: None,
        whole: false,
        observed_at: observed_at.map(|at| at.min(now)),
        outcome: Outcome::Accepted,
        retired: false,
    }
}
