//! Who last said that a unit holds.

use crate::ports::Records;
use crate::refusal::Result;
use crate::rules::conflict::same;
use crate::shapes::Moment;
use crate::views::Who;
use crate::views::units::{Vouched, VouchedView};
use crate::words::{Agent, EventKind, Field, Revision, Unit};

/// The most events that are searched for when a fact was seen again.
const EVENTS: usize = 500;

/// Who vouched for a unit at the moment from which its age counts: whoever
/// confirmed it, wrote the text, or saw it hold. What left the text alone, such
/// as a re-tag, vouched for nothing. `None` where it is not known any more.
pub(super) fn vouched(records: &dyn Records, unit: &Unit) -> Result<Option<VouchedView>> {
    let by = |how, agent: &Agent| {
        Ok(Some(VouchedView {
            how,
            by: Who::from(agent),
            at: Moment(unit.anchor),
        }))
    };
    if let Some(confirmed) = &unit.confirmed
        && confirmed.at >= unit.anchor
    {
        return by(Vouched::Confirmed, &confirmed.by);
    }
    let dated = records.revisions_dated(&unit.id, unit.anchor)?;
    if let Some(revision) = dated.iter().find(|it| says_the_same(it, &unit.head)) {
        let how = match revision.observed_at {
            Some(at) if at < revision.at => Vouched::Saw,
            _ => Vouched::Wrote,
        };
        return by(how, &revision.agent);
    }
    let events = records.unit_events(&unit.id, EVENTS)?;
    if let Some(checked) = events.iter().find(|it| it.kind == EventKind::Checked) {
        return by(Vouched::Saw, &checked.agent);
    }
    // A join keeps the age of what it brought.
    for id in records.joined_to(&unit.id)? {
        let Some((other, _)) = records.joined(&id)? else {
            continue;
        };
        if other.anchor == unit.anchor && says_the_same(&other.head, &unit.head) {
            return vouched(records, &other);
        }
    }
    Ok(None)
}

fn says_the_same(one: &Revision, other: &Revision) -> bool {
    [Field::Title, Field::Body]
        .into_iter()
        .all(|field| same(field, &one.content, &other.content))
}
