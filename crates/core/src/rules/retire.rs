//! Retire: out of routing, reversibly. The rule of a write that disputes the
//! body.

use super::conflict;
use super::seen::Seen;
use super::write::Writer;
use crate::words::{Field, Unit};

/// What a retire comes to: `None` if the unit is retired already, else the
/// fields that it displaces unseen.
pub fn judge(unit: &Unit, writer: &Writer<'_>) -> Option<Vec<Field>> {
    let head = &unit.head;
    if head.retired {
        return None;
    }
    let unseen = match &writer.seen {
        Seen::Head(_) => false,
        // A base that was itself retired and came back is another state.
        Seen::Older(_, base) => {
            base.retired || !conflict::same(Field::Body, &head.content, &base.content)
        }
        Seen::Unknown => !(writer.own && head.whole),
    };
    Some(if unseen {
        vec![Field::Body]
    } else {
        Vec::new()
    })
}
