//! Changes: what happened since, for whoever watches.

use super::{Call, access};
use crate::refusal::Result;
use crate::words::{BrainName, EventId, EventKind, Topic, UnitId};

/// The most events that are looked at in one call.
const MOST: usize = 500;

/// A change that the caller may know of.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeRow {
    /// Its place in the store's order.
    pub event: EventId,
    /// What happened.
    pub kind: EventKind,
    /// The brain's short name, if it happened in one.
    pub brain: Option<BrainName>,
    /// The unit.
    pub unit: Option<UnitId>,
    /// The topic in which the unit stands now.
    pub topic: Option<Topic>,
    /// Whether the session that asks did it.
    pub own: bool,
}

/// Changes after an event, oldest first, in brains that the caller may read,
/// with the newest event looked at: where the next call goes on. Of very many
/// only the first come; call again until that event stands still.
///
/// # Errors
/// Those of every use case.
pub fn changes_after(call: Call<'_>, after: EventId) -> Result<(Vec<ChangeRow>, EventId)> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let events = records.events_after(after, MOST)?;
        let newest = events.last().map_or(after, |event| event.id);
        let mut rows = Vec::new();
        for event in events {
            let brain = match event.brain {
                Some(key) => match access.by_key(key) {
                    Some(brain) => Some(brain),
                    None => continue,
                },
                // What concerns connections is the person's to know.
                None if matches!(event.kind, EventKind::BrainCreated | EventKind::Erased) => None,
                None => continue,
            };
            let topic = match (&event.unit, event.brain) {
                (Some(unit), Some(brain)) => records
                    .unit(&[brain], unit)?
                    .map(|unit| unit.head.content.topic),
                _ => None,
            };
            rows.push(ChangeRow {
                event: event.id,
                kind: event.kind,
                brain: brain.map(|brain| brain.name.clone()),
                unit: event.unit,
                topic,
                own: event.agent.session == call.session.agent.session
                    && event.agent.connection == call.session.agent.connection,
            });
        }
        Ok((rows, newest))
    })
}
