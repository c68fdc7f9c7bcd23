//! Unit history: what happened to one, with what each revision changed.

use super::listed::limit;
use super::undo::which_undoable;
use super::unit::find_to_read;
use super::{Call, access};
use crate::ports::Records;
use crate::refusal::Result;
use crate::rules::changed::changed;
use crate::shapes::Moment;
use crate::text::line_excerpts;
use crate::views::Who;
use crate::views::history::{ErasedText, HistoryEntry, HistoryView, UnitHistoryInput};
use crate::words::{Event, EventKind, Field, ProposalId, ProposalState, Revision, Session, UnitId};

/// What happened to a unit, newest first, with what each revision changed.
///
/// # Errors
/// `unknown_unit`; `invalid` for a limit out of range.
pub fn unit_history(call: Call<'_>, id: &str, input: UnitHistoryInput) -> Result<HistoryView> {
    let limit = limit(input.limit, 50, 100)?;
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let unit = find_to_read(records, &access, id, call.now)?;
        let mut events = records.unit_events_before(&unit.id, input.before, limit + 1)?;
        let more = events.len() > limit;
        events.truncate(limit);
        let ids: Vec<_> = events.iter().map(|event| event.id).collect();
        let undoable = which_undoable(records, call.session, &access, &ids)?;
        let mut entries = Vec::new();
        let mut known = None;
        for event in events {
            let Made {
                author,
                changed,
                erased,
                tags: (tags_added, tags_removed),
                texts,
            } = made(records, &unit.id, &event, &mut known)?;
            let (before, after) = texts.unzip();
            entries.push(HistoryEntry {
                event: event.id,
                at: Moment(event.at),
                agent: Who::from(&event.agent),
                author,
                kind: event.kind,
                revision: event.revision,
                undoable: undoable.contains(&event.id),
                proposal: kept(records, call.session, &event)?,
                decision: event.detail,
                changed,
                erased,
                tags_added,
                tags_removed,
                before,
                after,
            });
        }
        Ok(HistoryView { entries, more })
    })
}

/// What a revision changed; nothing where an event made none.
#[derive(Default)]
struct Made {
    /// Its author, where that is not who the event is of.
    author: Option<Who>,
    changed: Vec<Field>,
    erased: Option<ErasedText>,
    /// The tags that came, and those that went, against the revision before.
    tags: (Vec<String>, Vec<String>),
    /// Excerpts of the two bodies, where these differ.
    texts: Option<(String, String)>,
}

/// What the revision that an event made changed. `known` keeps the revision
/// before: the next entry speaks of it.
fn made(
    records: &dyn Records,
    unit: &UnitId,
    event: &Event,
    known: &mut Option<Revision>,
) -> Result<Made> {
    let nothing = Made::default();
    let Some(number) = event.revision else {
        return Ok(nothing);
    };
    let mut load = |number| match known.take().filter(|it| it.number == number) {
        Some(revision) => Ok(Some(revision)),
        None => records.revision(unit, number),
    };
    let Some(made) = load(number)? else {
        return Ok(nothing);
    };
    let author = (made.agent.connection != event.agent.connection).then(|| Who::from(&made.agent));
    if made.event != event.id {
        *known = Some(made);
        return Ok(nothing);
    }
    let before = match number.checked_sub(1) {
        Some(before) if before > 0 => records.revision(unit, before)?,
        _ => None,
    };
    let erased = match &before {
        _ if made.erased => Some(ErasedText::Its),
        Some(before) if before.erased => Some(ErasedText::Before),
        _ => None,
    };
    let (changed, tags, texts) = match &before {
        _ if erased.is_some() => (Vec::new(), (Vec::new(), Vec::new()), None),
        Some(before) => {
            let (old, new) = (&before.content, &made.content);
            let changed = changed(Some(old), new);
            let texts = changed
                .contains(&Field::Body)
                .then(|| line_excerpts(&old.body, &new.body));
            let lacks = |tags: &[String], other: &[String]| -> Vec<String> {
                let lacking = tags.iter().filter(|tag| !other.contains(tag));
                lacking.cloned().collect()
            };
            let tags = (lacks(&new.tags, &old.tags), lacks(&old.tags, &new.tags));
            (changed, tags, texts)
        }
        None => (changed(None, &made.content), Default::default(), None),
    };
    *known = before;
    Ok(Made {
        author,
        changed,
        erased,
        tags,
        texts,
    })
}

/// The proposal that an event rejected, if its text is kept: for the person.
fn kept(records: &dyn Records, session: &Session, event: &Event) -> Result<Option<ProposalId>> {
    if event.kind != EventKind::Rejected || !session.agent.is_person() {
        return Ok(None);
    }
    let proposal = records.proposal_rejected_by(event.id)?;
    let kept = proposal.filter(|it| it.state == ProposalState::Rejected);
    Ok(kept.map(|it| it.id))
}
