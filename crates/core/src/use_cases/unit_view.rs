//! Unit: one, whole, with the trail of its conflict.

use super::listed::{confirmed, later_until};
use super::unit::{by_another_id, displacer, find_to_read, shown_sides};
use super::{Call, access};
use crate::ports::Records;
use crate::refusal::{Refusal, Result};
use crate::rules::freshness::freshness;
use crate::shapes::Moment;
use crate::views::units::{ConflictView, DisplacerView, SideView, TrailAct, TrailStep, UnitView};
use crate::views::{BaseView, ContentView, Who, unless_never};
use crate::words::{Field, Outcome, Revision, Unit};

/// The most steps of a trail, and the most revisions that are looked at.
const STEPS: usize = 50;

/// Gives a unit whole, with the sides of its conflict and how they came to be.
/// What is shown counts as delivered to the session, unless it only peeks: what
/// a screen loads ahead was shown to nobody. `id` is as in `fetch`.
///
/// # Errors
/// `unknown_unit`; `ambiguous` for a topic that holds only titled units.
pub fn unit_view(call: Call<'_>, id: &str, peek: bool) -> Result<UnitView> {
    let (unit, view) = call.store.read(|records| {
        let access = access(records, call.session)?;
        let unit = find_to_read(records, &access, id, call.now)?;
        let unknown = || Refusal::unknown_unit(id);
        let brain = access.by_key(unit.brain).ok_or_else(unknown)?;
        let listed = records
            .listed(&[unit.brain], &unit.id)?
            .ok_or_else(unknown)?;
        let head = &unit.head;
        let view = UnitView {
            id: unit.id.clone(),
            brain: brain.name.clone(),
            content: ContentView::from(&head.content),
            revision: head.number,
            version: unit.version,
            freshness: freshness(unit.ages, call.now),
            conflicted: unit.conflicted(),
            retired: head.retired,
            anchor: Moment(unit.anchor),
            aging_at: unless_never(unit.ages.aging_at),
            stale_at: unless_never(unit.ages.stale_at),
            created_at: Moment(unit.created_at),
            updated_at: Moment(head.at),
            agent: Who::from(&head.agent),
            observed_at: head.observed_at.map(Moment),
            confirmed: unit.confirmed.as_ref().map(confirmed),
            later_until: later_until(&listed, call.now),
            tokens: head.tokens,
            joined: by_another_id(id, &unit).then_some(true),
            conflict: conflict(records, &unit)?,
            proposals: super::inbox::proposals_about(records, &unit)?,
        };
        Ok((unit, view))
    })?;
    if peek {
        return Ok(view);
    }
    let mut bodies = vec![(unit.id.clone(), unit.head.number)];
    bodies.extend(shown_sides(&unit));
    call.delivered(bodies);
    Ok(view)
}

fn conflict(records: &dyn Records, unit: &Unit) -> Result<Option<ConflictView>> {
    if !unit.conflicted() {
        return Ok(None);
    }
    let by = displacer(records, unit)?;
    Ok(Some(ConflictView {
        version: unit.version,
        head: side(&unit.head, disputed(unit)),
        sides: unit
            .sides
            .iter()
            .map(|it| side(&it.revision, it.disputed.clone()))
            .collect(),
        displacer: DisplacerView {
            revision: by.number,
            retired: by.retired,
            agent: Who::from(&by.agent),
            at: Moment(by.at),
            base: by.base.map(BaseView::from),
        },
        trail: trail(records, unit)?,
    }))
}

/// What any side of a conflict disputes.
pub(super) fn disputed(unit: &Unit) -> Vec<Field> {
    Field::ALL
        .into_iter()
        .filter(|field| unit.sides.iter().any(|side| side.disputed.contains(field)))
        .collect()
}

fn side(revision: &Revision, disputed: Vec<Field>) -> SideView {
    SideView {
        revision: revision.number,
        content: ContentView::from(&revision.content),
        retired: revision.retired,
        disputed,
        agent: Who::from(&revision.agent),
        at: Moment(revision.at),
        outcome: revision.outcome,
        base: revision.base.map(BaseView::from),
    }
}

/// From the oldest revision that a side is, or that its writer had seen: who
/// wrote and who read what. Each agent's first read of a revision tells when it
/// knew it; the person's reads explain nothing. Of what one agent was given at
/// one moment, the newest revision tells: the sides come along with the head
/// that displaced them, and by them it is told of the conflict. Of too many
/// steps the latest are kept.
fn trail(records: &dyn Records, unit: &Unit) -> Result<Vec<TrailStep>> {
    let sides = unit.sides.iter().map(|side| &side.revision);
    let first = sides
        .chain([&unit.head])
        .map(|it| {
            it.base
                .map_or(it.number, |base| base.revision.min(it.number))
        })
        .min()
        .unwrap_or(unit.head.number);
    let mut steps: Vec<TrailStep> = records
        .revisions(&unit.id, STEPS)?
        .into_iter()
        .filter(|revision| revision.number >= first)
        .map(|revision| TrailStep {
            at: Moment(revision.at),
            agent: Who::from(&revision.agent),
            what: match revision.outcome {
                Outcome::Resolved => TrailAct::Resolved,
                _ if revision.retired => TrailAct::Retired,
                _ => TrailAct::Wrote,
            },
            revision: revision.number,
            source: revision.content.source,
            told: (revision.outcome == Outcome::Conflicted).then_some(true),
        })
        .collect();
    let clash = steps
        .iter()
        .filter(|step| step.told.is_some())
        .map(|step| step.revision)
        .min();
    let mut reads: Vec<TrailStep> = Vec::new();
    for read in records.reads_of(&unit.id)? {
        let agent = Who::from(&read.connection);
        if read.revision < first || agent.you {
            continue;
        }
        reads.push(TrailStep {
            at: Moment(read.first_at),
            agent,
            what: TrailAct::Read,
            revision: read.revision,
            source: None,
            told: clash
                .is_some_and(|clash| read.revision >= clash)
                .then_some(true),
        });
    }
    let newer = |read: &TrailStep, other: &TrailStep| {
        let own = other.what != TrailAct::Read && other.revision >= read.revision;
        let same_reply = other.at == read.at && (own || other.revision > read.revision);
        // Whoever wrote a revision was also given it, as its own.
        let made = other.what != TrailAct::Read && other.revision == read.revision;
        other.agent.name == read.agent.name && (same_reply || made)
    };
    let kept: Vec<TrailStep> = reads
        .iter()
        .filter(|read| !steps.iter().chain(&reads).any(|other| newer(read, other)))
        .cloned()
        .collect();
    steps.extend(kept);
    // What a write's reply delivered, its writer had not seen before.
    steps.sort_by(|a, b| {
        let place = |step: &TrailStep| (step.at.0, step.what == TrailAct::Read, step.revision);
        (place(a), &a.agent.name).cmp(&(place(b), &b.agent.name))
    });
    let over = steps.len().saturating_sub(STEPS);
    Ok(steps.split_off(over))
}
