//! Inbox: what waits for the person.

use super::clients::Told;
use super::listed::{limit, row_of};
use super::proposals;
use super::undo::which_undoable;
use super::undo_waiting::{Waited, put_away_by, root};
use super::unit_view::disputed;
use super::vouched::vouched;
use super::{Call, access, keeps_connections};
use crate::ports::{AgingRead, Records};
use crate::refusal::Result;
use crate::rules::access::Access;
use crate::rules::freshness::{ages, freshness, thresholds};
use crate::shapes::Moment;
use crate::text::{beginning, line_excerpts, plain};
use crate::views::Who;
use crate::views::inbox::{
    Decided, InboxInput, InboxItem, InboxKind, InboxView, NewestView, Proposed, Settled,
    WaitingCounts,
};
use crate::views::proposals::ProposalView;
use crate::words::{
    Act, Asks, BrainKey, ClientDetail, ClientLoss, ConnectionName, Content, Event, EventId,
    EventKind, Field, Freshness, ProposalKind, ProposalState, Revision, Session, Timestamp, Unit,
    UnitId,
};
use std::collections::{HashMap, HashSet};

/// The most aging facts that a person is shown in a day.
const A_DAY: usize = 20;
/// The most lines of what the person did today.
const SETTLED: usize = 20;

/// What waits for the person, in the order of kinds, and what they did since
/// `day_start`, their last midnight.
///
/// # Errors
/// `invalid` for a limit out of range.
pub fn inbox(call: Call<'_>, input: InboxInput, day_start: Timestamp) -> Result<InboxView> {
    let limit = limit(input.limit, 50, 200)?;
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let waiting = waiting(records, &access, call.session, call.now, day_start)?;
        let counts = waiting.counts;
        let desk = Desk {
            records,
            session: call.session,
            access: &access,
            brains: access.keys(None)?,
            now: call.now,
        };
        let mut items = Vec::new();
        let mut total = 0_u32;
        for (kind, count) in [
            (InboxKind::Conflict, counts.conflicts),
            (InboxKind::Proposal, counts.proposals),
            (InboxKind::Decision, counts.decisions),
            (InboxKind::Problem, counts.problems),
            (InboxKind::Aging, counts.aging),
        ] {
            if input.kind.is_some_and(|wanted| wanted != kind) {
                continue;
            }
            // How many of this kind lie before the page.
            let skipped = input.offset.saturating_sub(total);
            total = total.saturating_add(count);
            let wanted = limit - items.len();
            if wanted == 0 || skipped >= count {
                continue;
            }
            let (skipped, wanted) = (skipped as usize, wanted.min((count - skipped) as usize));
            match kind {
                InboxKind::Conflict => items.extend(desk.conflicts(skipped, wanted)?),
                InboxKind::Proposal => items.extend(desk.proposals(skipped, wanted)?),
                InboxKind::Decision => items.extend(desk.decisions(skipped, wanted)?),
                InboxKind::Problem => items.extend(desk.problems(skipped, wanted)?),
                InboxKind::Aging => {
                    let page = waiting.aging.iter().skip(skipped).take(wanted);
                    for read in page {
                        items.extend(desk.aging(read)?);
                    }
                }
            }
        }
        let mut settled = Vec::new();
        for (act, undone_at) in once(records, &waiting.done)? {
            if settled.len() == SETTLED {
                break;
            }
            settled.extend(desk.settled(act, undone_at)?);
        }
        let ids: Vec<_> = settled.iter().map(|settled| settled.event).collect();
        let undoable = which_undoable(records, call.session, &access, &ids)?;
        for settled in &mut settled {
            settled.undoable = undoable.contains(&settled.event);
        }
        Ok(InboxView {
            items,
            total,
            counts,
            settled,
        })
    })
}

/// The newest of what waits for the person, at most `most`, and how much waits;
/// `day_start` is as in [`inbox`].
///
/// # Errors
/// `unavailable`, as everywhere.
pub fn newest(call: Call<'_>, most: usize, day_start: Timestamp) -> Result<NewestView> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let Waiting { counts, aging, .. } =
            waiting(records, &access, call.session, call.now, day_start)?;
        let desk = Desk {
            records,
            session: call.session,
            access: &access,
            brains: access.keys(None)?,
            now: call.now,
        };
        let mut items = Vec::new();
        if counts.conflicts > 0 {
            items.extend(desk.conflicts(0, most)?);
        }
        if counts.proposals > 0 {
            items.extend(desk.proposals(0, most)?);
        }
        if counts.decisions > 0 {
            items.extend(desk.decisions(0, most)?);
        }
        if counts.problems > 0 {
            items.extend(desk.problems(0, most)?);
        }
        // These alone come by how much they are read.
        for read in &aging {
            items.extend(desk.aging(read)?);
        }
        items.sort_by_key(|item| std::cmp::Reverse(item.at()));
        items.truncate(most);
        Ok(NewestView { counts, items })
    })
}

