//! Changes: what happened since, for whoever watches.

use super::clients::Told;
use super::erase::was_readable;
use super::unit::find;
use super::{Call, access};
use crate::ports::Records;
use crate::refusal::Result;
use crate::rules::access::Access;
use crate::shapes::Moment;
use crate::views::Who;
use crate::words::{
    BrainKey, BrainName, ConnectionName, Event, EventId, EventKind, Session, Topic, UnitId,
};
use schemars::JsonSchema;
use serde::Serialize;

/// The most events that are looked at in one call.
const MOST: usize = 500;

/// A change that the caller may know of.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Change")]
pub struct ChangeRow {
    /// Its place in the store's order.
    pub event: EventId,
    /// What happened.
    pub kind: EventKind,
    /// When.
    pub at: Moment,
    /// Who did it.
    pub agent: Who,
    /// The brain's short name, if it happened in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brain: Option<BrainName>,
    /// The unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<UnitId>,
    /// The topic in which the unit stands now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topic: Option<Topic>,
    /// The revision it made or spoke of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// The topic in which it stood before, where this change moved it.
    #[serde(skip)]
    pub was: Option<Topic>,
    /// Whether the session that asks did it.
    pub own: bool,
    /// The client it is about: its short name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The connection it is about, where it is about no unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connection: Option<String>,
}

/// Changes after an event, oldest first, in brains that the caller may read,
/// and for the person those of connections,
/// with the newest event looked at: where the next call goes on. A grant to the
/// caller comes, in no brain, even where it took the brain away. Of very many
/// events only the first come; call again until the newest stands still.
///
/// # Errors
/// Those of every use case.
pub fn changes_after(call: Call<'_>, after: EventId) -> Result<(Vec<ChangeRow>, EventId)> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let person = call.session.agent.is_person();
        let events = records.events_after(after, MOST)?;
        let newest = events.last().map_or(after, |event| event.id);
        let mut rows = Vec::new();
        for event in events {
            let brain = match event.brain {
                Some(key) => match access.by_key(key) {
                    Some(brain) => Some(brain),
                    None if grants_to(&event, &call.session.agent.connection) => None,
                    None => continue,
                },
                // What concerns connections is the person's to know.
                None if person || brain_of_caller(&event, call.session, &access) => None,
                None => continue,
            };
            let (topic, was) = match (&event.unit, event.brain) {
                (Some(unit), Some(brain)) => places(records, &event, unit, brain)?,
                _ => (None, None),
            };
            let told = Told::of(&event);
            rows.push(ChangeRow {
                event: event.id,
                kind: event.kind,
                at: Moment(event.at),
                agent: Who::from(&event.agent),
                brain: brain.map(|brain| brain.name.clone()),
                unit: event.unit,
                topic,
                revision: event.revision,
                was,
                own: event.agent.session == call.session.agent.session
                    && event.agent.connection == call.session.agent.connection,
                client: told.client,
                connection: told.connection,
            });
        }
        Ok((rows, newest))
    })
}

/// The newest event about a unit: it moves with whatever happens to it.
///
/// # Errors
/// `unknown_unit`.
pub fn newest_change(call: Call<'_>, unit: &str) -> Result<EventId> {
    call.store.read(|records| {
        let access = access(records, call.session)?;
        let unit = find(records, &access, unit, call.now)?;
        let newest = records.unit_events(&unit.id, 1)?;
        Ok(newest.first().map_or(0, |event| event.id))
    })
}

/// Whether an event made a brain that the caller may read, or erased one that
/// it could read.
fn brain_of_caller(event: &Event, session: &Session, access: &Access) -> bool {
    match event.kind {
        EventKind::BrainCreated => event
            .detail
            .as_deref()
            .is_some_and(|name| access.readable(name).is_ok()),
        EventKind::Erased => was_readable(event, &session.agent.connection),
        _ => false,
    }
}

/// Whether an event grants, or takes away, what a connection may do.
fn grants_to(event: &Event, connection: &ConnectionName) -> bool {
    event.kind == EventKind::Granted
        && event
            .detail
            .as_deref()
            .and_then(|detail| detail.split_once(": "))
            .is_some_and(|(_, name)| name == connection.to_string())
}

/// Where a unit stands, and where it stood before the event if that moved it.
fn places(
    records: &dyn Records,
    event: &Event,
    unit: &UnitId,
    brain: BrainKey,
) -> Result<(Option<Topic>, Option<Topic>)> {
    let Some(unit) = records.unit(&[brain], unit)? else {
        return Ok((None, None));
    };
    let now = unit.head.content.topic;
    let stays = matches!(
        event.kind,
        EventKind::Confirmed | EventKind::Checked | EventKind::Noted
    );
    let before = match event.revision {
        Some(revision) if revision > 1 && !stays => records.revision(&unit.id, revision - 1)?,
        _ => None,
    };
    let was = before
        .map(|before| before.content.topic)
        .filter(|was| *was != now);
    Ok((Some(now), was))
}
