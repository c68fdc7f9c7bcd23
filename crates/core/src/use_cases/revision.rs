//! Revision: one, whole.

use super::unit::find_to_read;
use super::{Call, access};
use crate::refusal::{Refusal, Result};
use crate::shapes::Moment;
use crate::views::units::RevisionView;
use crate::views::{BaseView, ContentView, Who};

/// Gives a revision of a unit whole. It counts as delivered to the session.
///
/// # Errors
/// `unknown_unit`; `invalid` for a number that the unit does not have.
pub fn revision(call: Call<'_>, id: &str, number: u32) -> Result<RevisionView> {
    let view = call.store.read(|records| {
        let access = access(records, call.session)?;
        let unit = find_to_read(records, &access, id, call.now)?;
        let Some(revision) = records.revision(&unit.id, number)? else {
            return Err(Refusal::invalid(format!(
                "{number} is no revision of this unit: its head is {}.",
                unit.head.number
            )));
        };
        Ok(RevisionView {
            id: unit.id,
            revision: revision.number,
            content: ContentView::from(&revision.content),
            retired: revision.retired,
            erased: revision.erased,
            outcome: revision.outcome,
            agent: Who::from(&revision.agent),
            at: Moment(revision.at),
            base: revision.base.map(BaseView::from),
            parents: revision.parents,
            observed_at: revision.observed_at.map(Moment),
            source: revision.content.source,
        })
    })?;
    call.delivered([(view.id.clone(), view.revision)]);
    Ok(view)
}