/// How many proposals about a unit wait.
pub(super) fn proposals_about(records: &dyn Records, unit: &Unit) -> Result<u32> {
    let about = records.unit_proposals(&unit.id)?;
    Ok(u32::try_from(about.len()).unwrap_or(u32::MAX))
}

/// What waits, counted; and what is needed to show it.
pub(super) struct Waiting {
    pub(super) counts: WaitingCounts,
    /// The aging facts of today, most read first.
    aging: Vec<AgingRead>,
    /// What the person did today, newest first.
    done: Vec<Act>,
}

/// Counts what waits for the caller.
pub(super) fn waiting(
    records: &dyn Records,
    access: &Access,
    session: &Session,
    now: Timestamp,
    day_start: Timestamp,
) -> Result<Waiting> {
    let brains = access.keys(None)?;
    let done = records.done_since(&brains, &ConnectionName::you(), day_start)?;
    let mut aging = records.aging_read(&brains, now)?;
    aging.truncate(A_DAY.saturating_sub(answered(records, access, &done)?));
    // What concerns connections is the person's to know, and the command
    // line's, from where they are kept as well.
    let problems = if keeps_connections(session) {
        records.problems(0, 0)?.1
    } else {
        0
    };
    let counts = WaitingCounts {
        conflicts: records.conflicts(&brains, 0, 0)?.1,
        proposals: records.open_proposal_count(&brains)?,
        decisions: records.decisions(&brains, 0, 0)?.1,
        problems,
        aging: u32::try_from(aging.len()).unwrap_or(u32::MAX),
        review: records.aging_count(&brains, now)?,
    };
    Ok(Waiting {
        counts,
        aging,
        done,
    })
}

/// Of how many units that were aging some acts said whether they still hold, at
/// most those of a day.
fn answered(records: &dyn Records, access: &Access, done: &[Act]) -> Result<usize> {
    let mut answered = HashSet::new();
    for Act { event, before, .. } in done {
        let (Some(unit), Some(brain)) = (&event.unit, event.brain) else {
            continue;
        };
        if answered.len() == A_DAY {
            break;
        }
        if !answers(event.kind) || answered.contains(unit) {
            continue;
        }
        let (Some(before), Some(brain)) = (before, access.by_key(brain)) else {
            continue;
        };
        let Some(head) = records.revision(unit, before.revision)? else {
            continue;
        };
        let Content {
            fresh_for_days,
            topic,
            ..
        } = &head.content;
        let thresholds = thresholds(*fresh_for_days, topic, &brain.freshness_rules);
        if freshness(ages(before.anchor, thresholds), event.at) != Freshness::Fresh {
            answered.insert(unit);
        }
    }
    Ok(answered.len())
}

/// Whether an act of the person answers whether a unit still holds.
fn answers(kind: EventKind) -> bool {
    use EventKind::{Confirmed, Later, Retired, Updated};
    matches!(kind, Confirmed | Later | Retired | Updated)
}

/// Acts, newest first, each once: an undo of one of them stands with it, with
/// when it was undone, if that holds.
fn once<'a>(records: &dyn Records, done: &'a [Act]) -> Result<Vec<(&'a Act, Option<Timestamp>)>> {
    let mut lines: Vec<(&Act, Option<Timestamp>)> = Vec::new();
    // Which line tells of an event.
    let mut tells: HashMap<EventId, usize> = HashMap::new();
    for act in done.iter().rev() {
        if is_further(records, act)? {
            continue;
        }
        let undoes = act.of.filter(|_| act.event.kind == EventKind::Undone);
        let place = match undoes.and_then(|of| tells.get(&of).copied()) {
            Some(place) => {
                if let Some((_, undone_at)) = lines.get_mut(place) {
                    *undone_at = match undone_at {
                        None => Some(act.event.at),
                        Some(_) => None,
                    };
                }
                place
            }
            None => {
                lines.push((act, None));
                lines.len() - 1
            }
        };
        tells.insert(act.event.id, place);
    }
    lines.reverse();
    Ok(lines)
}

/// Whether an event is the second of an undo that parts or joins two units: the
/// first tells of it.
fn is_further(records: &dyn Records, act: &Act) -> Result<bool> {
    let undone = act.event.kind == EventKind::Undone && act.event.unit.is_some();
    Ok(undone && act.before.is_none() && Waited::of(records, act)?.is_none())
}

