//! Conflict: what is in dispute, and what stays on record.

use crate::text::fold;
use crate::words::{Content, Field, Revision, Side};

/// Whether a field says the same in both, case and white space aside.
pub fn same(field: Field, a: &Content, b: &Content) -> bool {
    match field {
        Field::Topic => a.topic == b.topic,
        Field::Title => same_text(a.title.as_deref(), b.title.as_deref()),
        Field::Body => same_text(Some(&a.body), Some(&b.body)),
        Field::Tags => folded(&a.tags) == folded(&b.tags),
        Field::Source => same_text(a.source.as_deref(), b.source.as_deref()),
        Field::FreshForDays => a.fresh_for_days == b.fresh_for_days,
    }
}

fn same_text(a: Option<&str>, b: Option<&str>) -> bool {
    a == b || a.map(fold) == b.map(fold)
}

fn folded(tags: &[String]) -> Vec<String> {
    let mut tags: Vec<String> = tags.iter().map(|tag| fold(tag)).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

/// Whether replacing the head's field by the new one loses nothing: the head's
/// is empty, or its tags are all among the new ones.
fn displaces_nothing(field: Field, head: &Content, new: &Content) -> bool {
    match field {
        Field::Topic => false,
        Field::Title => head.title.is_none(),
        Field::Body => head.body.is_empty(),
        Field::Tags => {
            let new = folded(&new.tags);
            folded(&head.tags)
                .iter()
                .all(|tag| new.binary_search(tag).is_ok())
        }
        Field::Source => head.source.is_none(),
        Field::FreshForDays => head.fresh_for_days.is_none(),
    }
}

/// The supplied fields whose value at the head was lost unseen: it differs from
/// the written one, and from what the writer had seen (`base`; `None` where
/// that is unknown).
pub fn disputed(
    supplied: &[Field],
    head: &Content,
    base: Option<&Content>,
    new: &Content,
) -> Vec<Field> {
    supplied
        .iter()
        .copied()
        .filter(|field| {
            !same(*field, head, new)
                && !displaces_nothing(*field, head, new)
                && base.is_none_or(|base| !same(*field, head, base))
        })
        .collect()
}

/// The sides after a revision was displaced unseen. A revision stands once,
/// with all the fields that were disputed.
pub fn displace(mut sides: Vec<Side>, revision: Revision, disputed: &[Field]) -> Vec<Side> {
    match sides
        .iter_mut()
        .find(|side| side.revision.number == revision.number)
    {
        Some(side) => {
            side.disputed.extend_from_slice(disputed);
            side.disputed.sort_unstable();
            side.disputed.dedup();
        }
        None => sides.push(Side {
            revision,
            disputed: disputed.to_vec(),
        }),
    }
    sides
}