/// What is needed to show an item.
struct Desk<'a> {
    records: &'a dyn Records,
    session: &'a Session,
    access: &'a Access,
    brains: Vec<BrainKey>,
    now: Timestamp,
}

impl Desk<'_> {
    fn row(&self, id: &UnitId) -> Result<Option<crate::views::units::UnitRow>> {
        row_of(self.records, self.access, id, self.now)
    }

    fn conflicts(&self, offset: usize, limit: usize) -> Result<Vec<InboxItem>> {
        let (ids, _) = self.records.conflicts(&self.brains, offset, limit)?;
        let mut items = Vec::new();
        for id in ids {
            let (Some(row), Some(unit)) = (self.row(&id)?, self.records.unit(&self.brains, &id)?)
            else {
                continue;
            };
            let Some(newest) = unit.sides.last() else {
                continue;
            };
            let disputed = disputed(&unit);
            let (displaced_text, head_text) = clash(&newest.revision, &unit.head, &newest.disputed);
            items.push(InboxItem::Conflict {
                at: Moment(unit.head.at),
                unit: Box::new(row),
                version: unit.version,
                sides: u32::try_from(unit.sides.len()).unwrap_or(u32::MAX),
                disputed,
                head: Who::from(&unit.head.agent),
                displaced: Who::from(&newest.revision.agent),
                head_revision: unit.head.number,
                displaced_revision: newest.revision.number,
                displacer_revision: unit.displacer().unwrap_or(unit.head.number),
                head_text,
                displaced_text,
            });
        }
        Ok(items)
    }

    fn proposals(&self, offset: usize, limit: usize) -> Result<Vec<InboxItem>> {
        let waiting = proposals::waiting(self.records, self.access, &self.brains, offset, limit)?;
        Ok(waiting.into_iter().map(proposed).collect())
    }

    fn decisions(&self, offset: usize, limit: usize) -> Result<Vec<InboxItem>> {
        let (events, _) = self.records.decisions(&self.brains, offset, limit)?;
        let mut items = Vec::new();
        for event in events {
            let Some(id) = &event.unit else { continue };
            let Some(row) = self.row(id)? else { continue };
            items.push(InboxItem::Decision {
                at: Moment(event.at),
                unit: Box::new(row),
                event: event.id,
                agent: Who::from(&event.agent),
                act: decided(self.records, &event)?,
                decision: event.detail,
            });
        }
        Ok(items)
    }

    fn problems(&self, offset: usize, limit: usize) -> Result<Vec<InboxItem>> {
        let (events, _) = self.records.problems(offset, limit)?;
        Ok(events.into_iter().map(problem).collect())
    }

    fn aging(&self, read: &AgingRead) -> Result<Option<InboxItem>> {
        let Some(row) = self.row(&read.unit)? else {
            return Ok(None);
        };
        let unit = self.records.unit(&self.brains, &read.unit)?;
        let vouched = match &unit {
            Some(unit) => vouched(self.records, unit)?,
            None => None,
        };
        Ok(Some(InboxItem::Aging {
            at: row.aging_at.unwrap_or(row.anchor),
            vouched,
            unit: Box::new(row),
            reads: read.reads,
            readers: read.readers.iter().map(ToString::to_string).collect(),
        }))
    }

    /// An act of the person as a line, if it is about something that is there.
    fn settled(&self, act: &Act, undone_at: Option<Timestamp>) -> Result<Option<Settled>> {
        let event = &act.event;
        if event.brain.is_none() && !keeps_connections(self.session) {
            return Ok(None);
        }
        let mut line = Settled {
            event: event.id,
            kind: event.kind,
            at: Moment(event.at),
            unit: None,
            proposal: None,
            brain: None,
            topic: None,
            title: None,
            connection: None,
            revision: event.revision,
            undid: act.of.filter(|_| event.kind == EventKind::Undone),
            undone_at: undone_at.map(Moment),
            // Told for all of the page at once.
            undoable: false,
        };
        let (root, _) = root(self.records, act)?;
        let shown = match root.event.kind {
            EventKind::Dismissed => match put_away_by(&root.event) {
                Some(about) => self.about(self.records.event(about)?.as_ref(), &mut line)?,
                None => false,
            },
            EventKind::Rejected => self.about_rejected(&root.event, &mut line)?,
            EventKind::ConnectionRevoked => self.about(Some(event), &mut line)?,
            _ if event.unit.is_some() => self.about(Some(event), &mut line)?,
            _ => false,
        };
        Ok(shown.then_some(line))
    }

    /// Names what an event is about: a unit that is there, or a connection.
    fn about(&self, event: Option<&Event>, line: &mut Settled) -> Result<bool> {
        let Some(event) = event else {
            return Ok(false);
        };
        match &event.unit {
            Some(unit) => line.unit = self.row(unit)?,
            None => line.connection = Told::of(event).connection,
        }
        Ok(line.unit.is_some() || line.connection.is_some())
    }

    fn about_rejected(&self, rejected: &Event, line: &mut Settled) -> Result<bool> {
        let person = self.session.agent.is_person();
        let proposal = self.records.proposal_rejected_by(rejected.id)?;
        let proposal = proposal.filter(|_| person);
        line.proposal = proposal
            .as_ref()
            .filter(|it| it.state == ProposalState::Rejected)
            .map(|it| it.id);
        if rejected.unit.is_some() {
            return self.about(Some(rejected), line);
        }
        let brain = rejected.brain.and_then(|key| self.access.by_key(key));
        line.brain = brain.map(|brain| brain.name.clone());
        if let Some(Asks::Write(wanted)) = proposal.map(|it| it.asks) {
            line.topic = wanted.topic;
            line.title = wanted.title;
        }
        Ok(line.brain.is_some())
    }
}

/// A problem, as its event tells of it.
fn problem(event: Event) -> InboxItem {
    let at = Moment(event.at);
    if let Some(detail) = ClientDetail::of(event.kind, event.detail.as_deref()) {
        let name = &detail.name;
        let (code, message) = match detail.loss {
            None | Some(ClientLoss::Gone) => (
                "client_gone",
                format!(
                    "{name} dropped its OzBrain entry, so its agents read and write nothing \
                     here. Connect it again."
                ),
            ),
            Some(ClientLoss::Outdated) => (
                "client_outdated",
                format!(
                    "The OzBrain entry of {name} was changed, or what it starts is not there any \
                     more. Connect it again."
                ),
            ),
            Some(ClientLoss::OtherStore) => (
                "client_other_store",
                format!(
                    "{name} starts OzBrain on another data folder, so its agents read and write \
                     nothing here. Connect it again."
                ),
            ),
        };
        return InboxItem::Problem {
            at,
            event: event.id,
            code: code.into(),
            message,
            connection: detail.connection,
            client: Some(detail.client),
            name: Some(detail.name),
        };
    }
    let name = event.detail.unwrap_or_default();
    InboxItem::Problem {
        at,
        event: event.id,
        code: "new_connection".into(),
        message: format!(
            "A client that was not here before connected as “{name}”. It may read and write what \
             new connections may. If you do not know it, revoke it."
        ),
        connection: Some(name),
        client: None,
        name: None,
    }
}

/// What an agent did in the person's name. A confirm that goes with another
/// event is the second of an act that changed the text.
fn decided(records: &dyn Records, event: &Event) -> Result<Decided> {
    if event.kind == EventKind::Resolved {
        return Ok(Decided::Resolved);
    }
    let act = records.act(event.id)?;
    Ok(match act.and_then(|act| act.of) {
        Some(_) => Decided::Changed,
        None => Decided::Confirmed,
    })
}

fn proposed(view: ProposalView) -> InboxItem {
    InboxItem::Proposal {
        at: view.at,
        proposal: view.id,
        what: match view.kind {
            ProposalKind::Write => Proposed::Write,
            ProposalKind::Retire => Proposed::Retire,
        },
        brain: view.brain,
        topic: view.content.topic,
        title: view.content.title,
        unit: view.unit,
        agent: view.agent,
        changed: view.changed,
        text: beginning(&plain(&view.content.body)),
        moved: view.moved,
    }
}

/// What a displaced revision and the head say, around their first difference:
/// of the bodies if these are in dispute, else of the first field that is. A
/// retirement says nothing.
fn clash(displaced: &Revision, head: &Revision, disputed: &[Field]) -> (String, String) {
    let field = if disputed.contains(&Field::Body) {
        Field::Body
    } else {
        disputed.first().copied().unwrap_or(Field::Body)
    };
    let (old, new) = (said(&displaced.content, field), said(&head.content, field));
    match (displaced.retired, head.retired) {
        (false, false) => line_excerpts(&old, &new),
        (false, true) => (beginning(&old), String::new()),
        (true, false) => (String::new(), beginning(&new)),
        (true, true) => (String::new(), String::new()),
    }
}

fn said(content: &Content, field: Field) -> String {
    match field {
        Field::Topic => content.topic.to_string(),
        Field::Title => content.title.clone().unwrap_or_default(),
        Field::Body => content.body.clone(),
        Field::Tags => content.tags.join(", "),
        Field::Source => content.source.clone().unwrap_or_default(),
        Field::FreshForDays => content
            .fresh_for_days
            .map(|days| days.to_string())
            .unwrap_or_default(),
    }
}
